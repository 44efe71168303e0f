// The page of a watched template: it asks for the next state, and changes what is another, so that nothing jumps.

const RETRY_MILLISECONDS = 1000;
const WORDS = {
  checking: "Checking …",
  drawing: "Drawing the slides …",
  ready: "Up to date",
  broken: "No deck can be made of it; the pictures are those from before",
};
const file = document.getElementById("file");
const status = document.getElementById("status");
const remarks = document.getElementById("remarks");
const slides = document.getElementById("slides");

function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function showRemarks(list, found) {
  const known = JSON.stringify(found);
  if (list.dataset.known === known) return;
  list.dataset.known = known;
  list.replaceChildren(
    ...found.map(({ type, code, message, where }) => {
      const item = element("li", "", type);
      item.append(element("strong", type), " ", element("code", code));
      if (where) item.append(` ${where}`);
      item.append(element("p", message));
      return item;
    }),
  );
}

function makeSlide() {
  const item = element("li");
  item.append(element("h2"), element("div", "", "picture"), element("ul", "", "remarks"));
  return item;
}

function showPicture(place, slide) {
  const { picture } = slide;
  if (!picture) {
    if (place.dataset.note !== slide.note || place.firstElementChild?.tagName !== "P") {
      place.dataset.note = slide.note;
      place.replaceChildren(element("p", slide.note || "No picture.", "notice"));
    }
    return;
  }
  let image = place.querySelector("img");
  if (!image) {
    image = element("img");
    place.replaceChildren(image);
  }
  image.alt = `Slide ${slide.number}, ${slide.name}`;
  if (image.dataset.name === picture.name) return;
  image.dataset.name = picture.name;
  // The old picture stays until the new one can be shown at once.
  const next = new Image();
  next.onload = () => {
    if (image.dataset.name !== picture.name) return;
    image.width = picture.width;
    image.height = picture.height;
    image.src = next.src;
  };
  next.src = `pictures/${picture.name}`;
  if (!image.src) {
    image.width = picture.width;
    image.height = picture.height;
  }
}

function showSlides(found) {
  while (slides.children.length > found.length) slides.lastElementChild.remove();
  while (slides.children.length < found.length) slides.append(makeSlide());
  found.forEach((slide, index) => {
    const [heading, place, list] = slides.children[index].children;
    const number = slide.number ? `${slide.number}  ` : "";
    if (heading.textContent !== number + slide.name) heading.replaceChildren(element("span", number), slide.name);
    showPicture(place, slide);
    showRemarks(list, slide.remarks);
  });
}

function show(state) {
  document.title = `${state.file} · template`;
  document.body.className = state.status;
  file.textContent = state.file;
  const when = state.checked_at ? `, checked at ${new Date(state.checked_at).toLocaleTimeString()}` : "";
  status.textContent = WORDS[state.status] + when;
  showRemarks(remarks, state.remarks);
  showSlides(state.slides);
}

async function follow() {
  let version = 0;
  for (;;) {
    try {
      const answer = await fetch(`state?after=${version}`);
      if (!answer.ok) throw new Error(`${answer.status}`);
      const state = await answer.json();
      if (state.version !== version) show(state);
      version = state.version;
    } catch {
      document.body.className = "gone";
      status.textContent = "The command has ended; start it again, and open the address that it prints";
      version = 0;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MILLISECONDS));
    }
  }
}

follow();
