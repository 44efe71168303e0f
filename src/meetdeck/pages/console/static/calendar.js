// The calendar as a grid; its list stays for who has no scripts, and is a view of its own.
const grid = document.querySelector("#grid");

if (grid) {
  const words = JSON.parse(grid.dataset.words);
  const resources = JSON.parse(grid.dataset.resources);
  const several = resources.length > 1;
  const views = { day: several ? "resourceTimeGridDay" : "timeGridDay", week: several ? "resourceTimelineWeek" : "timeGridWeek", timeline: "resourceTimelineDay" };
  const two = (number) => String(number).padStart(2, "0");
  const local = (moment) => `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}T${two(moment.getHours())}:${two(moment.getMinutes())}:00`;
  const locale = { da: "da-DK", de: "de-DE" }[grid.dataset.language] ?? "en-GB";
  const clocks = { hour: "2-digit", minute: "2-digit" };
  const clock = (moment) => new Intl.DateTimeFormat(locale, clocks).format(moment);
  const card = document.querySelector("#time-card");

  // What is refused goes back.
  async function drag(info) {
    const { event, oldEvent } = info;
    const sent = new URLSearchParams({
      start: local(event.start), end: local(event.end),
      from: (oldEvent ?? event).resourceIds?.[0] ?? "", to: info.newResource?.id ?? event.resourceIds?.[0] ?? "",
    });
    if (!await dragMeeting(grid.dataset.console, event.extendedProps.meeting, sent, words.failed)) info.revert();
  }

  // The card of a half hour: free, with the form that books it, or the rule that takes it away. It is shown at a point,
  // and Escape closes it.
  const cards = `${grid.dataset.console}/calendar/time`;
  async function fill(answer) {
    const told = new DOMParser().parseFromString(await answer.text(), "text/html").body;
    for (const link of told.querySelectorAll("a[href]")) link.href = new URL(link.getAttribute("href"), answer.url);
    card.replaceChildren(...told.childNodes);
  }
  // It stays within the window, also when it grows.
  function put(x, y) {
    card.style.left = `${Math.max(8, Math.min(x, innerWidth - card.offsetWidth - 8))}px`;
    card.style.top = `${Math.max(8, Math.min(y, innerHeight - card.offsetHeight - 8))}px`;
  }
  new ResizeObserver(() => { const box = card.getBoundingClientRect(); if (box.height) put(box.left, box.top); }).observe(card);
  async function openCard({ date, resource }, x, y) {
    const whose = resource?.id ?? grid.dataset.single;
    if (!whose.startsWith("employee.")) return;
    const query = new URLSearchParams({ employee: whose.slice("employee.".length), at: local(date).slice(0, 16), topic: grid.dataset.topic });
    const answer = await fetch(`${cards}?${query}`).catch(() => null);
    if (!answer?.ok) { tellRefused(words.failed); return; }
    await fill(answer);
    card.showPopover();
    put(x + 12, y + 12);
    card.querySelector("select, a").focus();
  }

  // A form of the card is answered by the card as it then is, or (201) by the meeting's address.
  async function send(more = {}) {
    const sent = new URLSearchParams(new FormData(card.querySelector("form")));
    for (const [name, value] of Object.entries(more)) sent.set(name, value);
    const answer = await fetch(cards, { method: "POST", body: sent }).catch(() => null);
    if (answer?.status === 201) { showDone("booked", answer.headers.get("Location").split("/").at(-1)); return; }
    if (!answer?.headers.get("Content-Type")?.startsWith("text/html")) { tellRefused(words.failed); return; }
    const here = document.activeElement?.id;
    await fill(answer);
    (card.querySelector("[aria-invalid]") ?? document.getElementById(here) ?? card.querySelector("button"))?.focus();
  }
  card.addEventListener("submit", (event) => { event.preventDefault(); send(event.submitter?.name ? { [event.submitter.name]: event.submitter.value } : {}); });
  card.addEventListener("change", (event) => { if (event.target.matches("[data-check]")) send({ check: "yes" }); });
  const offer = (info) => openCard(info, info.jsEvent.clientX, info.jsEvent.clientY);

  // A meeting's first line is its begin and its customer, the second its topic. What its box cuts off is seen at the
  // pointer and at the focus (calendar.css). The legend lends its icons.
  function show({ event }) {
    if (event.display === "background") return "";
    const { about, whole, way, meeting } = event.extendedProps;
    const line = (name, ...parts) => { const made = Object.assign(document.createElement("span"), { className: name }); made.append(...parts); return made; };
    const name = meeting ? Object.assign(document.createElement("a"), { href: `${grid.dataset.console}/calendar/meetings/${meeting}`, textContent: event.title, draggable: false }) : event.title;
    const first = line("grid-first", line("grid-time", clock(event.start)), " ", line("grid-name", name));
    first.title = whole;
    const drawn = document.querySelector(way ? `.legend [data-way="${way}"] .icon` : event.classNames.includes("grid-reserved") ? ".legend .is-held .icon" : ".legend .none");
    if (drawn) {
      const copy = drawn.cloneNode(true);
      copy.querySelector("[id]")?.removeAttribute("id");
      first.append(copy);
      if (way) first.append(line("unseen", `, ${drawn.parentElement.textContent.trim()}`));
    }
    return { domNodes: about ? [first, line("grid-about", about)] : [first] };
  }

  // The library's roles of a table do not nest as ARIA wants them, and an event is an <article>, which is no button:
  // without them the grid is read as its links, by day.
  const roles = ["table", "rowgroup", "row", "cell", "columnheader", "rowheader"].map((role) => `[role=${role}]`).join();
  const counts = ["aria-colindex", "aria-rowindex", "aria-colcount", "aria-rowcount", "aria-colspan", "aria-rowspan"];
  new MutationObserver(() => {
    for (const one of grid.querySelectorAll(roles)) for (const name of ["role", ...counts]) one.removeAttribute(name);
    for (const one of grid.querySelectorAll(".ec-event[role]")) for (const name of ["role", "tabindex"]) one.removeAttribute(name);
  }).observe(grid, { childList: true, subtree: true, attributes: true, attributeFilter: ["role"] });

  // "Mon 23": today's number is marked, and nothing else of it.
  function head(date) {
    const name = document.createElement("span");
    name.textContent = new Intl.DateTimeFormat(locale, { weekday: "short" }).format(date).replace(".", "");
    const number = Object.assign(document.createElement("b"), { textContent: date.getDate() });
    if (local(date).slice(0, 10) === grid.dataset.today) number.className = "is-today";
    return { domNodes: [name, " ", number] };
  }

  grid.hidden = false;
  for (const list of document.querySelectorAll("[data-lists]")) list.hidden = true;
  document.querySelector("[data-grid-hint]").hidden = false;
  // A timeline is as wide as the page, as far as its half hours stay legible.
  function fit() {
    const row = grid.querySelector(".ec-timeline .ec-body .ec-day");
    if (!row) return;
    const now = calendar.getOption("slotWidth");
    const wanted = Math.max(32, Math.floor((grid.clientWidth - grid.querySelector(".ec-sidebar").offsetWidth - 2) / Math.round(row.offsetWidth / now)));
    if (wanted !== now) calendar.setOption("slotWidth", wanted);
  }

  // Now is a line by the firm's clock, wherever the browser is: the grid knows no zones.
  const line = Object.assign(document.createElement("div"), { className: "now-line", ariaHidden: "true" });
  const zoned = new Intl.DateTimeFormat("sv-SE", { timeZone: grid.dataset.zone, dateStyle: "short", timeStyle: "short" });
  function drawNow() {
    const days = [...grid.querySelectorAll(".ec-body .ec-day")];
    if (!days.length) return;
    const isFlat = Boolean(grid.querySelector(".ec-timeline"));
    const now = new Date(zoned.format(new Date()).replace(" ", "T"));
    const shown = days.filter((day) => {
      const box = day.getBoundingClientRect();
      return calendar.dateFromPoint(box.left + 2, box.top + 2)?.date.toDateString() === now.toDateString();
    });
    line.remove();
    if (!shown.length) return;
    const [first, last] = [shown[0].getBoundingClientRect(), shown.at(-1).getBoundingClientRect()];
    const begin = calendar.dateFromPoint(first.left + 2, first.top + 2).date;
    const steps = (now - begin) / (30 * 60 * 1000) * (isFlat ? calendar.getOption("slotWidth") : calendar.getOption("slotHeight"));
    if (steps < 0 || steps > (isFlat ? first.width : first.height)) return;
    const main = grid.querySelector(".ec-main"), around = main.getBoundingClientRect();
    const left = first.left - around.left + main.scrollLeft, top = first.top - around.top + main.scrollTop;
    Object.assign(line.style, isFlat
      ? { left: `${left + steps}px`, top: `${top}px`, width: "0", height: `${last.bottom - first.top}px` }
      : { left: `${left}px`, top: `${top + steps}px`, width: `${last.right - first.left}px`, height: "0" });
    main.append(line);
  }

  const calendar = EventCalendar.create(grid, {
    view: views[grid.dataset.view],
    date: `${grid.dataset.day}T00:00:00`,
    resources,
    locale,
    firstDay: 1,
    dayHeaderFormat: head,
    headerToolbar: { start: "", center: "", end: "" },
    allDaySlot: false,
    slotMinTime: "08:00:00",
    slotMaxTime: "17:00:00",
    flexibleSlotTimeLimits: { eventFilter: ({ start, end }) => end - start < 12 * 3600 * 1000 }, // not for absences
    slotDuration: "00:30:00",
    slotLabelFormat: clocks,
    eventAllUpdated: () => { fit(); drawNow(); },
    slotHeight: 26,
    height: "auto",
    eventContent: show,
    eventStartEditable: true,
    eventDurationEditable: true,
    eventSources: [{ events: async (info) => {
      const query = new URLSearchParams({ start: info.startStr.slice(0, 19), end: info.endStr.slice(0, 19) });
      const answer = await fetch(`${grid.dataset.events}&${query}`);
      if (!answer.ok) { tellRefused(words.failed); return []; }
      return answer.json();
    } }],
    eventDrop: drag,
    eventResize: drag,
    dateClick: offer,
    eventClick: ({ event, jsEvent }) => {
      if (event.extendedProps.meeting) { jsEvent.preventDefault(); location.href = `${grid.dataset.console}/calendar/meetings/${event.extendedProps.meeting}`; }
    },
  });
  // It scrolls where it is wider than the page, so the keyboard must reach it.
  const scrolled = grid.querySelector(".ec-main");
  for (const [name, value] of [["tabindex", "0"], ["role", "region"], ["aria-label", words.grid]]) scrolled.setAttribute(name, value);

  setInterval(drawNow, 60000);

  // One half hour is in the order of Tab; arrow keys walk from it to the others. Lanes are days, or people in a timeline.
  const cursor = Object.assign(document.createElement("button"), { type: "button", className: "grid-cursor" });
  const place = { lane: 0, slot: 2 };
  function walk(lanes, slots) {
    const days = [...grid.querySelectorAll(".ec-body .ec-day")];
    const isFlat = Boolean(grid.querySelector(".ec-timeline"));
    const size = isFlat ? calendar.getOption("slotWidth") : calendar.getOption("slotHeight");
    place.lane = Math.max(0, Math.min(days.length - 1, place.lane + lanes));
    const day = days[place.lane];
    if (!day) return null;
    place.slot = Math.max(0, Math.min(Math.round((isFlat ? day.offsetWidth : day.offsetHeight) / size) - 1, place.slot + slots));
    const [shown, around] = [day.getBoundingClientRect(), scrolled.getBoundingClientRect()];
    const x = shown.left + (isFlat ? place.slot * size : 0), y = shown.top + (isFlat ? 0 : place.slot * size);
    cursor.style.left = `${x - around.left + scrolled.scrollLeft}px`;
    cursor.style.top = `${y - around.top + scrolled.scrollTop}px`;
    cursor.style.width = `${isFlat ? size : shown.width}px`;
    cursor.style.height = `${isFlat ? shown.height : size}px`;
    cursor.scrollIntoView({ block: "nearest", inline: "nearest" });
    const box = cursor.getBoundingClientRect();
    const info = calendar.dateFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    if (info) {
      const when = new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long", ...clocks }).format(info.date);
      cursor.setAttribute("aria-label", [when, info.resource?.title].filter(Boolean).join(", "));
    }
    return info && { info, x: box.right, y: box.top };
  }
  cursor.setAttribute("aria-label", words.walk);
  scrolled.append(cursor);
  cursor.addEventListener("focus", () => walk(0, 0));
  cursor.addEventListener("keydown", (event) => {
    const isFlat = Boolean(grid.querySelector(".ec-timeline"));
    const step = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (!step) return;
    event.preventDefault();
    if (isFlat) step.reverse();
    walk(...step);
  });
  cursor.addEventListener("click", () => {
    const at = walk(0, 0);
    if (at) openCard(at.info, at.x, at.y);
  });
}
