// What the console's pages do beyond plain forms and htmx.

// The menu is open where there is room for it beside the page.
const wide = matchMedia("(min-width: 60rem)");
function openMenu() {
  for (const menu of document.querySelectorAll("[data-menu]")) menu.open = wide.matches;
}
wide.addEventListener("change", openMenu);
openMenu();

// What is wrong is read out first.
document.querySelector("[data-focus]")?.focus();
