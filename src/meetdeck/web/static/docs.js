// The API page: both versions, ready to try out. ?version=v2 shows v2.
const root = new URL("../", document.currentScript.src); // where the installation is, also below a path prefix
const asked = new URLSearchParams(location.search).get("version") ?? "v3";
const version = asked === "v2" ? "v2" : "v3";
const address = new URL(`api/${version}/openapi.json`, root);

function showVersion() {
  document.title = `Meetdeck API ${version}`;
  document.getElementById("document").href = address;
  document.getElementById("collection").href = new URL(`api/${version}/postman.json`, root);
  document.querySelector(`[data-version=${version}]`).setAttribute("aria-current", "page");
  if (asked !== version) notify(`There is no version "${asked}". This is ${version}.`);
}

function notify(text) {
  const notice = document.getElementById("notice");
  notice.textContent = text;
  notice.hidden = false;
}

function followColorScheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", apply);
  apply();
}

// Swagger UI leaves some buttons and its filter without a name that a screen reader could say.
const NAMES = [
  [".opblock-control-arrow", "Show or hide this operation"],
  [".expand-operation", "Show or hide these operations"],
  [".copy-to-clipboard button, button.copy-to-clipboard", "Copy"],
  [".operation-filter-input", "Filter operations by tag"],
  [".models-control, .model-box-control, .json-schema-2020-12-accordion", null],
];

function nameControls() {
  for (const [selector, name] of NAMES) {
    for (const control of document.querySelectorAll(selector)) {
      const isNamed = control.getAttribute("aria-label") || control.textContent.trim();
      if (!isNamed) control.setAttribute("aria-label", name ?? "Show or hide");
    }
  }
}

// The manual leads here with the values of an example in the query string: each is that of a parameter of this name.
function fillIn(spec) {
  const operations = Object.values(spec.paths).flatMap((item) => Object.values(item));
  const shown = operations.find((operation) => location.hash.endsWith(`/${operation.operationId}`));
  if (!shown) return;
  const given = new URLSearchParams(location.search);
  shown.parameters = shown.parameters.map((parameter) => {
    const { $ref, ...own } = parameter;
    const whole = $ref ? { ...spec.components.parameters[$ref.split("/").at(-1)], ...own } : parameter;
    return whole.name !== "version" && given.has(whole.name) ? { ...whole, example: given.get(whole.name) } : whole;
  });
}

async function show() {
  const answer = await fetch(address);
  if (!answer.ok) return notify(`The OpenAPI document cannot be read: ${answer.status}. Load the page again.`);
  const spec = await answer.json();
  fillIn(spec);
  spec.servers = [{ url: root.href.replace(/\/$/, "") }]; // what is tried out here goes to where the page came from
  SwaggerUIBundle({
    spec,
    dom_id: "#api",
    deepLinking: true,
    docExpansion: "list",
    filter: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    persistAuthorization: true,
  });
  new MutationObserver(nameControls).observe(document.getElementById("api"), { childList: true, subtree: true });
}

showVersion();
followColorScheme();
show();
