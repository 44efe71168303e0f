// What the console's pages do beyond plain forms and htmx.

// The menu is open where there is room for it beside the page.
const wide = matchMedia("(min-width: 60rem)");
function openMenu() {
  for (const menu of document.querySelectorAll("[data-menu]")) menu.open = wide.matches;
}
wide.addEventListener("change", openMenu);
openMenu();

// A form whose answer takes a while says so as long as it is awaited.
function showBusy(form, isBusy) {
  for (const note of form.querySelectorAll("[data-busy]")) note.hidden = !isBusy;
}
document.addEventListener("submit", (event) => showBusy(event.target, true));
addEventListener("pageshow", () => { for (const form of document.forms) showBusy(form, false); });

// A page that is awaited for longer than a moment says so, whatever was pressed.
const working = document.querySelector("[data-working]");
let waiting;
function rest() {
  clearTimeout(waiting);
  working.hidden = true;
  working.textContent = "";
}
function awaitPage() {
  rest();
  waiting = setTimeout(() => {
    working.hidden = false;
    working.textContent = working.dataset.working;
    waiting = setTimeout(rest, 30000); // a file was saved, and the page stayed
  }, 700);
}
addEventListener("submit", (event) => { if (!event.defaultPrevented) awaitPage(); });
addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  const isPlain = event.button === 0 && !event.defaultPrevented && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!link || !isPlain || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
  if (link.pathname !== location.pathname || link.search !== location.search) awaitPage();
});
addEventListener("pageshow", rest);

// What is wrong is read out first.
document.querySelector("[data-focus]")?.focus();
