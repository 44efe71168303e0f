// A meeting keeps its length: "To" follows "From", until somebody changes it.
const follows = document.querySelector("[data-follows]");

if (follows) {
  const { begin, end } = follows.form.elements;
  const minutes = (field) => { const [hours, rest] = field.value.split(":").map(Number); return hours * 60 + rest; };
  const two = (number) => String(number).padStart(2, "0");
  let before = minutes(begin);
  follows.value = "script";
  begin.addEventListener("input", () => {
    const now = minutes(begin);
    if (Number.isNaN(now)) return; // half typed
    const moved = minutes(end) + now - before;
    before = now;
    if (moved >= 0 && moved < 24 * 60) end.value = `${two(Math.floor(moved / 60))}:${two(moved % 60)}`;
  });
}
