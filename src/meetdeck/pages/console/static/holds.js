// Counts down the times that are held: elements with `data-seconds`, shown as `data-text` says with {time} as 4:59.
// The last minute and the end are told in the element that `data-notice` names.

const LAST_MINUTE = 60;
const begun = performance.now();

function tell(shown, text) {
  const notice = document.getElementById(shown.dataset.notice ?? "");
  if (notice && notice.textContent !== text) notice.textContent = text;
}

function countDown() {
  for (const shown of document.querySelectorAll("[data-seconds]")) {
    const left = Math.max(0, Math.ceil(Number(shown.dataset.seconds) - (performance.now() - begun) / 1000));
    const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    shown.textContent = left > 0 ? shown.dataset.text.replace("{time}", time) : (shown.dataset.over ?? "");
    if (left === 0) tell(shown, shown.dataset.ended ?? "");
    else if (left <= LAST_MINUTE) tell(shown, shown.dataset.warning ?? "");
  }
}

countDown();
setInterval(countDown, 1000);
