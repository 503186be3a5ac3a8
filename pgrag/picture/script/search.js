// The search box: a list that filters as one types, the graph dimmed to what was found.

const MOST_RESULTS = 12;
const NOT_FOUND = 5;

/** How well a node answers a folded query: 0 the name itself, then start, word, part, description; NOT_FOUND. */
function matchRank(node, query) {
  const { folded } = node;
  if (folded === query) return 0;
  if (folded.startsWith(query)) return 1;
  const at = folded.indexOf(query);
  if (at > 0) return /[\p{L}\p{N}]/u.test(folded[at - 1]) && !folded.includes(` ${query}`) ? 3 : 2;
  node.foldedDescription ??= fold(node.description);
  return node.foldedDescription.includes(query) ? 4 : NOT_FOUND;
}

/** The nodes that answer a query, best first, ties by degree. */
function findNodes(nodes, text) {
  const query = fold(text.trim());
  if (query === "") return [];
  return nodes
    .map((node) => ({ node, rank: matchRank(node, query) }))
    .filter(({ rank }) => rank < NOT_FOUND)
    .sort((a, b) => a.rank - b.rank || b.node.degree - a.node.degree || a.node.index - b.node.index)
    .map(({ node }) => node);
}

class Search {
  constructor(graph, view, travel) {
    Object.assign(this, { graph, view, travel, found: [], active: 0 });
    this.input = document.getElementById("search");
    this.list = document.getElementById("results");
    this.status = document.getElementById("found");
    this.input.addEventListener("input", () => this.filter());
    this.input.addEventListener("focus", () => this.filter());
    this.input.addEventListener("blur", () => this.close());
    this.input.addEventListener("keydown", (event) => this.onKey(event));
    this.list.addEventListener("pointerdown", (event) => this.onPick(event));
  }

  focus() {
    this.input.focus();
    this.input.select();
  }

  filter() {
    this.found = findNodes(this.graph.nodes, this.input.value);
    this.active = 0;
    const isAsked = this.input.value.trim() !== "";
    this.view.set({ matches: isAsked ? this.found : null });
    this.status.textContent = isAsked ? this.statusLine() : "";
    this.list.replaceChildren(...this.found.slice(0, MOST_RESULTS).map((node, index) => this.option(node, index)));
    this.setOpen(this.found.length > 0);
  }

  statusLine() {
    return this.found.length === 0 ? "None found" : `${this.found.length.toLocaleString("en")} found`;
  }

  option(node, index) {
    const kind = element("span", "kind", node.type.label);
    const made = element("li", "", [dot(node.type), dataText("span", "name", shorten(node.name)), kind]);
    Object.assign(made, { id: `result-${index}`, title: node.name.slice(0, 300) });
    made.setAttribute("role", "option");
    return made;
  }

  setOpen(isOpen) {
    this.list.hidden = !isOpen;
    this.input.setAttribute("aria-expanded", String(isOpen));
    this.markActive();
  }

  markActive() {
    [...this.list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === this.active)));
    const item = this.list.hidden ? null : this.list.children[this.active];
    item?.scrollIntoView({ block: "nearest" });
    if (item) this.input.setAttribute("aria-activedescendant", item.id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  close() {
    this.setOpen(false);
    this.status.textContent = "";
    this.view.set({ matches: null });
  }

  onKey(event) {
    const shown = this.list.children.length;
    if ((event.key === "ArrowDown" || event.key === "ArrowUp") && shown > 0) {
      event.preventDefault();
      this.active = (this.active + (event.key === "ArrowDown" ? 1 : shown - 1)) % shown;
      this.markActive();
    } else if (event.key === "Enter" && !event.isComposing && this.found.length > 0) {
      this.pick(this.active, true);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      this.input.value = "";
      this.input.blur();
    }
  }

  onPick(event) {
    const item = event.target.closest("li");
    event.preventDefault();
    if (item) this.pick([...this.list.children].indexOf(item), false);
  }

  pick(index, isByKey) {
    const node = this.found[index];
    this.input.blur();
    this.travel(node, { isByKey });
  }
}
