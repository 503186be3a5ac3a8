// Mouse, pen and fingers: drag the ground to move, a node to pull it, wheel or two fingers to zoom, click to choose.

const CLICK_SLACK = 4;
const TOUCH_SLACK = 10;

class Pointer {
  constructor(canvas, picture) {
    Object.assign(this, { canvas, picture, held: new Map(), dragged: null, isClick: false, spread: 0 });
    canvas.addEventListener("pointerdown", (event) => this.onDown(event));
    canvas.addEventListener("pointermove", (event) => this.onMove(event));
    canvas.addEventListener("pointerup", (event) => this.onUp(event));
    canvas.addEventListener("pointercancel", (event) => this.onUp(event));
    canvas.addEventListener("pointerleave", () => picture.view.set({ hovered: null }));
    canvas.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
  }

  onDown(event) {
    if (event.button !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.isClick = this.held.size === 1;
    this.start = { x: event.clientX, y: event.clientY };
    this.dragged = this.isClick ? this.nodeAt(event) : null;
    this.spread = this.fingerSpread();
  }

  onMove(event) {
    const before = this.held.get(event.pointerId);
    if (!before) return this.hover(event);
    this.held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.held.size === 2) return this.pinch(event, before);
    const moved = Math.hypot(event.clientX - this.start.x, event.clientY - this.start.y);
    if (this.isClick && moved <= this.slack(event)) return;
    this.isClick = false;
    if (this.dragged) this.picture.drag(this.dragged, event.clientX, event.clientY);
    else this.pan(event.clientX - before.x, event.clientY - before.y);
  }

  onUp(event) {
    if (!this.held.delete(event.pointerId)) return;
    this.picture.layout.letGo();
    if (this.isClick && event.type === "pointerup") this.picture.view.select(this.dragged);
    Object.assign(this, { dragged: null, isClick: false, spread: this.fingerSpread() });
    this.canvas.style.cursor = "";
  }

  hover(event) {
    if (event.pointerType === "touch") return;
    const hovered = this.nodeAt(event);
    this.canvas.style.cursor = hovered ? "pointer" : "";
    this.picture.view.set({ hovered });
  }

  pan(dx, dy) {
    this.canvas.style.cursor = "grabbing";
    this.picture.camera.panBy(dx, dy);
    this.picture.wake();
  }

  pinch(event, before) {
    const [a, b] = [...this.held.values()];
    const spread = this.fingerSpread();
    this.picture.camera.panBy((event.clientX - before.x) / 2, (event.clientY - before.y) / 2);
    this.picture.camera.zoomAt((a.x + b.x) / 2, (a.y + b.y) / 2, spread / Math.max(this.spread, 1));
    this.spread = spread;
    this.picture.wake();
  }

  fingerSpread() {
    const [a, b] = [...this.held.values()];
    return b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }

  onWheel(event) {
    event.preventDefault();
    const unit = [1, 30, 400][event.deltaMode];
    const speed = event.ctrlKey ? 0.01 : 0.0016; // a trackpad's pinch comes as small steps with ctrl
    this.picture.camera.zoomAt(event.clientX, event.clientY, Math.exp(-clamp(event.deltaY * unit, -300, 300) * speed));
    this.picture.wake();
  }

  slack(event) {
    return event.pointerType === "touch" ? TOUCH_SLACK : CLICK_SLACK;
  }

  /** The node under the pointer, or the nearest within reach. */
  nodeAt(event) {
    return this.picture.nodeAt(event.clientX, event.clientY, this.slack(event));
  }
}
