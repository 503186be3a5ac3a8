// The force layout: nodes push each other apart, edges pull, a light gravity keeps what is not connected in sight.
//
// Everything begins on a spiral and no chance is involved, so a graph looks the same each time it is opened. Heat
// falls from 1 at every tick; the picture is warmed up before it is first painted, and moves but little after that.

const WARM_UP_TICKS = 250;
const COOLING = 0.977;
const SETTLED_HEAT = 0.002;
const DRAG_HEAT = 0.12;
const FRICTION = 0.6;
const GRAVITY_X = 0.034;
const GRAVITY_Y = 0.044; // stronger than sideways: windows are wider than high
const MARGIN = 3;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

class Layout {
  constructor(graph) {
    const count = graph.nodes.length;
    this.graph = graph;
    this.x = new Float64Array(count);
    this.y = new Float64Array(count);
    this.vx = new Float64Array(count);
    this.vy = new Float64Array(count);
    this.radius = Float64Array.from(graph.nodes, (node) => node.radius);
    this.largest = this.radius.reduce((most, radius) => Math.max(most, radius), 0);
    this.isPinned = new Uint8Array(count);
    this.charge = Float64Array.from(graph.nodes, (node) => 10 + 2.2 * node.radius + 2 * node.links.length ** 0.75);
    this.gravity = gravityOf(graph);
    this.springs = graph.edges.filter((edge) => edge.source !== edge.target).map(makeSpring);
    this.byX = Int32Array.from(graph.nodes.keys());
    this.tree = new Quadtree(count);
    Object.assign(this, { gravityX: GRAVITY_X, gravityY: GRAVITY_Y, heat: 1, isHeld: false });
    this.placeOnSpiral();
  }

  /** The nodes with most relations in the middle, the others around them. */
  placeOnSpiral() {
    const ranked = [...this.graph.nodes].sort((a, b) => b.degree - a.degree || a.index - b.index);
    ranked.forEach((node, rank) => {
      const distance = 14 * Math.sqrt(rank + 0.5);
      this.x[node.index] = distance * Math.cos(rank * GOLDEN_ANGLE);
      this.y[node.index] = distance * Math.sin(rank * GOLDEN_ANGLE);
    });
    this.sortByX();
  }

  warmUp() {
    for (let tick = 0; tick < WARM_UP_TICKS; tick++) this.tick();
  }

  /** Turns the graph on its side, for windows that are higher than wide. */
  transpose() {
    [this.x, this.y, this.vx, this.vy] = [this.y, this.x, this.vy, this.vx];
    [this.gravityX, this.gravityY] = [this.gravityY, this.gravityX];
    this.sortByX();
  }

  sortByX() {
    this.byX.sort((a, b) => this.x[a] - this.x[b]);
  }

  get isSettled() {
    return this.graph.nodes.length === 0 || (this.heat < SETTLED_HEAT && !this.isHeld);
  }

  reheat() {
    this.heat = Math.max(this.heat, DRAG_HEAT);
  }

  /** Holds a node at a place until it is let go; it stays where it was put. */
  hold(node, x, y) {
    this.isPinned[node.index] = 1;
    this.isHeld = true;
    this.x[node.index] = x;
    this.y[node.index] = y;
    this.reheat();
  }

  letGo() {
    this.isHeld = false;
  }

  /** One step in time. */
  tick() {
    if (this.graph.nodes.length === 0) return;
    this.heat *= COOLING;
    if (this.isHeld) this.reheat();
    this.pull();
    this.pushApart();
    this.fall();
    this.move();
    this.separate();
  }

  pull() {
    const { x, y, vx, vy, heat } = this;
    for (const { source, target, length, strength, bias } of this.springs) {
      const dx = x[target] + vx[target] - x[source] - vx[source] || 1e-6;
      const dy = y[target] + vy[target] - y[source] - vy[source] || 1e-6;
      const distance = Math.hypot(dx, dy);
      const pull = ((distance - length) / distance) * strength * heat;
      vx[target] -= dx * pull * bias;
      vy[target] -= dy * pull * bias;
      vx[source] += dx * pull * (1 - bias);
      vy[source] += dy * pull * (1 - bias);
    }
  }

  pushApart() {
    this.tree.build(this.x, this.y, this.charge);
    for (let index = 0; index < this.x.length; index++) {
      const push = this.tree.pushOn(index);
      this.vx[index] += push.x * this.heat;
      this.vy[index] += push.y * this.heat;
    }
  }

  fall() {
    for (let index = 0; index < this.x.length; index++) {
      const gravity = this.gravity[index] * this.heat;
      this.vx[index] -= this.x[index] * this.gravityX * gravity;
      this.vy[index] -= this.y[index] * this.gravityY * gravity;
    }
  }

  move() {
    for (let index = 0; index < this.x.length; index++) {
      this.vx[index] *= FRICTION;
      this.vy[index] *= FRICTION;
      if (this.isPinned[index]) continue;
      this.x[index] += this.vx[index];
      this.y[index] += this.vy[index];
    }
  }

  /** Moves circles off each other. Swept from left to right: only those near in x are compared. */
  separate() {
    const { byX, x, y, radius } = this;
    insertionSort(byX, x);
    for (let i = 0; i < byX.length; i++) {
      const a = byX[i];
      const reach = radius[a] + this.largest + MARGIN;
      for (let j = i + 1; j < byX.length && x[byX[j]] - x[a] < reach; j++) {
        const distance = y[byX[j]] - y[a];
        if (distance < reach && distance > -reach) this.part(a, byX[j]);
      }
    }
  }

  /** Moves two circles apart if they overlap; the smaller gives way more. */
  part(a, b) {
    const { x, y, radius, isPinned } = this;
    const wanted = radius[a] + radius[b] + MARGIN;
    const dx = x[b] - x[a], dy = y[b] - y[a];
    const squared = dx * dx + dy * dy;
    if (squared >= wanted * wanted) return;
    const distance = Math.sqrt(squared) || 1e-6;
    const overlap = ((wanted - distance) / distance) * 0.5;
    const share = radius[b] ** 2 / (radius[a] ** 2 + radius[b] ** 2);
    if (!isPinned[a]) {
      x[a] -= dx * overlap * share;
      y[a] -= dy * overlap * share;
    }
    if (!isPinned[b]) {
      x[b] += dx * overlap * (1 - share);
      y[b] += dy * overlap * (1 - share);
    }
  }
}

/** An edge as a spring. Hubs hold their springs loosely, and move less than the leaves on them. */
function makeSpring({ source, target }) {
  const fewest = Math.min(source.links.length, target.links.length);
  return {
    source: source.index,
    target: target.index,
    length: 22 + source.radius + target.radius,
    strength: 1 / fewest,
    bias: source.links.length / (source.links.length + target.links.length),
  };
}

/** How strongly each node falls to the middle: up to three times as strongly in a small island, which would drift off. */
function gravityOf(graph) {
  const gravity = new Float64Array(graph.nodes.length);
  for (const start of graph.nodes) {
    if (gravity[start.index] > 0) continue;
    const island = islandOf(start);
    for (const node of island) gravity[node.index] = 1 + 2 / Math.sqrt(island.size);
  }
  return gravity;
}

/** The nodes that can be reached from one. */
function islandOf(start) {
  const island = new Set([start]);
  for (const node of island) for (const { other } of node.links) island.add(other);
  return island;
}

/** Sorts what is nearly sorted since the last tick. */
function insertionSort(indices, key) {
  for (let i = 1; i < indices.length; i++) {
    const moving = indices[i];
    let j = i - 1;
    for (; j >= 0 && key[indices[j]] > key[moving]; j--) indices[j + 1] = indices[j];
    indices[j + 1] = moving;
  }
}
