// A quadtree over all nodes, rebuilt at every step of the layout: far crowds push as one (Barnes and Hut, 1986).
//
// A child is 0 when empty, c for cell c (the root, cell 0, is nobody's child), and -(b + 1) for body b. Bodies that
// cannot be told apart after DEEPEST halvings share a leaf, as a list through `next`.

const DEEPEST = 22;
const OPENING_SQUARED = 0.81;
const NEAREST_SQUARED = 9;

class Quadtree {
  constructor(bodies) {
    const cells = 1 + bodies * DEEPEST;
    this.child = new Int32Array(cells * 4);
    this.size = new Float64Array(cells);
    this.mass = new Float64Array(cells);
    this.massX = new Float64Array(cells);
    this.massY = new Float64Array(cells);
    this.next = new Int32Array(bodies).fill(-1);
    this.stack = new Int32Array(DEEPEST * 4 + 4);
    this.push = { x: 0, y: 0 };
  }

  /** Takes the bodies in; x, y and mass are read until the next build. */
  build(x, y, mass) {
    Object.assign(this, { x, y, bodyMass: mass });
    this.next.fill(-1);
    this.setRoot();
    for (let body = 0; body < x.length; body++) this.insert(body);
    this.weigh();
  }

  setRoot() {
    let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
    for (let body = 0; body < this.x.length; body++) {
      left = Math.min(left, this.x[body]);
      right = Math.max(right, this.x[body]);
      top = Math.min(top, this.y[body]);
      bottom = Math.max(bottom, this.y[body]);
    }
    this.centreX = (left + right) / 2;
    this.centreY = (top + bottom) / 2;
    this.count = 0;
    this.addCell(Math.max(right - left, bottom - top, 1) * 1.01);
  }

  addCell(size) {
    const cell = this.count++;
    this.size[cell] = size;
    this.child.fill(0, cell * 4, cell * 4 + 4);
    return cell;
  }

  insert(body) {
    let cell = 0, centreX = this.centreX, centreY = this.centreY;
    for (let depth = 1; ; depth++) {
      const slot = cell * 4 + this.quadrant(body, centreX, centreY);
      const quarter = this.size[cell] / 4;
      centreX += slot & 1 ? quarter : -quarter;
      centreY += slot & 2 ? quarter : -quarter;
      const found = this.child[slot];
      if (found <= 0 && (found === 0 || depth >= DEEPEST)) {
        this.next[body] = -found - 1;
        this.child[slot] = -(body + 1);
        return;
      }
      cell = found > 0 ? found : this.split(slot, quarter * 2, centreX, centreY);
    }
  }

  quadrant(body, centreX, centreY) {
    return (this.x[body] > centreX ? 1 : 0) + (this.y[body] > centreY ? 2 : 0);
  }

  /** Puts a cell where a single body was, and the body into it. */
  split(slot, size, centreX, centreY) {
    const settled = this.child[slot];
    const cell = this.addCell(size);
    this.child[slot] = cell;
    this.child[cell * 4 + this.quadrant(-settled - 1, centreX, centreY)] = settled;
    return cell;
  }

  /** Mass and centre of mass of every cell; children come after their parents, so backwards. */
  weigh() {
    for (let cell = this.count - 1; cell >= 0; cell--) {
      let mass = 0, massX = 0, massY = 0;
      for (let slot = cell * 4; slot < cell * 4 + 4; slot++) {
        const child = this.child[slot];
        if (child > 0) {
          mass += this.mass[child];
          massX += this.massX[child] * this.mass[child];
          massY += this.massY[child] * this.mass[child];
        }
        for (let body = child < 0 ? -child - 1 : -1; body >= 0; body = this.next[body]) {
          mass += this.bodyMass[body];
          massX += this.x[body] * this.bodyMass[body];
          massY += this.y[body] * this.bodyMass[body];
        }
      }
      this.mass[cell] = mass;
      this.massX[cell] = massX / mass;
      this.massY[cell] = massY / mass;
    }
  }

  /** How hard all others push this body: a vector, falling with distance. The same object is returned every time. */
  pushOn(body) {
    const { child, size, stack, push } = this;
    push.x = push.y = 0;
    let top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const cell = stack[--top];
      const dx = this.x[body] - this.massX[cell], dy = this.y[body] - this.massY[cell];
      const squared = dx * dx + dy * dy;
      if (size[cell] * size[cell] < OPENING_SQUARED * squared) {
        push.x += (dx * this.mass[cell]) / squared;
        push.y += (dy * this.mass[cell]) / squared;
        continue;
      }
      for (let slot = cell * 4; slot < cell * 4 + 4; slot++) {
        if (child[slot] > 0) stack[top++] = child[slot];
        else if (child[slot] < 0) this.pushFromLeaf(body, -child[slot] - 1);
      }
    }
    return push;
  }

  pushFromLeaf(body, first) {
    for (let other = first; other >= 0; other = this.next[other]) {
      if (other === body) continue;
      // Two bodies on one spot part along a line of their own, the same at every run.
      const dx = this.x[body] - this.x[other] || (body - other) * 1e-3;
      const dy = this.y[body] - this.y[other] || (other - body) * 1e-3;
      const squared = Math.max(dx * dx + dy * dy, NEAREST_SQUARED);
      this.push.x += (dx * this.bodyMass[other]) / squared;
      this.push.y += (dy * this.bodyMass[other]) / squared;
    }
  }
}
