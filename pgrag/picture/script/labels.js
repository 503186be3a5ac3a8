// Which names are written, and where: the most important first, each only where it covers no other name, and on the
// side of its node where it hides the fewest others.

const LONGEST_LABEL = 28;
const LABEL_AREA = 17000;
const TRIES = 4; // names looked at for each that may be written
const GAP = 4;
const BAND = 24;
const CORE = 0.7;
const COST_OF_CUT = 30;
const SIDES = ["below", "above", "right", "left"];

class Labels {
  constructor(graph) {
    this.texts = graph.nodes.map((node) => shorten(node.name));
    this.sides = new Array(graph.nodes.length).fill(0);
    this.widths = new Map();
    this.placed = [];
  }

  /** Forgets measured widths, after the font has changed. */
  forget() {
    this.widths.clear();
  }

  /**
   * Chooses places for the names of these {node, x, y, radius, isFocus, isChosen} spots, given most important first:
   * one for each LABEL_AREA of the free box, and the focused ones as far as they fit.
   * Returns boxes {node, text, x, y, size, left, right, top, bottom}; (x, y) is the middle of the text.
   */
  place(context, spots, font, free) {
    this.placed = [];
    this.bands = bandsOf(spots);
    const most = ((free.right - free.left) * (free.bottom - free.top)) / LABEL_AREA;
    spots.forEach((spot, rank) => {
      if (!spot.isFocus && (this.placed.length >= most || rank > most * TRIES)) return;
      const size = clamp(Math.round(9.5 + spot.radius * 0.28), 11, 16);
      const half = (this.widthAtHundred(context, spot.node, font) * size) / 200 + GAP;
      const box = this.freePlace(spot, half, size, free);
      if (box) this.placed.push({ ...box, node: spot.node, text: this.texts[spot.node.index], size });
    });
    return this.placed;
  }

  widthAtHundred(context, node, font) {
    const text = this.texts[node.index];
    if (!this.widths.has(text)) {
      context.font = `500 100px ${font}`;
      this.widths.set(text, context.measureText(text).width);
    }
    return this.widths.get(text);
  }

  /** The free side that covers the fewest nodes; null when names are everywhere, or more is covered than it is worth. */
  freePlace(spot, half, size, free) {
    const usual = this.sides[spot.node.index];
    let best = null, least = worth(spot);
    for (let side = 0; side < SIDES.length; side++) {
      const box = boxAt(SIDES[side], spot, half, size * 1.2);
      if (this.placed.some((other) => overlap(box, other))) continue;
      // A name stays on its side while the graph moves, unless another is clearly better.
      const cost = this.covered(box, spot) - (side === usual ? 5 : 0) + (isWithin(box, free) ? 0 : COST_OF_CUT);
      if (cost < least) [best, least, this.sides[spot.node.index]] = [box, cost, side];
    }
    return best;
  }

  /** How much of other nodes a box would hide, as the sum of their radii. */
  covered(box, spot) {
    const first = Math.floor(box.top / BAND);
    let sum = 0;
    for (let band = first; band <= Math.floor(box.bottom / BAND); band++) {
      for (const other of this.bands.get(band) ?? []) {
        if (other.left > box.right || other.right < box.left || other.top > box.bottom || other.bottom < box.top) continue;
        const isCounted = band > first && Math.floor(other.top / BAND) < band; // in the band above
        if (other.spot !== spot && !isCounted) sum += other.spot.radius;
      }
    }
    return sum;
  }
}

/** How much a name may hide: the more, the more important its node is. */
function worth({ node, isFocus, isChosen }) {
  if (isChosen) return Infinity;
  return 4 + node.radius ** 2 / 5 + (isFocus ? 8 : 0);
}

/** The cores of all nodes as boxes, by the horizontal bands of the window that they touch. */
function bandsOf(spots) {
  const bands = new Map();
  for (const spot of spots) {
    const reach = spot.radius * CORE;
    const box = { spot, left: spot.x - reach, right: spot.x + reach, top: spot.y - reach, bottom: spot.y + reach };
    for (let band = Math.floor(box.top / BAND); band <= Math.floor(box.bottom / BAND); band++) {
      if (!bands.has(band)) bands.set(band, []);
      bands.get(band).push(box);
    }
  }
  return bands;
}

function boxAt(side, { x, y, radius }, half, height) {
  const away = radius + height / 2 + 1;
  if (side === "below") y += away;
  if (side === "above") y -= away;
  if (side === "right") x += radius + half;
  if (side === "left") x -= radius + half;
  return { x, y, left: x - half, right: x + half, top: y - height / 2, bottom: y + height / 2 };
}

function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function isWithin(box, free) {
  return box.left >= free.left && box.right <= free.right && box.top >= free.top && box.bottom <= free.bottom;
}

/** A name that fits on a label; cut between characters, never inside one. */
function shorten(name) {
  const flat = name.slice(0, 400).replace(/[\p{Cc}\s]+/gu, " ").trim();
  const characters = [...new Intl.Segmenter().segment(flat)].map((piece) => piece.segment);
  if (characters.length <= LONGEST_LABEL) return flat;
  return characters.slice(0, LONGEST_LABEL - 1).join("").trimEnd() + "…";
}
