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

// What is wrong is read out first.
document.querySelector("[data-focus]")?.focus();
