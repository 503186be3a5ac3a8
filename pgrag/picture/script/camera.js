// Where one stands: the point of the graph in the middle of the free area, and how near. Flights take a moment.

const FARTHEST = 0.05;
const NEAREST = 6;
const NEAREST_FIT = 2.2;
const FLIGHT_MS = 480;

class Camera {
  constructor() {
    Object.assign(this, { x: 0, y: 0, scale: 1, width: 1, height: 1, flight: null, isMoved: false });
    this.insets = { left: 0, right: 0, top: 0, bottom: 0 };
  }

  /** The middle of what no panel covers, in CSS pixels. */
  get middle() {
    const { left, right, top, bottom } = this.insets;
    return { x: (left + this.width - right) / 2, y: (top + this.height - bottom) / 2 };
  }

  /** The box of the window that no panel covers. */
  get freeBox() {
    const { left, right, top, bottom } = this.insets;
    return { left, right: this.width - right, top, bottom: this.height - bottom };
  }

  toScreenX(x) {
    return (x - this.x) * this.scale + this.middle.x;
  }

  toScreenY(y) {
    return (y - this.y) * this.scale + this.middle.y;
  }

  toWorld(screenX, screenY) {
    const middle = this.middle;
    return { x: (screenX - middle.x) / this.scale + this.x, y: (screenY - middle.y) / this.scale + this.y };
  }

  /** How large something of this radius is drawn: nearer, distances grow faster than circles, so crowds open up. */
  radiusOnScreen(radius) {
    const grown = this.scale <= 1 ? this.scale : Math.sqrt(this.scale);
    return Math.max(1.6, radius * grown);
  }

  panBy(dx, dy) {
    this.isMoved = true;
    this.flight = null;
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
  }

  /** Nearer (factor above 1) or farther, while the point under (screenX, screenY) stays where it is. */
  zoomAt(screenX, screenY, factor) {
    this.isMoved = true;
    this.flight = null;
    const before = this.toWorld(screenX, screenY);
    this.scale = clamp(this.scale * factor, FARTHEST, NEAREST);
    const after = this.toWorld(screenX, screenY);
    this.x += before.x - after.x;
    this.y += before.y - after.y;
  }

  zoomInPlace(factor) {
    this.flyTo({ x: this.x, y: this.y, scale: (this.flight?.to.scale ?? this.scale) * factor });
  }

  /** Keeps the graph still on the screen while the free area changes. */
  setFrame(width, height, insets) {
    const before = this.middle;
    Object.assign(this, { width, height, insets });
    this.x += (this.middle.x - before.x) / this.scale;
    this.y += (this.middle.y - before.y) / this.scale;
  }

  /** The standpoint from which a box of the graph fills the free area. */
  fitting(box) {
    const { left, right, top, bottom } = this.insets;
    const across = (this.width - left - right) / Math.max(box.right - box.left, 1);
    const down = (this.height - top - bottom) / Math.max(box.bottom - box.top, 1);
    const scale = clamp(Math.min(across, down), FARTHEST, NEAREST_FIT);
    return { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2, scale };
  }

  /** Stands at a place at once, and counts as not moved from there. */
  jumpTo(place) {
    this.flight = null;
    this.isMoved = false;
    Object.assign(this, place);
  }

  flyTo(place) {
    this.isMoved = true;
    const to = { ...place, scale: clamp(place.scale, FARTHEST, NEAREST) };
    if (reducedMotion.matches) Object.assign(this, to);
    else this.flight = { from: { x: this.x, y: this.y, scale: this.scale }, to, start: performance.now() };
  }

  /** Goes on with a flight, if one is under way. */
  advance(now) {
    if (!this.flight) return;
    const { from, to, start } = this.flight;
    const done = clamp((now - start) / FLIGHT_MS, 0, 1);
    const eased = done < 0.5 ? 4 * done ** 3 : 1 - (2 - 2 * done) ** 3 / 2;
    this.x = from.x + (to.x - from.x) * eased;
    this.y = from.y + (to.y - from.y) * eased;
    this.scale = from.scale * (to.scale / from.scale) ** eased;
    if (done >= 1) this.flight = null;
  }
}

function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}
