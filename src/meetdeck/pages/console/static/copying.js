// Copies a field by a button, which is there only with scripts.
for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    await navigator.clipboard.writeText(field.value);
    document.querySelector("[data-copy-state]").textContent = button.dataset.copied;
  });
}
