// Choosing slides without a new page, the slide of the field that is filled, and downloads that tell that they are made.
document.documentElement.classList.add("scripted");

const choice = document.querySelector("[data-choice]");
const list = choice?.querySelector(".slide-choice");
const cards = () => [...list.children];

function tellChosen() {
  const told = choice.querySelector("[data-chosen]");
  const chosen = list.querySelectorAll(":checked").length;
  told.textContent = told.dataset.words.replace("{number}", chosen).replace("{all}", list.children.length);
}

function tellOrder(card) {
  const all = cards();
  for (const [place, one] of all.entries()) {
    const [up, down] = one.querySelectorAll(".moves button");
    up.disabled = place === 0;
    down.disabled = place === all.length - 1;
  }
  const words = list.dataset.words.replace("{name}", card.dataset.slide).replace("{number}", all.indexOf(card) + 1);
  choice.querySelector("[data-moved]").textContent = words;
}

list?.addEventListener("change", tellChosen);
choice?.addEventListener("click", (event) => {
  const button = event.target.closest("button[name=act]");
  if (!button) return;
  event.preventDefault();
  const [verb] = button.value.split(":", 1);
  const name = button.value.slice(verb.length + 1);
  if (verb === "all" || verb === "none") {
    for (const card of cards().filter((one) => !name || one.dataset.section === name)) card.querySelector("[name=slide]").checked = verb === "all";
    tellChosen();
    return;
  }
  const card = button.closest("li");
  if (verb === "up") card.previousElementSibling?.before(card);
  else card.nextElementSibling?.after(card);
  tellOrder(card);
  (button.disabled ? card.querySelector("[name=slide]") : button).focus();
});

// Dragging, beside the buttons.
let dragged = null;
for (const card of list ? cards() : []) card.draggable = true;
list?.addEventListener("dragstart", (event) => {
  dragged = event.target.closest("li");
  dragged.classList.add("dragged");
  event.dataTransfer.effectAllowed = "move";
});
list?.addEventListener("dragover", (event) => {
  const over = event.target.closest("li");
  if (!dragged) return;
  event.preventDefault();
  for (const one of cards()) one.classList.toggle("before", one === over && over !== dragged);
});
list?.addEventListener("drop", (event) => {
  const over = event.target.closest("li");
  event.preventDefault();
  if (over && dragged && over !== dragged) {
    if (cards().indexOf(dragged) < cards().indexOf(over)) over.after(dragged);
    else over.before(dragged);
    tellOrder(dragged);
  }
});
list?.addEventListener("dragend", () => {
  for (const one of cards()) one.classList.remove("dragged", "before");
  dragged = null;
});

// The slide of the field that is being filled is drawn.
const filling = document.querySelector("[data-filling]");
filling?.addEventListener("focusin", (event) => {
  const slide = event.target.dataset.shows;
  const shown = filling.querySelector("[data-shown]");
  if (!slide || shown.value === slide || ![...shown.options].some((one) => one.value === slide)) return;
  shown.value = slide;
  shown.dispatchEvent(new Event("change", { bubbles: true }));
});

// A PDF takes seconds: that it is being made is told, and when it is there it is saved.
for (const link of document.querySelectorAll("[data-download]")) {
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    const busy = link.closest("li").querySelector("[data-busy]");
    if (!busy.hidden) return;
    busy.hidden = false;
    try {
      const answer = await fetch(link.href);
      if (!answer.ok) { location.href = link.href; return; }
      const name = decodeURIComponent(answer.headers.get("Content-Disposition")?.split("''")[1] ?? "deck");
      const file = URL.createObjectURL(await answer.blob());
      Object.assign(document.createElement("a"), { href: file, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(file), 60_000);
    } finally {
      busy.hidden = true;
    }
  });
}
