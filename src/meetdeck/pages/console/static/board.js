// A meeting in a week of several is dragged to another day, advisor or room, and keeps its time of day. By keyboard its
// page has "Move…".
const board = document.querySelector(".board");
let dragged = null;

const findCell = (event) => dragged && event.target.closest("td[data-day]");
function mark(cell) {
  board.querySelector(".is-target")?.classList.remove("is-target");
  cell?.classList.add("is-target");
}
const whose = (one) => one.closest("tr").dataset.whose;

board.addEventListener("dragstart", (event) => { dragged = event.target.closest("[data-span]"); });
board.addEventListener("dragend", () => { dragged = null; mark(null); });
board.addEventListener("dragover", (event) => {
  const cell = findCell(event);
  if (!cell) return;
  event.preventDefault();
  mark(cell);
});
board.addEventListener("drop", async (event) => {
  const cell = findCell(event);
  if (!cell) return;
  event.preventDefault();
  const meeting = new URL(dragged.href).pathname.split("/").at(-1);
  const [start, end] = dragged.dataset.span.split("-").map((clock) => `${cell.dataset.day}T${clock}:00`);
  const sent = new URLSearchParams({ start, end, from: whose(dragged), to: whose(cell) });
  const answer = await fetch(`${board.dataset.console}/calendar/meetings/${meeting}/drag`, { method: "POST", body: sent }).catch(() => null);
  if (answer?.ok) { showDone("moved", meeting); return; }
  const told = await answer?.json().catch(() => null);
  const refused = document.querySelector("[data-refused]");
  refused.hidden = false;
  refused.querySelector("p").textContent = told?.detail ?? board.dataset.failed;
  refused.scrollIntoView({ block: "nearest" });
});
