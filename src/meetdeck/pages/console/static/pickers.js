// Fields that suggest while somebody types: the combobox of the ARIA Authoring Practices, "list autocomplete".
// Its suggestions come by htmx; without scripts the form is sent with what was typed.

for (const picker of document.querySelectorAll("[data-picker]")) {
  const input = picker.querySelector("input:not([type=hidden], [type=radio])");
  const found = picker.querySelector(".suggestions");
  const value = picker.querySelector("[data-value]");
  const was = picker.querySelector("[data-was]");
  const several = picker.querySelector("template");
  const told = picker.querySelector("[data-told]");
  const options = () => [...found.querySelectorAll("[role=option]")];
  const active = () => document.getElementById(input.getAttribute("aria-activedescendant") ?? "");
  const isOpen = () => !found.hidden;

  for (const [name, text] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-expanded", "false"], ["aria-controls", `${input.id}-options`]]) input.setAttribute(name, text);

  function activate(option) {
    active()?.removeAttribute("aria-selected");
    if (!option) { input.removeAttribute("aria-activedescendant"); return; }
    option.setAttribute("aria-selected", "true");
    input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  function show(isShown) {
    found.hidden = !isShown;
    input.setAttribute("aria-expanded", String(isShown));
    if (!isShown) { activate(null); told.textContent = ""; }
  }

  function choose(option) {
    const { value: chosen, label } = option.dataset;
    show(false);
    if (several) { add(chosen, label); return; }
    input.value = was.value = label;
    value.value = chosen;
    picker.querySelector("[data-meant]")?.remove();
    value.dispatchEvent(new Event("change", { bubbles: true }));
  }

  // A field for several has a tick for each that is chosen.
  function add(chosen, label) {
    const ticks = picker.parentElement.querySelector(".choices");
    let box = [...ticks.querySelectorAll("input")].find((one) => one.value === chosen);
    if (!box) {
      const tick = several.content.firstElementChild.cloneNode(true);
      box = tick.querySelector("input");
      box.value = chosen;
      box.id = tick.querySelector("label").htmlFor = `${box.name}-${chosen}`;
      tick.querySelector("label").textContent = label;
      ticks.append(tick);
      const seen = picker.parentElement.querySelector("[data-seen]");
      if (seen) seen.value += `,${chosen}`;
    }
    box.checked = true;
    input.value = "";
    told.textContent = picker.dataset.chosen.replace("{name}", label);
  }

  // The first arrow key asks for what there is, if nothing was asked for yet.
  function move(step) {
    if (!isOpen()) { input.dispatchEvent(new Event("find")); return; }
    const all = options();
    const at = all.indexOf(active());
    activate(all.at(at < 0 ? (step > 0 ? 0 : -1) : (at + step) % all.length));
  }

  input.addEventListener("htmx:after:swap", () => {
    if (document.activeElement !== input) return;
    show(options().length > 0);
    told.textContent = found.querySelector("[data-told]")?.dataset.told ?? "";
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") move(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Enter" && isOpen() && active()) choose(active());
    else if (event.key === "Escape" && isOpen()) show(false);
    else if (event.key === "Escape") input.value = was?.value ?? "";
    else return;
    event.preventDefault();
  });
  input.addEventListener("focusout", () => show(false));
  found.addEventListener("mousedown", (event) => event.preventDefault()); // the focus stays in the field
  found.addEventListener("click", (event) => { const option = event.target.closest("[role=option]"); if (option) choose(option); });
}
