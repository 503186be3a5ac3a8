// What the reader is looking at: the chosen entity, the one under the pointer, what a search found, types left out.
//
// Everything that shows the graph reads this one object and is told when it changes.

class View {
  constructor(graph) {
    Object.assign(this, { graph, selected: null, hovered: null, pointed: null, pointedType: null, matches: null });
    this.listeners = [];
  }

  onChange(listener) {
    this.listeners.push(listener);
  }

  /** Changes some of it, and tells everybody which. */
  set(changes) {
    const changed = Object.keys(changes).filter((name) => this[name] !== changes[name]);
    if (changed.length === 0) return;
    Object.assign(this, changes);
    for (const listener of this.listeners) listener(changed);
  }

  /** Chooses a node, or none. A node of a type that was left out brings its type back. */
  select(node) {
    if (node?.type.isHidden) this.setHidden(node.type, false);
    this.set({ selected: node });
  }

  setHidden(type, isHidden) {
    type.isHidden = isHidden;
    for (const listener of this.listeners) listener(["types"]);
  }

  isShown(node) {
    return !node.type.isHidden;
  }

  /** The node whose neighbourhood is lit, if one is. */
  get centre() {
    if (this.hovered) return this.hovered;
    return this.pointedType || this.matches ? null : this.selected;
  }

  /** The nodes that are lit while the others step back; null when all are equal. */
  get focus() {
    const { centre } = this;
    if (centre) return new Set([centre, ...centre.links.map((link) => link.other)]);
    if (this.pointedType) return new Set(this.graph.nodes.filter((node) => this.pointedType.has(node.type)));
    return this.matches ? new Set(this.matches) : null;
  }
}
