// Copies a field or a text by a button, which is there only with scripts.
for (const button of document.querySelectorAll("[data-copy], [data-copy-text]")) {
  const field = button.dataset.copy ? document.getElementById(button.dataset.copy) : null;
  button.hidden = false;
  button.addEventListener("click", async () => {
    field?.select();
    await navigator.clipboard.writeText(field ? field.value : button.dataset.copyText);
    document.querySelector("[data-copy-state]").textContent = button.dataset.copied;
  });
}
