// Browsers write days and times in fields by their own language: the label says the day in the page's words, and the
// time where the browser's clock has twelve hours.
{
  const language = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;
  const short = { weekday: "short", day: "numeric", month: "short" };
  const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const isOfTwelveHours = new Intl.DateTimeFormat(undefined, { hour: "numeric" }).resolvedOptions().hour12;
  const forms = { date: short, ...(isOfTwelveHours && { time: clock, "datetime-local": { ...short, ...clock } }) };

  function say(field) {
    const form = forms[field.type];
    const label = field.labels?.[0];
    if (!form || !label) return;
    if (field.value) label.dataset.shown = new Intl.DateTimeFormat(language, { ...form, timeZone: "UTC" }).format(field.valueAsNumber);
    else delete label.dataset.shown;
  }
  function sayAll(place) {
    for (const field of place.querySelectorAll("input")) say(field);
  }
  // A field may change another one of its form, and parts of a page come later.
  document.addEventListener("input", (event) => setTimeout(() => sayAll(event.target.form ?? document)));
  document.addEventListener("htmx:load", (event) => sayAll(event.target));
  addEventListener("pageshow", () => sayAll(document));
  sayAll(document);
}
