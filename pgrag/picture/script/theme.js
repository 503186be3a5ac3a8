// Colours and type live in picture.css, by day and by night; the canvas reads them from there.

/** The colours of the moment: {paper, ink, edge, accent, font, types}; grey is what any other slot gives. */
function readTheme() {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(name).trim();
  const slots = Array.from({ length: 12 }, (_, slot) => value(`--type-${slot}`));
  return {
    paper: value("--paper"),
    ink: value("--ink"),
    edge: value("--edge"),
    accent: value("--accent"),
    font: getComputedStyle(document.body).fontFamily,
    colourOf: (type) => slots[type.slot] ?? value("--type-grey"),
  };
}

/** The class that gives an element its type's colour. */
function typeClass(type) {
  return type.slot < 0 ? "type-grey" : `type-${type.slot}`;
}

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
