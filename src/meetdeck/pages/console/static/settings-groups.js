// Shows only the settings that have what is typed; without scripts the form asks the server.
{
  const field = document.querySelector("[data-filter]");
  const none = document.querySelector("[data-filter-none]");
  const has = (row, words) => words.every((word) => row.textContent.toLowerCase().includes(word));
  document.querySelector("[data-filter-button]").hidden = true;
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const group of document.querySelectorAll(".setting-group")) {
      for (const row of group.querySelectorAll("li")) row.hidden = !has(row, words);
      group.hidden = !group.querySelector("li:not([hidden])");
    }
    none.hidden = Boolean(document.querySelector(".setting-group:not([hidden])"));
  });
  field.form.addEventListener("submit", (event) => {
    event.preventDefault();
    document.querySelector(".setting-group:not([hidden]) li:not([hidden]) a")?.click();
  });
}
