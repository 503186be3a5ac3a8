// The keyboard: slash searches, Escape closes, and on the canvas arrows move, plus, minus and 0 zoom.

const ARROW_STEP = 60;
const ARROWS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function listenToKeyboard(canvas, picture, search, panel) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key === "Escape" && panel.isOpen) panel.close();
    else if (event.key === "/" && !isTyping) search.focus();
    else return;
    event.preventDefault();
  });
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !moveByKey(event.key, picture)) return;
    event.preventDefault();
    picture.wake();
  });
}

/** Does what a key says on the canvas; false when it says nothing. */
function moveByKey(key, picture) {
  const { camera } = picture;
  if (key in ARROWS) camera.panBy(ARROWS[key][0] * ARROW_STEP, ARROWS[key][1] * ARROW_STEP);
  else if (key === "+" || key === "=") camera.zoomInPlace(1.5);
  else if (key === "-") camera.zoomInPlace(1 / 1.5);
  else if (key === "0") picture.fit();
  else return false;
  return true;
}
