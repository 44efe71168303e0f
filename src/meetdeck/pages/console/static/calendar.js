// The calendar as a grid; its list stays for who has no scripts, and is a view of its own.
const grid = document.querySelector("#grid");

if (grid) {
  const words = JSON.parse(grid.dataset.words);
  const resources = JSON.parse(grid.dataset.resources);
  const several = resources.length > 1;
  const views = { day: several ? "resourceTimeGridDay" : "timeGridDay", week: several ? "resourceTimelineWeek" : "timeGridWeek", timeline: several ? "resourceTimelineDay" : "resourceTimelineWeek" };
  const two = (number) => String(number).padStart(2, "0");
  const local = (moment) => `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}T${two(moment.getHours())}:${two(moment.getMinutes())}:00`;
  const clock = (moment) => `${two(moment.getHours())}:${two(moment.getMinutes())}`;
  const refused = document.querySelector("[data-refused]");
  const clicked = document.querySelector("#clicked-time");

  function tell(detail) {
    refused.hidden = !detail;
    refused.querySelector("p").textContent = detail;
    if (detail) refused.scrollIntoView({ block: "nearest" });
  }

  // A drag is the same as "Move…": the firm's rules decide, and what is refused goes back with the reason.
  async function drag(info) {
    const { event, oldEvent } = info;
    const sent = new URLSearchParams({
      start: local(event.start), end: local(event.end),
      from: (oldEvent ?? event).resourceIds?.[0] ?? "", to: info.newResource?.id ?? event.resourceIds?.[0] ?? "",
    });
    const answer = await fetch(`${grid.dataset.console}/calendar/meetings/${event.extendedProps.meeting}/drag`, { method: "POST", body: sent }).catch(() => null);
    if (answer?.ok) { sayMoved(event.extendedProps.meeting); return; }
    info.revert();
    const told = await answer?.json().catch(() => null);
    tell(told?.detail ?? words.failed);
  }

  // The page that comes says when everybody is told of it, and undoes it until then.
  function sayMoved(meeting) {
    const page = new URL(location.href);
    for (const name of ["cancelled", "undone", "late"]) page.searchParams.delete(name);
    page.searchParams.set("moved", meeting);
    page.searchParams.set("at", Math.floor(Date.now() / 1000));
    location.replace(page);
  }

  // What to do with an empty time: the rule that took it away, or a meeting there.
  function offer({ date, resource }) {
    const whose = resource?.id ?? grid.dataset.single;
    if (!whose.startsWith("employee.")) return;
    const employee = whose.slice("employee.".length);
    const name = resources.find((one) => one.id === whose)?.title ?? "";
    const at = local(date);
    const link = (path, text) => Object.assign(document.createElement("a"), { href: `${grid.dataset.console}/${path}`, textContent: text, className: "ds-link" });
    clicked.replaceChildren(
      `${at.slice(0, 10)} ${clock(date)} · ${name} `,
      link(`calendar/why?${new URLSearchParams({ employee, day: at.slice(0, 10) })}`, words.why), " ",
      link(`book?${new URLSearchParams({ employee, at: at.slice(0, 16) })}`, words.book),
    );
    clicked.hidden = false;
    clicked.querySelector("a").focus();
  }

  function show({ event, timeText }) {
    if (event.display === "background") return "";
    const { people, seconds } = event.extendedProps;
    const line = (text, name) => Object.assign(document.createElement("span"), { textContent: text, className: name });
    const title = line(event.title, "grid-title");
    if (event.extendedProps.meeting) {
      const link = Object.assign(document.createElement("a"), { href: `${grid.dataset.console}/calendar/meetings/${event.extendedProps.meeting}`, textContent: event.title, draggable: false });
      title.replaceChildren(link);
    }
    title.title = event.title; // the box may be too small for all of it
    const nodes = [line(timeText, "grid-time"), title];
    if (people) nodes.push(line(people, "grid-people"));
    if (seconds > 0) {
      const left = line(words.held.replace("{number}", seconds), "grid-people");
      left.dataset.until = Date.now() + seconds * 1000;
      nodes.push(left);
    }
    return { domNodes: nodes };
  }
  setInterval(() => {
    for (const one of grid.querySelectorAll("[data-until]")) one.textContent = words.held.replace("{number}", Math.max(0, Math.round((one.dataset.until - Date.now()) / 1000)));
  }, 1000);

  // The library's roles of a table do not nest as ARIA wants them, and an event is an <article>, which is no button:
  // without them the grid is read as its links, by day.
  const roles = ["table", "rowgroup", "row", "cell", "columnheader", "rowheader"].map((role) => `[role=${role}]`).join();
  const counts = ["aria-colindex", "aria-rowindex", "aria-colcount", "aria-rowcount", "aria-colspan", "aria-rowspan"];
  new MutationObserver(() => {
    for (const one of grid.querySelectorAll(roles)) for (const name of ["role", ...counts]) one.removeAttribute(name);
    for (const one of grid.querySelectorAll(".ec-event[role]")) for (const name of ["role", "tabindex"]) one.removeAttribute(name);
  }).observe(grid, { childList: true, subtree: true, attributes: true, attributeFilter: ["role"] });

  grid.hidden = false;
  for (const list of document.querySelectorAll("[data-lists]")) list.hidden = true;
  document.querySelector("[data-grid-hint]").hidden = false;
  const calendar = EventCalendar.create(grid, {
    view: views[grid.dataset.view],
    date: `${grid.dataset.day}T00:00:00`,
    resources,
    locale: grid.dataset.language === "da" ? "da-DK" : "en-GB",
    firstDay: 1,
    views: Object.fromEntries(["timeGridDay", "resourceTimeGridDay", "resourceTimelineDay"].map((name) => [name, { dayHeaderFormat: { weekday: "long", day: "numeric", month: "long" } }])),
    headerToolbar: { start: "", center: "", end: "" },
    allDaySlot: false,
    slotMinTime: "07:00:00",
    slotMaxTime: "20:00:00",
    flexibleSlotTimeLimits: true,
    slotDuration: "00:30:00",
    slotHeight: 26,
    nowIndicator: Intl.DateTimeFormat().resolvedOptions().timeZone === grid.dataset.zone, // the grid knows no zones
    height: "auto",
    eventContent: show,
    eventStartEditable: true,
    eventDurationEditable: true,
    eventSources: [{ events: async (info) => {
      const query = new URLSearchParams({ start: info.startStr.slice(0, 19), end: info.endStr.slice(0, 19) });
      const answer = await fetch(`${grid.dataset.events}&${query}`);
      if (!answer.ok) { tell(words.failed); return []; }
      return answer.json();
    } }],
    eventDrop: drag,
    eventResize: drag,
    dateClick: offer,
    eventClick: ({ event, jsEvent }) => {
      if (event.extendedProps.meeting) { jsEvent.preventDefault(); location.href = `${grid.dataset.console}/calendar/meetings/${event.extendedProps.meeting}`; }
    },
  });
  if (grid.dataset.view === "timeline") calendar.gotoDate(`${grid.dataset.day}T00:00:00`); // scrolls to it
}
