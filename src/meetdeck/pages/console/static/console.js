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

// What was done is told in one bar, which can be put away.
for (const bar of document.querySelectorAll("[data-said]")) {
  const close = bar.querySelector("[data-close]");
  close.hidden = false;
  close.addEventListener("click", () => bar.remove());
}

// A sheet below its button closes by Escape, and by a click elsewhere.
addEventListener("click", (event) => {
  for (const sheet of document.querySelectorAll("[data-sheet][open]")) if (!sheet.contains(event.target) && event.target.isConnected) sheet.open = false;
});
addEventListener("keydown", (event) => {
  const sheet = event.key === "Escape" && document.querySelector("[data-sheet][open]");
  if (!sheet) return;
  sheet.open = false;
  sheet.querySelector("summary").focus();
});

// Loads the page again after a drag or a booking: it then says what was done, and what can be done about it.
function showDone(deed, meeting) {
  const page = new URL(location.href);
  for (const name of ["booked", "cancelled", "moved", "undone", "late"]) page.searchParams.delete(name);
  page.searchParams.set(deed, meeting);
  page.searchParams.set("at", Math.floor(Date.now() / 1000));
  location.replace(page);
}

// What a calendar's drag was refused for; `again` is what a button then does, if the user only has to agree.
function tellRefused(detail, again) {
  const refused = document.querySelector("[data-refused]");
  const button = refused.querySelector("button");
  refused.hidden = !detail;
  refused.querySelector("p").textContent = detail;
  button.hidden = !again;
  button.onclick = again ?? null;
  if (detail) refused.scrollIntoView({ block: "nearest" });
  if (again) button.focus();
}

// A drag is the same as "Move…": the firm's rules decide. Returns whether the meeting is moved.
async function dragMeeting(place, meeting, sent, failed) {
  const answer = await fetch(`${place}/calendar/meetings/${meeting}/drag`, { method: "POST", body: sent }).catch(() => null);
  if (answer?.ok) { showDone("moved", meeting); return true; }
  const told = await answer?.json().catch(() => null);
  const again = () => { sent.set("sure", told.detail); dragMeeting(place, meeting, sent, failed); };
  tellRefused(told?.detail ?? failed, told?.canAgree ? again : null);
  return false;
}

// Keys: Ctrl+K finds, `g` and a letter go to a part, a letter presses what the page has for it, `?` lists them. Without
// scripts there are the same links.
{
  const palette = document.querySelector("[data-palette]");
  const found = palette?.querySelector("[data-found]");
  const asked = palette?.querySelector("input");
  const keyList = document.querySelector("[data-keys]");
  let goes = 0;

  function openPalette() {
    if (!palette || palette.open) return;
    asked.value = "";
    palette.showModal();
    asked.dispatchEvent(new CustomEvent("look")); // htmx asks for the list
  }

  if (found) new MutationObserver(() => found.querySelector("a")?.classList.add("first")).observe(found, { childList: true });
  palette?.querySelector("form").addEventListener("submit", (event) => {
    const first = found.querySelector("a");
    if (!first || found.querySelector("[data-query]")?.dataset.query !== asked.value.trim()) return; // the page answers
    event.preventDefault();
    first.click();
  });
  palette?.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const links = [...found.querySelectorAll("a")];
    const next = links.indexOf(document.activeElement) + step;
    (document.activeElement === asked && step > 0 ? links[1] ?? links[0] : links[next] ?? asked)?.focus();
  });
  found?.addEventListener("focusin", () => found.querySelector(".first")?.classList.remove("first"));
  for (const dialog of [palette, keyList]) dialog?.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  document.querySelector("[data-find]")?.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openPalette();
  });

  addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      openPalette();
      return;
    }
    const types = event.target.closest?.("input, select, textarea, [contenteditable], dialog");
    if (types || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.key === "?") keyList?.showModal();
    const kind = Date.now() - goes < 1500 ? "key" : "shortcut";
    const entry = /^[a-z]$/.test(event.key) && document.querySelector(`[data-${kind}="${event.key}"]`);
    goes = event.key === "g" ? Date.now() : 0;
    if (entry) entry.click();
  });
}
