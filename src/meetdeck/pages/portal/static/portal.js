// What a portal's pages do beyond plain forms: the time that is left of a hold, and news for the page around a frame.

const LAST_MINUTE = 60;

function countDown(panel) {
  const shown = panel.querySelector(".countdown");
  const notice = panel.querySelector(".notice");
  const endsAt = performance.now() + Number(panel.dataset.seconds) * 1000;
  let warned = false;

  function tick() {
    const left = Math.max(0, Math.ceil((endsAt - performance.now()) / 1000));
    const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    shown.textContent = `(${panel.dataset.left.replace("{time}", time)})`;
    if (left === 0) {
      shown.textContent = "";
      notice.textContent = panel.dataset.ended;
      return;
    }
    if (left <= LAST_MINUTE && !warned) {
      warned = true;
      notice.textContent = panel.dataset.warning;
    }
    setTimeout(tick, 1000);
  }
  tick();
}

// A hold is of the page that a browser shows: one that comes back from its memory has an old time on it.
function reloadWhenRestored(event) {
  if (event.persisted && document.querySelector(".hold")) location.reload();
}

// The origins that are told: the one that shows the frame, if it may; all that may, where browsers do not say which.
function listEmbedders() {
  const schemes = location.protocol === "https:" ? ["https"] : ["https", "http"];
  const hosts = document.body.dataset.embedders.split(" ").filter(Boolean);
  const allowed = hosts.flatMap((host) => schemes.map((scheme) => new URL(`${scheme}://${host}`).origin));
  const embedder = location.ancestorOrigins?.[0];
  return embedder === undefined ? allowed : allowed.filter((origin) => origin === embedder);
}

function tellEmbedder() {
  document.documentElement.classList.add("framed");
  const origins = listEmbedders();
  const post = (message) => {
    for (const origin of origins) window.parent.postMessage(message, origin);
  };
  const measure = () => Math.ceil(document.documentElement.getBoundingClientRect().height);
  const tellHeight = () => {
    const height = measure();
    post({ source: "meetdeck", type: "height", height });
    post({ type: "iframe-resized", height }); // what @open-iframe-resizer/core listens for
  };
  new ResizeObserver(tellHeight).observe(document.documentElement);
  window.addEventListener("message", (event) => {
    if (event.data?.type === "iframe-child-init" && origins.includes(event.origin)) tellHeight();
  });
  const { event, meeting } = document.body.dataset;
  if (event === "booked") post({ source: "meetdeck", type: "booked", meetingId: meeting });
  if (event === "closed") post({ source: "meetdeck", type: "closed" });
  const close = document.querySelector("button.close");
  if (close) {
    close.hidden = false;
    close.addEventListener("click", () => post({ source: "meetdeck", type: "closed" }));
  }
}

// What was booked is told once, also when the page is loaded again.
function forgetEvent() {
  const address = new URL(location.href);
  if (!address.searchParams.has("booked")) return;
  address.searchParams.delete("booked");
  history.replaceState(null, "", address);
}

// Browsers do not follow `autofocus` in frames of other sites.
function focusStart() {
  if (document.activeElement === document.body) document.querySelector("[data-focus]")?.focus();
}

// A form that is sent twice by a double click is sent once.
function sendOnce(event) {
  if (event.target.dataset.sent) event.preventDefault();
  else event.target.dataset.sent = "yes";
}

// Where the browser's clock is the page's, the name of the zone says nothing.
function hideOwnZone() {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const shown of document.querySelectorAll("[data-zone]")) shown.hidden = shown.dataset.zone === own;
}

for (const panel of document.querySelectorAll(".hold")) countDown(panel);
hideOwnZone();
document.addEventListener("submit", sendOnce);
window.addEventListener("pageshow", (event) => {
  for (const form of document.forms) delete form.dataset.sent;
  reloadWhenRestored(event);
});
if (window.parent !== window) {
  window.addEventListener("load", () => setTimeout(focusStart, 50));
  tellEmbedder();
}
forgetEvent();
