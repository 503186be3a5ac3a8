// Building the page around the canvas. What comes from data is only ever set as text, never read as HTML.

/** A new element: its tag, its classes, its text or its children. */
function element(tag, className, content = []) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...(Array.isArray(content) ? content : [content]));
  return made;
}

/** Text of the data, which may be of any script: its own first letter decides its direction. */
function dataText(tag, className, text) {
  const made = element(tag, className, text);
  made.dir = "auto";
  return made;
}

/** The dot in a type's colour. */
function dot(type) {
  const made = element("span", `dot ${typeClass(type)}`);
  made.setAttribute("aria-hidden", "true");
  return made;
}

function count(number, one, many) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}
