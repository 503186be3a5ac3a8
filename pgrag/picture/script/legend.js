// The legend: one line for each coloured type, one for all the grey ones; a click leaves a line's entities out.

class Legend {
  constructor(graph, view) {
    Object.assign(this, { view, root: document.getElementById("legend") });
    this.rows = legendRows(graph.types).map((row) => ({ ...row, button: this.button(row) }));
    this.showAll = element("button", "show-all", "Show all types");
    this.showAll.type = "button";
    this.showAll.addEventListener("click", () => this.toggle(graph.types, false));
    const list = element("ul", "", this.rows.map((row) => element("li", "", [row.button])));
    this.root.replaceChildren(list, this.showAll);
    view.onChange((changed) => changed.includes("types") && this.refresh());
    this.refresh();
  }

  button({ label, types, entities }) {
    const number = element("span", "number", entities.toLocaleString("en"));
    const made = element("button", "", [dot(types[0]), dataText("span", "name", label), number]);
    made.type = "button";
    made.addEventListener("click", () => this.toggle(types, !types[0].isHidden));
    for (const start of ["pointerenter", "focus"]) made.addEventListener(start, () => this.point(types));
    for (const end of ["pointerleave", "blur"]) made.addEventListener(end, () => this.point(null));
    return made;
  }

  toggle(types, isHidden) {
    for (const type of types) this.view.setHidden(type, isHidden);
    this.point(isHidden ? null : this.view.pointedType);
  }

  /** Lights the entities of a line while it is pointed at; a line that is left out has none to light. */
  point(types) {
    this.view.set({ pointedType: types && !types[0].isHidden ? new Set(types) : null });
  }

  refresh() {
    for (const { types, button } of this.rows) button.setAttribute("aria-pressed", String(!types[0].isHidden));
    this.showAll.hidden = this.rows.every(({ types }) => !types[0].isHidden);
  }
}

/** Lines of {label, types, entities}: the coloured types as they come, then the grey ones together. */
function legendRows(types) {
  const coloured = types.filter((type) => type.slot >= 0);
  const grey = types.filter((type) => type.slot < 0);
  const rows = coloured.map((type) => ({ label: type.label, types: [type], entities: type.count }));
  if (grey.length === 0) return rows;
  const label = grey.length === 1 ? grey[0].label : `${grey.length} other types`;
  return [...rows, { label, types: grey, entities: grey.reduce((sum, type) => sum + type.count, 0) }];
}
