// Shows how far an upload is, and takes files that are dropped; without scripts the form works by itself.
const form = document.querySelector("[data-upload]");
const zone = form?.querySelector("[data-dropzone]");
const field = zone?.querySelector("input");

for (const name of ["dragenter", "dragover"]) {
  zone?.addEventListener(name, (event) => { event.preventDefault(); zone.classList.add("over"); });
}
zone?.addEventListener("dragleave", (event) => { if (!zone.contains(event.relatedTarget)) zone.classList.remove("over"); });
zone?.addEventListener("drop", (event) => {
  event.preventDefault();
  zone.classList.remove("over");
  if (event.dataTransfer.files.length === 0) return;
  field.files = event.dataTransfer.files;
  form.requestSubmit();
});

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  const sending = form.querySelector("[data-sending]");
  const progress = sending.querySelector("progress");
  const button = form.querySelector("button");
  const request = new XMLHttpRequest();
  const free = () => { sending.hidden = true; button.disabled = false; };
  sending.hidden = false;
  button.disabled = true;
  request.upload.addEventListener("progress", (sent) => { if (sent.lengthComputable) progress.value = (sent.loaded / sent.total) * 100; });
  request.upload.addEventListener("load", () => progress.removeAttribute("value")); // it is being checked
  request.addEventListener("error", () => { free(); form.submit(); });
  request.addEventListener("load", () => {
    const answered = new DOMParser().parseFromString(request.responseText, "text/html");
    const main = answered.querySelector("main");
    if (!main) { free(); form.submit(); return; }
    document.title = answered.title;
    document.querySelector("main").replaceWith(main);
    (main.querySelector("[data-focus]") ?? main).focus();
  });
  request.open("POST", form.action);
  request.send(new FormData(form));
});
