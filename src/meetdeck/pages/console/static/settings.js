// Draws the preview again while somebody types, and copies code; without scripts there is a button for the first.
const button = document.querySelector("[data-preview]");
const form = button?.form;
let drawn = 0;
let waiting;

// A new frame each time: one that goes on to another page would fill the browser's history.
function draw() {
  const frames = document.querySelector("[data-frames]");
  const next = frames.lastElementChild.cloneNode();
  next.name = `preview-${++drawn}`;
  next.classList.add("coming");
  frames.append(next);
  next.addEventListener("load", () => {
    while (next.previousElementSibling) next.previousElementSibling.remove();
    next.classList.remove("coming");
  });
  button.formTarget = next.name;
  form.requestSubmit(button);
}

function drawSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(draw, 500);
}

form?.addEventListener("input", drawSoon);
for (const each of document.querySelectorAll(".preview select")) each.addEventListener("change", drawSoon);
if (form) drawSoon();

for (const each of document.querySelectorAll("[data-copy]")) {
  each.hidden = false;
  each.addEventListener("click", async () => {
    const field = document.getElementById(each.dataset.copy);
    field.select();
    await navigator.clipboard?.writeText(field.value);
  });
}

// A placeholder goes to where somebody was writing, else to the end of the longest text.
let written = form?.querySelector("textarea");
form?.addEventListener("focusin", (event) => { if (event.target.matches("textarea, input[type='text']")) written = event.target; });
for (const each of document.querySelectorAll("[data-insert]")) {
  each.hidden = false;
  each.addEventListener("click", () => {
    written.setRangeText(each.dataset.insert, written.selectionStart, written.selectionEnd, "end");
    written.focus();
    drawSoon();
  });
}
