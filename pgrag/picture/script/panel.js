// The side panel: what is known of the chosen entity, and the ways on from it.

class Panel {
  constructor(view, travel) {
    Object.assign(this, { view, travel, opener: null });
    this.root = document.getElementById("panel");
    this.body = document.getElementById("panel-body");
    document.getElementById("panel-close").addEventListener("click", () => this.close());
    view.onChange((changed) => changed.includes("selected") && this.show(view.selected));
  }

  get isOpen() {
    return !this.root.hidden;
  }

  show(node) {
    this.root.hidden = node === null;
    if (node) this.body.replaceChildren(this.head(node), ...this.description(node), ...this.relations(node));
    this.body.scrollTop = 0;
  }

  /** Moves the keyboard into the panel, and remembers where it came from. */
  takeFocus(opener) {
    this.opener = opener;
    document.getElementById("panel-name")?.focus({ preventScroll: true });
  }

  close() {
    const hadFocus = this.root.contains(document.activeElement);
    this.view.select(null);
    if (hadFocus) (this.opener ?? document.getElementById("canvas")).focus();
    this.opener = null;
  }

  head(node) {
    const name = dataText("h2", "", node.name);
    Object.assign(name, { id: "panel-name", tabIndex: -1 });
    const facts = element("p", "facts", [dot(node.type), node.type.label, element("span", "apart", this.degreeLine(node))]);
    return element("div", "head", [facts, name]);
  }

  degreeLine(node) {
    const all = count(node.degree, "relation", "relations");
    return node.links.length < node.degree ? `${all}, ${node.links.length.toLocaleString("en")} drawn` : all;
  }

  description(node) {
    const parts = paragraphs(node.description);
    if (parts.length === 0) return [element("p", "absent", "No description.")];
    return parts.map((part) => dataText("p", "description", part));
  }

  relations(node) {
    if (node.links.length === 0) return [];
    const list = element("ul", "relations", node.links.map((link) => this.relation(link)));
    return [element("h3", "", "Relations"), list];
  }

  relation({ edge, other }) {
    const name = element("span", "other", [dot(other.type), dataText("span", "name", other.name)]);
    const button = element("button", "", [name, ...this.keywords(edge), ...this.summary(edge)]);
    button.type = "button";
    button.addEventListener("click", (event) => this.travel(other, { isByKey: event.detail === 0 }));
    for (const start of ["pointerenter", "focus"]) button.addEventListener(start, () => this.point(other));
    for (const end of ["pointerleave", "blur"]) button.addEventListener(end, () => this.point(null));
    return element("li", "", [button]);
  }

  /** Rings the other end on the canvas, without lighting its neighbours. */
  point(node) {
    this.view.set({ pointed: node });
  }

  keywords(edge) {
    return edge.keywords.length === 0 ? [] : [dataText("span", "keywords", edge.keywords.join(" · "))];
  }

  summary(edge) {
    const text = paragraphs(edge.description).join(" ");
    return text === "" ? [] : [dataText("span", "summary", text)];
  }
}
