// Puts the graph on the canvas: edges, nodes, names, in that order.
//
// Many small paths, not one large: without a graphics card the strokes and circles are what a frame waits for, and
// trials on a busy machine leaned this way, though not at every run.

const FADE_MS = 160;
const STEPPED_BACK = 0.13;
const STROKES = [0.8, 1.2, 1.7];
const EDGES_PER_STROKE = 16;

class Painter {
  constructor(canvas, graph, layout, camera, view) {
    Object.assign(this, { canvas, graph, layout, camera, view });
    this.context = canvas.getContext("2d");
    this.labels = new Labels(graph);
    this.ranked = [...graph.nodes].sort((a, b) => b.degree - a.degree || a.index - b.index);
    this.edgesByStroke = edgesByStroke(graph.edges);
    this.screenX = new Float64Array(graph.nodes.length);
    this.screenY = new Float64Array(graph.nodes.length);
    Object.assign(this, { lit: null, litCentre: null, litStrength: 0, lastPaint: 0, drawn: { nodes: 0, edges: 0 } });
    this.setTheme(readTheme());
  }

  setTheme(theme) {
    this.theme = theme;
    this.colours = this.graph.types.map(theme.colourOf);
    this.labels.forget();
  }

  /** Fits the canvas to its box, at the screen's own resolution. */
  resize() {
    const ratio = window.devicePixelRatio || 1;
    const { width, height } = this.canvas.getBoundingClientRect();
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return { width, height };
  }

  /** True while a fade is under way. */
  get isFading() {
    return this.litStrength !== (this.view.focus ? 1 : 0);
  }

  paint(now) {
    this.fade(now);
    this.project();
    this.context.globalAlpha = 1;
    this.context.clearRect(0, 0, this.camera.width, this.camera.height);
    const nodes = this.ranked.filter((node) => this.view.isShown(node) && this.isOnScreen(node));
    this.drawn = { nodes: nodes.length, edges: 0 };
    this.paintEdges();
    this.paintNodes(nodes);
    this.paintRings();
    this.paintLabels(nodes);
  }

  /** Brings the lit ones forward and back gently. What was lit is remembered until it has faded. */
  fade(now) {
    const { focus } = this.view;
    const step = reducedMotion.matches ? 1 : clamp((now - this.lastPaint) / FADE_MS, 0, 0.4);
    this.lastPaint = now;
    if (focus) Object.assign(this, { lit: focus, litCentre: this.view.centre });
    this.litStrength = clamp(this.litStrength + (focus ? step : -step), 0, 1);
    if (this.litStrength === 0) Object.assign(this, { lit: null, litCentre: null });
    this.dimmed = 1 - (1 - STEPPED_BACK) * this.litStrength;
  }

  project() {
    for (let index = 0; index < this.screenX.length; index++) {
      this.screenX[index] = this.camera.toScreenX(this.layout.x[index]);
      this.screenY[index] = this.camera.toScreenY(this.layout.y[index]);
    }
  }

  isOnScreen({ index, radius }) {
    const reach = this.camera.radiusOnScreen(radius) + 4;
    const x = this.screenX[index], y = this.screenY[index];
    return x > -reach && y > -reach && x < this.camera.width + reach && y < this.camera.height + reach;
  }

  isLit(node) {
    return this.lit === null || this.lit.has(node);
  }

  isLitEdge({ source, target }) {
    if (this.litCentre) return source === this.litCentre || target === this.litCentre;
    return this.lit !== null && this.lit.has(source) && this.lit.has(target);
  }

  paintEdges() {
    const { context, theme } = this;
    context.strokeStyle = theme.edge;
    context.globalAlpha = 1 - 0.7 * this.litStrength;
    this.strokeAll(false, 0);
    if (this.lit === null) return;
    context.strokeStyle = theme.ink;
    context.globalAlpha = 0.16 + (this.litCentre ? 0.2 : 0.06) * this.litStrength;
    this.strokeAll(true, 0.3);
  }

  strokeAll(isLit, broader) {
    const thinner = clamp(this.camera.scale, 0.6, 1.4);
    this.edgesByStroke.forEach((edges, rank) => {
      this.context.lineWidth = STROKES[rank] * thinner + broader;
      for (let start = 0; start < edges.length; start += EDGES_PER_STROKE) {
        this.strokeSome(edges, start, Math.min(start + EDGES_PER_STROKE, edges.length), isLit);
      }
    });
  }

  strokeSome(edges, start, end, isLit) {
    const { context, screenX, screenY, view } = this;
    context.beginPath();
    for (let index = start; index < end; index++) {
      const { source, target } = edges[index];
      if (!view.isShown(source) || !view.isShown(target) || this.isLitEdge(edges[index]) !== isLit) continue;
      context.moveTo(screenX[source.index], screenY[source.index]);
      context.lineTo(screenX[target.index], screenY[target.index]);
      this.drawn.edges++;
    }
    context.stroke();
  }

  /** Those that step back first, then the lit ones, with a thin rim of paper so that neighbours stay apart. */
  paintNodes(nodes) {
    const { context, theme } = this;
    context.lineWidth = 1;
    context.strokeStyle = theme.paper;
    for (const isLit of [false, true]) {
      context.globalAlpha = isLit ? 1 : this.dimmed;
      for (const node of nodes) if (this.isLit(node) === isLit) this.paintNode(node, isLit);
    }
  }

  paintNode(node, hasRim) {
    const { context } = this;
    context.fillStyle = this.colours[node.type.index];
    context.beginPath();
    this.addCircle(node, 0);
    context.fill();
    if (hasRim) context.stroke();
  }

  addCircle(node, wider) {
    const x = this.screenX[node.index], y = this.screenY[node.index];
    const radius = this.camera.radiusOnScreen(node.radius) + wider;
    this.context.moveTo(x + radius, y);
    this.context.arc(x, y, radius, 0, 2 * Math.PI);
  }

  paintRings() {
    const { selected, hovered, pointed } = this.view;
    if (selected) this.paintRing(selected, 2, 3.5);
    for (const node of [hovered, pointed]) if (node && node !== selected) this.paintRing(node, 1.5, 2.5);
  }

  paintRing(node, width, distance) {
    const { context, theme } = this;
    context.globalAlpha = 1;
    context.lineWidth = width;
    context.strokeStyle = theme.accent;
    context.beginPath();
    this.addCircle(node, distance);
    context.stroke();
  }

  paintLabels(nodes) {
    const { context, camera, theme } = this;
    const chosen = this.chosen(nodes);
    const spots = this.labelOrder(nodes, chosen).map((node) => ({
      node,
      x: this.screenX[node.index],
      y: this.screenY[node.index],
      radius: camera.radiusOnScreen(node.radius) + (node === this.view.selected ? 4 : 0),
      isFocus: this.lit !== null && this.lit.has(node),
      isChosen: chosen.includes(node),
    }));
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    for (const box of this.labels.place(context, spots, theme.font, camera.freeBox)) this.writeLabel(box);
  }

  /** The drawn nodes that the reader points at or has chosen. */
  chosen(nodes) {
    const { hovered, pointed, selected } = this.view;
    return [hovered, pointed, selected].filter((node) => node && nodes.includes(node));
  }

  /** Most important first: what is pointed at or chosen, what is lit, then by degree. */
  labelOrder(nodes, chosen) {
    const lit = this.lit ? nodes.filter((node) => this.lit.has(node)) : [];
    const rest = this.litStrength === 1 ? [] : nodes;
    return [...new Set([...chosen, ...lit, ...rest])];
  }

  writeLabel({ node, text, x, y, size }) {
    const { context, theme } = this;
    context.font = `500 ${size}px ${theme.font}`;
    context.globalAlpha = this.isLit(node) ? 1 : this.dimmed;
    context.lineWidth = 3;
    context.strokeStyle = theme.paper;
    context.strokeText(text, x, y);
    context.fillStyle = theme.ink;
    context.fillText(text, x, y);
  }
}

/** The edges in three lists, one for each stroke: broader are those said more often than is usual in this graph. */
function edgesByStroke(edges) {
  const usual = edges.reduce((sum, edge) => sum + edge.weight, 0) / edges.length;
  const rank = (edge) => (edge.weight > 2.2 * usual ? 2 : edge.weight > 1.2 * usual ? 1 : 0);
  return STROKES.map((_, wanted) => edges.filter((edge) => rank(edge) === wanted));
}
