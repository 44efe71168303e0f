// The manual reads whole without this script, which searches it, copies code, and marks the heading one reads.
const base = new URL(document.documentElement.dataset.manual, location.href);
const link = document.querySelector("a.search");

function make(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

// ---------------------------------------------------------------------------------------------------- search
const searchable = location.protocol !== "file:"; // browsers load no index from a disk
let pagefind;
let asked = 0;

const input = make("input", { type: "search", placeholder: "Search the manual", ariaLabel: "Search the manual", autocomplete: "off", spellcheck: false });
const notice = make("p", { role: "status" });
const list = make("ol", { ariaLabel: "Results" });
const finder = make("dialog", { id: "manual-finder", ariaLabel: "Search" }, make("label", {}, link.querySelector(".icon").cloneNode(true), input), notice, list);

async function open() {
  if (!finder.isConnected) document.body.append(finder);
  if (!finder.open) finder.showModal();
  input.select();
  try {
    pagefind ??= await load();
  } catch {
    notice.textContent = "The index cannot be loaded. The list of all pages has every heading.";
  }
}

async function load() {
  const loaded = await import(new URL("pagefind/pagefind.js", base));
  await loaded.options({ baseUrl: base.pathname, excerptLength: 18, ranking: { pageLength: 0, termFrequency: 0.3, termSimilarity: 2 } });
  await loaded.init();
  return loaded;
}

async function search() {
  const words = input.value.trim();
  const number = ++asked;
  if (!words) {
    list.replaceChildren();
    notice.textContent = "";
    return;
  }
  pagefind ??= await load();
  const { results } = await pagefind.search(words);
  const pages = await Promise.all(results.slice(0, 8).map((result) => result.data()));
  if (number !== asked) return; // another letter was typed meanwhile
  list.replaceChildren(...pages.flatMap(showPage));
  notice.textContent = pages.length ? "" : `Nothing found for “${words}”.`;
}

function showPage(page) {
  const parts = page.sub_results.filter((part) => plain(part.title) !== plain(page.meta.title)).slice(0, 3);
  const whole = makeResult(page.url, page.meta.title, parts.length ? "" : page.excerpt, page.meta.section);
  return [whole, ...parts.map((part) => Object.assign(makeResult(part.url, part.title, part.excerpt), { className: "part" }))];
}

function plain(title) {
  return title.replace(/\s*#$/, "");
}

function makeResult(address, title, excerpt, section = "") {
  const found = new DOMParser().parseFromString(excerpt, "text/html").body; // escaped words, and <mark> around those found
  const text = make("small", {}, ...found.childNodes);
  return make("li", {}, make("a", { href: address }, make("span", {}, plain(title), ...(section ? [make("em", {}, section)] : [])), ...(excerpt ? [text] : [])));
}

function step(event) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by) return;
  const places = [input, ...list.querySelectorAll("a")];
  const next = places[places.indexOf(document.activeElement) + by];
  if (next) {
    event.preventDefault();
    next.focus();
  }
}

if (searchable) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    open();
  });
  document.addEventListener("keydown", (event) => {
    const types = event.target.closest?.("input, textarea, select");
    const combined = event.key === "k" && (event.ctrlKey || event.metaKey);
    if (combined || (event.key === "/" && !types && !event.ctrlKey && !event.metaKey && !event.altKey)) {
      event.preventDefault();
      open();
    }
  });
  input.addEventListener("input", search);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") list.querySelector("a")?.click();
  });
  finder.addEventListener("keydown", step);
  finder.addEventListener("click", (event) => {
    if (event.target === finder || event.target.closest("a")) finder.close();
  });
}

// ---------------------------------------------------------------------------------------------------- code
for (const block of document.querySelectorAll(".code")) {
  const button = make("button", { type: "button", textContent: "Copy" });
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.querySelector("code").textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  if (navigator.clipboard) block.append(button);
}

// A language that is chosen for one call is chosen for all of the page.
document.addEventListener("change", (event) => {
  if (!event.target.matches(".calls input")) return;
  const place = event.target.getBoundingClientRect().top;
  const chosen = document.querySelector(`label[for="${event.target.id}"]`).textContent;
  for (const label of document.querySelectorAll(".calls label")) {
    if (label.textContent === chosen) label.control.checked = true;
  }
  scrollBy(0, event.target.getBoundingClientRect().top - place);
});

// ---------------------------------------------------------------------------------------------------- headings
const marks = new Map([...document.querySelectorAll("#manual-headings a")].map((mark) => [decodeURIComponent(mark.hash.slice(1)), mark]));
const headings = [...marks.keys()].map((id) => document.getElementById(id)).filter(Boolean);

function markHeading() {
  const limit = 120; // pixels: below the head of the page
  const passed = headings.filter((heading) => heading.getBoundingClientRect().top < limit).at(-1) ?? headings[0];
  for (const [id, mark] of marks) {
    if (id === passed?.id) mark.setAttribute("aria-current", "true");
    else mark.removeAttribute("aria-current");
  }
}

if (headings.length) {
  addEventListener("scroll", markHeading, { passive: true });
  markHeading();
}
for (const menu of document.querySelectorAll("[popover]")) {
  menu.addEventListener("click", (event) => event.target.closest("a") && menu.matches(":popover-open") && menu.hidePopover());
}
document.querySelector("#manual-pages [aria-current]")?.scrollIntoView({ block: "nearest" });
