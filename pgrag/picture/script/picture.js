// The picture as a whole: it is painted while something moves, and rests when nothing does.

const FREE_SPACE = 24;
const REMEMBERED_FRAMES = 240;

class Picture {
  constructor(canvas, graph, view) {
    Object.assign(this, { canvas, graph, view, frames: [], isAwake: false });
    this.layout = new Layout(graph);
    this.camera = new Camera();
    this.painter = new Painter(canvas, graph, this.layout, this.camera, this.view);
    this.view.onChange((changed) => this.onViewChange(changed));
    new ResizeObserver(() => this.resize()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.changeTheme());
  }

  /** Lays the graph out, and shows it whole. */
  open() {
    this.layout.warmUp();
    if (window.innerHeight > window.innerWidth) this.layout.transpose();
    this.resize();
  }

  /** Paints from the next frame on, until everything is at rest. */
  wake() {
    if (this.isAwake) return;
    this.isAwake = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  frame(now) {
    const start = performance.now();
    this.isAwake = false;
    if (!this.layout.isSettled) this.layout.tick();
    this.camera.advance(now);
    this.painter.paint(now);
    if (!this.layout.isSettled || this.camera.flight || this.painter.isFading) this.wake();
    this.frames.push({ at: now, work: performance.now() - start });
    if (this.frames.length > REMEMBERED_FRAMES) this.frames.shift();
  }

  onViewChange(changed) {
    if (changed.includes("selected")) {
      this.camera.setFrame(this.camera.width, this.camera.height, this.insets());
      if (this.view.selected) this.uncover(this.view.selected);
    }
    this.wake();
  }

  changeTheme() {
    this.painter.setTheme(readTheme());
    this.wake();
  }

  /** Follows the window. The graph stays fitted into it until the reader moves. */
  resize() {
    const { width, height } = this.painter.resize();
    this.camera.setFrame(width, height, this.insets());
    if (!this.camera.isMoved) this.camera.jumpTo(this.camera.fitting(this.bounds()));
    this.painter.paint(performance.now());
    this.wake();
  }

  /** How much of each side the page covers: the header on the left or on top, the panel on the right or below. */
  insets() {
    const side = document.querySelector(".side").getBoundingClientRect();
    const panel = document.getElementById("panel").getBoundingClientRect();
    const isNarrow = side.width > window.innerWidth / 2;
    const left = isNarrow ? 0 : side.right;
    const right = !isNarrow && panel.width > 0 ? window.innerWidth - panel.left : 0;
    const bottom = isNarrow && panel.height > 0 ? window.innerHeight - panel.top : 0;
    const covered = { left, right, top: isNarrow ? side.bottom : 0, bottom };
    return Object.fromEntries(Object.entries(covered).map(([name, size]) => [name, size + FREE_SPACE]));
  }

  /** The box around all shown nodes, with room for the names below them. */
  bounds() {
    const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
    for (const node of this.graph.nodes) {
      if (!this.view.isShown(node)) continue;
      const x = this.layout.x[node.index], y = this.layout.y[node.index];
      box.left = Math.min(box.left, x - node.radius);
      box.right = Math.max(box.right, x + node.radius);
      box.top = Math.min(box.top, y - node.radius);
      box.bottom = Math.max(box.bottom, y + node.radius);
    }
    return box.left <= box.right ? box : { left: -1, right: 1, top: -1, bottom: 1 };
  }

  fit() {
    this.camera.flyTo(this.camera.fitting(this.bounds()));
    this.wake();
  }

  zoom(factor) {
    this.camera.zoomInPlace(factor);
    this.wake();
  }

  /** Flies to a node, near enough to read the names around it. */
  goTo(node) {
    const scale = Math.max(this.camera.scale, 1.25);
    this.camera.flyTo({ x: this.layout.x[node.index], y: this.layout.y[node.index], scale });
    this.wake();
  }

  /** Brings a node into sight when the panel, or the edge of the window, hides it. */
  uncover({ index }) {
    const free = this.camera.freeBox;
    const x = this.camera.toScreenX(this.layout.x[index]), y = this.camera.toScreenY(this.layout.y[index]);
    const isFree = x >= free.left && x <= free.right && y >= free.top && y <= free.bottom;
    if (!isFree) this.camera.flyTo({ x: this.layout.x[index], y: this.layout.y[index], scale: this.camera.scale });
  }

  drag(node, screenX, screenY) {
    const { x, y } = this.camera.toWorld(screenX, screenY);
    this.layout.hold(node, x, y);
    this.wake();
  }

  /** The shown node at a point of the window, or the nearest within `slack` pixels of its rim; else null. */
  nodeAt(screenX, screenY, slack) {
    let nearest = null, least = slack;
    for (const node of this.graph.nodes) {
      const x = this.camera.toScreenX(this.layout.x[node.index]) - screenX;
      const y = this.camera.toScreenY(this.layout.y[node.index]) - screenY;
      const distance = Math.hypot(x, y) - this.camera.radiusOnScreen(node.radius);
      if (distance < least && this.view.isShown(node)) [nearest, least] = [node, distance];
    }
    return nearest;
  }
}
