// Opens the page: puts its parts together, and keeps the address in step with what is chosen.

function main() {
  const canvas = document.getElementById("canvas");
  const graph = readGraph();
  const view = new View(graph);
  const panel = new Panel(view, travel);
  const search = new Search(graph, view, travel);
  new Legend(graph, view);
  const picture = new Picture(canvas, graph, view); // last: it looks at how much room the others leave
  new Pointer(canvas, picture);
  listenToKeyboard(canvas, picture, search, panel);
  document.getElementById("zoom-in").addEventListener("click", () => picture.zoom(1.5));
  document.getElementById("zoom-out").addEventListener("click", () => picture.zoom(1 / 1.5));
  document.getElementById("fit").addEventListener("click", () => picture.fit());
  picture.open();
  keepAddress(graph, picture);
  window.pgragPicture = inspector(graph, picture);

  /** Chooses a node and goes there; one who came by keyboard reads on in the panel. */
  function travel(node, { isByKey }) {
    const opener = document.activeElement === document.body ? search.input : document.activeElement;
    view.set({ pointed: null, hovered: null });
    view.select(node);
    picture.goTo(node);
    if (isByKey) panel.takeFocus(opener);
  }
}

/** `#entity-12` in the address is entity 12 chosen: it can be linked to, and the back button goes back. */
function keepAddress(graph, picture) {
  const byHash = new Map(graph.nodes.map((node) => [`#entity-${node.id}`, node]));
  const chosen = () => byHash.get(location.hash) ?? null;
  picture.view.onChange((changed) => {
    if (!changed.includes("selected") || chosen() === picture.view.selected) return;
    const { selected } = picture.view;
    history.pushState(null, "", selected ? `#entity-${selected.id}` : location.pathname + location.search);
  });
  const follow = () => {
    picture.view.select(chosen());
    if (chosen()) picture.goTo(chosen());
  };
  window.addEventListener("popstate", follow);
  if (chosen()) follow();
}

/** What a test, or a curious reader at the console, may ask. Places are CSS pixels of the window. */
function inspector(graph, picture) {
  const { layout, camera, painter, view } = picture;
  const named = (name) => graph.nodes.find((node) => node.name === name);
  return {
    nodeCount: graph.nodes.length,
    edgeCount: graph.edges.length,
    drawn: () => ({ ...painter.drawn }),
    labels: () => painter.labels.placed.map(({ text, left, right, top, bottom }) => ({ text, left, right, top, bottom })),
    placeOf: (name) => {
      const { index } = named(name);
      return { x: camera.toScreenX(layout.x[index]), y: camera.toScreenY(layout.y[index]) };
    },
    selected: () => view.selected?.name ?? null,
    lit: () => [...(view.focus ?? [])].map((node) => node.name),
    scale: () => camera.scale,
    isAtRest: () => !picture.isAwake,
    frames: () => [...picture.frames],
    stir: (heat) => {
      layout.heat = heat;
      picture.wake();
    },
  };
}

main();
