// The graph as the page knows it. Nodes, edges and types point at each other directly.

const SMALLEST_RADIUS = 3.4;
const LARGEST_RADIUS = 24;

/** Reads the data of the page: {title, types, nodes, edges}. A node's `links` are its edges, heaviest first. */
function readGraph() {
  const data = JSON.parse(document.getElementById("graph-data").textContent);
  const types = data.types.map((type, index) => ({ ...type, index, isHidden: false }));
  const nodes = data.nodes.map((node, index) => makeNode(node, index, types));
  const edges = data.edges.map((edge) => ({ ...edge, source: nodes[edge.source], target: nodes[edge.target] }));
  for (const edge of edges) {
    link(edge.source, edge.target, edge);
    if (edge.source !== edge.target) link(edge.target, edge.source, edge);
  }
  for (const node of nodes) node.links.sort((a, b) => b.edge.weight - a.edge.weight || a.other.index - b.other.index);
  return { title: data.title, types, nodes, edges };
}

function makeNode(node, index, types) {
  const radius = Math.min(LARGEST_RADIUS, SMALLEST_RADIUS + 1.7 * Math.sqrt(node.degree));
  return { ...node, index, type: types[node.type], radius, folded: fold(node.name), links: [] };
}

function link(node, other, edge) {
  node.links.push({ edge, other });
}

/** A text without case and accents, so that "cafe" finds "Café". */
function fold(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The paragraphs of a description: parts that several sources gave, and blank lines inside them. */
function paragraphs(description) {
  return description.split(/<SEP>|\n\s*\n/u).map((part) => part.trim()).filter((part) => part !== "");
}
