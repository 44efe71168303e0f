// A meeting in a week of several is dragged to another day, advisor or room, and keeps its time of day. By keyboard its
// page has "Move…". Where one points, a glance tells more of it.
const board = document.querySelector(".board");
let dragged = null;

const findCell = (event) => dragged && event.target.closest("td[data-day]");
function mark(cell) {
  board.querySelector(".is-target")?.classList.remove("is-target");
  cell?.classList.add("is-target");
}
const whose = (one) => one.closest("tr").dataset.whose;

board.addEventListener("dragstart", (event) => { dragged = event.target.closest("a.chip"); });
board.addEventListener("dragend", () => { dragged = null; mark(null); });
board.addEventListener("dragover", (event) => {
  const cell = findCell(event);
  if (!cell) return;
  event.preventDefault();
  mark(cell);
});
board.addEventListener("drop", (event) => {
  const cell = findCell(event);
  if (!cell) return;
  event.preventDefault();
  const meeting = new URL(dragged.href).pathname.split("/").at(-1);
  const sent = new URLSearchParams({ day: cell.dataset.day, from: whose(dragged), to: whose(cell) });
  dragMeeting(board.dataset.console, meeting, sent, board.dataset.failed);
});

const glance = document.querySelector("#glance");
const glances = new Map();
let pointed = null, pause;

async function showGlance(chip) {
  if (!glances.has(chip.href)) glances.set(chip.href, fetch(`${chip.href}/glance`).then((answer) => answer.ok ? answer.text() : "").catch(() => ""));
  const told = await glances.get(chip.href);
  if (chip !== pointed || !told) return;
  glance.replaceChildren(...new DOMParser().parseFromString(told, "text/html").body.childNodes);
  glance.showPopover();
  const box = chip.getBoundingClientRect();
  const below = box.bottom + glance.offsetHeight + 6 < innerHeight;
  glance.style.left = `${Math.max(8, Math.min(box.left, innerWidth - glance.offsetWidth - 8))}px`;
  glance.style.top = `${below ? box.bottom + 4 : box.top - glance.offsetHeight - 4}px`;
  chip.setAttribute("aria-describedby", "glance");
}
function point(chip, wait) {
  if (chip === pointed) return;
  clearTimeout(pause);
  pointed?.removeAttribute("aria-describedby");
  if (glance.matches(":popover-open")) glance.hidePopover();
  pointed = chip;
  if (chip) pause = setTimeout(showGlance, wait, chip);
}
board.addEventListener("pointerover", (event) => { if (event.pointerType === "mouse") point(event.target.closest("a.chip"), 250); });
board.addEventListener("pointerleave", () => point(null));
board.addEventListener("focusin", (event) => { if (event.target.matches(":focus-visible")) point(event.target.closest("a.chip"), 0); });
board.addEventListener("focusout", () => point(null));
addEventListener("keydown", (event) => { if (event.key === "Escape") point(null); });
addEventListener("scroll", () => point(null), { passive: true, capture: true });
board.addEventListener("dragstart", () => point(null));
