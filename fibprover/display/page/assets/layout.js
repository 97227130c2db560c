// A layered layout, as that of fibprover's own drawings (fibprover/formats/layout.py says why it is so): states in
// columns, labels in columns between them, orders by barycenters, heights by least squares.

/**
 * Places for the nodes of a graph (node 0 leftmost) and routes for its wires.
 *
 * sizes: [{width, above, below}]; wires: [{source, target, label: size}] between different nodes.
 * Returns {nodes: [[x, y]], routes: [[[x, y]]], labels: [[x, y]], width, height}.
 */
function layered(sizes, wires, gap = 14) {
  const drafts = layerings(sizes.length, wires).map((ranks) => drafted(sizes, wires, ranks));
  const draft = drafts.reduce((best, other) => (other.cost < best.cost ? other : best));
  const { vertices, columns } = draft;
  const y = heights(vertices, columns, gap, draft.sweeps), x = abscissas(vertices, columns);
  const place = vertices.sizes.map((_, node) => [x[vertices.column[node]], y[node]]);
  return {
    nodes: place.slice(0, sizes.length),
    routes: draft.chains.map((chain) => chain.map((node) => place[node])),
    labels: draft.middles.map((node) => place[node]),
    width: Math.max(...place.map(([across], node) => across + vertices.sizes[node].width / 2)),
    height: Math.max(...place.map(([, down], node) => down + vertices.sizes[node].below)),
  };
}

function addVertex(vertices, size, column) {
  vertices.sizes.push(size);
  vertices.column.push(column);
  vertices.links.push([]);
  return vertices.sizes.length - 1;
}

function link(vertices, a, b, stiffness) {
  vertices.links[a].push([b, stiffness]);
  vertices.links[b].push([a, stiffness]);
}

function drafted(sizes, wires, ranks) {
  const vertices = { sizes: [...sizes], column: ranks.map((rank) => 2 * rank), links: sizes.map(() => []) };
  const routed = wires.map((wire) => chained(vertices, wire));
  const sweeps = Math.max(2, Math.min(24, Math.floor(30000 / vertices.sizes.length)));
  const columns = fewestCrossings(vertices, firstColumns(vertices), sweeps);
  const flat = wires.filter((wire) => ranks[wire.source] === ranks[wire.target]).length;
  const cost = crossings(vertices, columns) + 2 * flat + columns.length + Math.floor(vertices.sizes.length / 4);
  return { vertices, columns, chains: routed.map(([chain]) => chain), middles: routed.map(([, middle]) => middle), sweeps, cost };
}

/** Choices of columns: by distance from node 0, and by longest paths along two acyclic parts. */
function layerings(count, wires) {
  const following = Array.from({ length: count }, () => []);
  for (const wire of wires) following[wire.source].push(wire.target);
  const distance = distances(following);
  const met = [...following.keys()].sort((a, b) => distance[a] - distance[b]);
  return [distance, longest(following, met), longest(following, depthFirst(following))];
}

function longest(following, order) {
  const place = [], rank = following.map(() => 0);
  order.forEach((node, number) => { place[node] = number; });
  for (const node of order) {
    for (const target of following[node]) if (place[target] > place[node]) rank[target] = Math.max(rank[target], rank[node] + 1);
  }
  return rank;
}

/** Nodes by decreasing time at which a depth first search leaves them. */
function depthFirst(following) {
  const seen = new Set(), left = [];
  const visit = (node) => {
    seen.add(node);
    for (const target of following[node]) if (!seen.has(target)) visit(target);
    left.push(node);
  };
  following.forEach((_, root) => { if (!seen.has(root)) visit(root); });
  return left.reverse();
}

function distances(following) {
  const distance = new Map([[0, 0]]), queue = [0];
  for (const node of queue) {
    for (const target of following[node]) {
      if (!distance.has(target)) {
        distance.set(target, distance.get(node) + 1);
        queue.push(target);
      }
    }
  }
  const beyond = Math.max(...distance.values()) + 1;
  return following.map((_, node) => distance.get(node) ?? beyond);
}

/** The virtual nodes of a wire, and the one that carries its label. */
function chained(vertices, wire) {
  const begin = vertices.column[wire.source], end = vertices.column[wire.target];
  const thin = { width: 0, above: 3, below: 3 };
  if (begin === end) {
    const middle = addVertex(vertices, wire.label, begin + 1);
    link(vertices, wire.source, middle, 1);
    link(vertices, middle, wire.target, 1);
    return [[middle], middle];
  }
  const step = begin < end ? 1 : -1, between = [];
  for (let column = begin + step; column !== end; column += step) between.push(column);
  // The odd column nearest to the middle: states are in the even ones.
  const half = Math.floor(between.length / 2), labelAt = half % 2 ? half - 1 : half;
  const chain = between.map((column, place) => addVertex(vertices, place === labelAt ? wire.label : thin, column));
  const path = [wire.source, ...chain, wire.target];
  for (let place = 0; place + 1 < path.length; place++) {
    link(vertices, path[place], path[place + 1], place > 0 && place < path.length - 2 ? 6 : 1.5);
  }
  return [chain, chain[labelAt]];
}

function firstColumns(vertices) {
  const columns = Array.from({ length: Math.max(...vertices.column) + 1 }, () => []), seen = new Set();
  vertices.sizes.forEach((_, root) => {
    const stack = [root];
    while (stack.length) {
      const node = stack.pop();
      if (seen.has(node)) continue;
      seen.add(node);
      columns[vertices.column[node]].push(node);
      for (const [other] of [...vertices.links[node]].reverse()) if (!seen.has(other)) stack.push(other);
    }
  });
  return columns;
}

/** The best of the orders that barycenter sweeps to and fro, and exchanges of neighbours, give. */
function fewestCrossings(vertices, columns, sweeps) {
  let best = columns.map((column) => [...column]), fewest = crossings(vertices, columns);
  for (let sweep = 0; sweep < sweeps && fewest; sweep++) {
    const forward = sweep % 2 === 0;
    const indices = [...columns.keys()];
    for (const index of forward ? indices : indices.reverse()) sortByBarycenter(vertices, columns, index, forward ? index - 1 : index + 1);
    if (vertices.sizes.length < 1500) columns.forEach((_, index) => exchange(vertices, columns, index));
    const count = crossings(vertices, columns);
    if (count < fewest) {
      fewest = count;
      best = columns.map((column) => [...column]);
    }
  }
  return best;
}

function positionsIn(columns, index) {
  return new Map((columns[index] ?? []).map((node, place) => [node, place]));
}

function sortByBarycenter(vertices, columns, index, fixed) {
  const place = positionsIn(columns, fixed), own = new Map();
  const scale = columns[index].length / Math.max(1, place.size);
  columns[index].forEach((node, number) => {
    const near = vertices.links[node].filter(([other]) => place.has(other)).map(([other]) => place.get(other));
    own.set(node, near.length ? (scale * near.reduce((a, b) => a + b, 0)) / near.length : number);
  });
  columns[index].sort((a, b) => own.get(a) - own.get(b));
}

/** Exchanges neighbours in a column while that removes crossings with the columns beside it. */
function exchange(vertices, columns, index) {
  const column = columns[index], sides = [positionsIn(columns, index - 1), positionsIn(columns, index + 1)];
  const near = new Map(column.map((node) => [node, sides.map((side) => (
    vertices.links[node].filter(([other]) => side.has(other)).map(([other]) => side.get(other))
  ))]));
  for (let improved = true; improved;) {
    improved = false;
    for (let place = 0; place + 1 < column.length; place++) {
      const upper = near.get(column[place]), lower = near.get(column[place + 1]);
      let gain = 0;
      for (const side of [0, 1]) for (const x of upper[side]) for (const y of lower[side]) gain += Math.sign(x - y);
      if (gain > 0) {
        [column[place], column[place + 1]] = [column[place + 1], column[place]];
        improved = true;
      }
    }
  }
}

/** Crossing pairs of links between neighbouring columns. */
function crossings(vertices, columns) {
  let total = 0;
  for (let index = 0; index + 1 < columns.length; index++) {
    const place = positionsIn(columns, index + 1), ends = [];
    for (const node of columns[index]) {
      const near = vertices.links[node].filter(([other]) => place.has(other)).map(([other]) => place.get(other));
      for (const end of near) for (const earlier of ends) if (earlier > end) total++;
      ends.push(...near);
    }
  }
  return total;
}

/** Ordinates: every node as near to the mean of its neighbours as order and sizes allow. */
function heights(vertices, columns, gap, sweeps) {
  const { sizes, links } = vertices, y = sizes.map(() => 0);
  const offsets = columns.map((column) => {
    const found = [0];
    for (let i = 0; i + 1 < column.length; i++) found.push(found[i] + sizes[column[i]].below + gap + sizes[column[i + 1]].above);
    return found;
  });
  columns.forEach((column, index) => column.forEach((node, i) => { y[node] = offsets[index][i]; }));
  for (let sweep = 0; sweep < 2 * sweeps + 8; sweep++) {
    const indices = [...columns.keys()];
    for (const index of sweep % 2 ? indices.reverse() : indices) {
      const wanted = columns[index].map((node) => {
        const stiffness = links[node].reduce((sum, [, weight]) => sum + weight, 0);
        const pull = links[node].reduce((sum, [other, weight]) => sum + weight * y[other], 0);
        return [stiffness ? pull / stiffness : y[node], stiffness || 0.1];
      });
      separated(wanted, offsets[index]).forEach((value, i) => { y[columns[index][i]] = value; });
    }
  }
  const top = Math.min(...y.map((value, node) => value - sizes[node].above));
  return y.map((value) => value - top);
}

/** Values nearest to the wanted ones, in weighted squares, and at least as far apart as the offsets: isotonic regression. */
function separated(wanted, offsets) {
  const pools = [];
  wanted.forEach(([want, weight], i) => {
    let pool = { mean: want - offsets[i], mass: weight, members: 1 };
    while (pools.length && pools[pools.length - 1].mean > pool.mean) {
      const earlier = pools.pop(), mass = earlier.mass + pool.mass;
      pool = { mean: (earlier.mean * earlier.mass + pool.mean * pool.mass) / mass, mass, members: earlier.members + pool.members };
    }
    pools.push(pool);
  });
  const values = [];
  for (const { mean, members } of pools) for (let i = 0; i < members; i++) values.push(mean + offsets[values.length]);
  return values;
}

/** The middle of every column, as wide as its widest node. */
function abscissas(vertices, columns, margin = 16) {
  let edge = 0;
  return columns.map((column) => {
    const width = Math.max(0, ...column.map((node) => vertices.sizes[node].width));
    edge += width + margin;
    return edge - margin - width / 2;
  });
}
