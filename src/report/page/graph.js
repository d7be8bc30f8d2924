
// ---- nodes as a graph --------------------------------------------------------------------------

// A group of more than this is drawn as a few groups of neighbours in the file's order.
const kMostBoxes = 120, kRoomBeside = 48;
const graph = {outer: [], current: undefined};

// Constants that ONNX Runtime folded away have no edge worth a line.
const isDrawn = (node) => node.in_model && (node.provider || node.inputs.some((value) => value !== ''));

function bundle(children, key, first) {
  const group = emptyGroup(`nodes ${first + 1} to ${first + children.length}`, `${key} ${first}`);
  group.children = children;
  for (const child of children) {
    group.count += child.count;
    group.us += child.us;
    for (const [provider, share] of child.shares) {
      const sum = group.shares.get(provider) ?? {count: 0, us: 0};
      group.shares.set(provider, {count: sum.count + share.count, us: sum.us + share.us});
    }
  }
  return group;
}

function bundled(group) {
  if (group.children.length <= kMostBoxes) return group.children;
  const size = Math.ceil(group.children.length / Math.min(40, Math.ceil(group.children.length / 20)));
  const bundles = [];
  for (let i = 0; i < group.children.length; i += size) bundles.push(bundle(group.children.slice(i, i + size), group.key, i));
  return bundles;
}

function nodesIn(group, found = []) {
  if (group.node) found.push(group.node);
  for (const child of group.children) nodesIn(child, found);
  return found;
}

function boxesOf(group) {
  const boxOf = new Map();
  const boxes = bundled(group).map((child) => {
    const nodes = nodesIn(child);
    for (const node of nodes) boxOf.set(node, undefined);
    return {group: child, nodes, first: Math.min(...nodes.map((node) => node.index)), width: kBoxWidth, above: [], below: []};
  }).sort((a, b) => a.first - b.first);
  for (const box of boxes) for (const node of box.nodes) boxOf.set(node, box);
  return {boxes, boxOf};
}

// One edge for all values that flow from one box to another.
function edgesOf(boxes, boxOf) {
  const edges = new Map();
  const rank = new Map(boxes.map((box, i) => [box, i]));
  for (const box of boxes)
    for (const node of box.nodes)
      for (const value of node.inputs) {
        const from = boxOf.get(makers.get(value));
        if (!from || from === box) continue;
        const key = `${rank.get(from)} ${rank.get(box)}`;
        const edge = edges.get(key) ?? {from, to: box, forward: rank.get(from) < rank.get(box), values: new Set()};
        edge.values.add(value);
        edges.set(key, edge);
      }
  return [...edges.values()];
}

// Down through the points; one that runs back up goes beside all boxes.
function edgeShape(edge) {
  const {from, to, points} = edge;
  let path = `M${from.x} ${from.y + kBoxHeight}`;
  if (edge.forward) {
    points.slice(1).forEach((point, i) => {
      const before = points[i];
      const y = before.y + kBoxHeight, middle = (y + point.y) / 2;
      path += `C${before.x} ${middle} ${point.x} ${middle} ${point.x} ${point.y}`;
      if (point !== to) path += `V${point.y + kBoxHeight}`;
    });
  } else {
    const [x, y, end] = [Math.max(from.x, to.x) + kBoxWidth / 2, from.y + kBoxHeight / 2, to.y + kBoxHeight / 2];
    path = `M${from.x + kBoxWidth / 2} ${y}C${x + kRoomBeside} ${y} ${x + kRoomBeside} ${end} ${to.x + kBoxWidth / 2} ${end}`;
  }
  const values = edge.values.size === 1 ? [...edge.values][0] : plural(edge.values.size, 'value');
  return drawn('path', {class: edge.forward ? 'edge' : 'edge back', d: path, 'marker-end': 'url(#arrow)'}, drawn('title', {}, shortened(values, 200)));
}

function boxText({group}) {
  const who = groupProviders(group).map(providerName).join(', ');
  const time = group.us > 0 ? `, ${timeText(group.us)} a run` : '';
  return `${group.node ? `${group.node.name}, ${group.node.op}` : `${group.label}, ${plural(group.count, 'node')}`}, on ${who}${time}`;
}

function boxShape(box) {
  const {group} = box;
  const x = box.x - kBoxWidth / 2;
  const who = providers.length > 1 && groupProviders(group).length === 1 ? ` · ${providerName(groupProviders(group)[0])}` : '';
  const more = `${group.node ? group.node.op : plural(group.count, 'node')}${who}${group.us > 0 ? ` · ${timeText(group.us)}` : ''}`;
  let at = box.y + 7;
  const whole = group.us > 0 ? (share) => share.us / group.us : (share) => share.count / group.count;
  const stripes = providers.filter((provider) => group.shares.has(provider)).map((provider) => {
    const height = whole(group.shares.get(provider)) * (kBoxHeight - 14);
    const stripe = drawn('rect', {class: `stripe ${providerClass(provider)}`, x: x + 7, y: at, width: 5, height});
    at += height;
    return stripe;
  });
  box.shape = drawn('g', {class: `box ${group.node ? 'leaf' : 'group'}`, role: 'button', tabindex: '-1', 'aria-label': boxText(box)},
    drawn('rect', {x, y: box.y, width: kBoxWidth, height: kBoxHeight, rx: group.node ? 3 : 8}), stripes,
    drawn('text', {x: x + 20, y: box.y + 18}, shortened(group.label, 21)),
    drawn('text', {class: 'more', x: x + 20, y: box.y + 35}, shortened(more, 24)), drawn('title', {}, boxText(box)));
  box.shape.addEventListener('click', () => enter(box));
  box.shape.addEventListener('focus', () => pointAtBox(box));
  return box.shape;
}

function pointAtBox(box) {
  graph.current?.shape.setAttribute('tabindex', '-1');
  graph.current = box;
  box.shape.setAttribute('tabindex', '0');
  byId('graph-said').textContent = boxText(box);
}

function enter(box) {
  pointAtBox(box);
  if (box.group.node) select(box.group.node);
  else showGraph([...graph.outer, box.group], true);
}

function besideBox(box, key) {
  const layer = graph.layers[box.layer].filter((item) => item.group);
  const at = layer.indexOf(box);
  const along = (side) => { let item = box[side][0]; while (item && !item.group) item = item[side][0]; return item; };
  return {ArrowUp: along('above'), ArrowDown: along('below'), ArrowLeft: layer[at - 1], ArrowRight: layer[at + 1]}[key];
}

function graphKey(event) {
  if (event.key === 'Escape' && graph.outer.length > 1) showGraph(graph.outer.slice(0, -1), true);
  else if (event.key === 'Enter' || event.key === ' ') enter(graph.current);
  else if (!besideBox(graph.current, event.key)) return;
  else besideBox(graph.current, event.key).shape.focus();
  event.preventDefault();
}

function showWay() {
  byId('graph-way').replaceChildren(...graph.outer.map((group, i) => element('li', {}, i === graph.outer.length - 1
    ? element('span', {'aria-current': 'location'}, group.label)
    : element('button', {type: 'button', onclick: () => showGraph(graph.outer.slice(0, i + 1), true)}, group.label))));
}

// Draws the innermost of these groups.
function showGraph(outer, withFocus = false) {
  graph.outer = outer;
  const {boxes, boxOf} = boxesOf(outer[outer.length - 1]);
  const edges = edgesOf(boxes, boxOf);
  graph.layers = layersOf(boxes, edges);
  addPoints(graph.layers, edges);
  const size = placeLayers(graph.layers);
  const width = size.width + 24 + (edges.some((edge) => !edge.forward) ? kRoomBeside : 0);
  const arrow = drawn('marker', {id: 'arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto'}, drawn('path', {d: 'M0 0L8 4L0 8z'}));
  const chart = drawn('svg', {viewBox: `-12 -12 ${width} ${size.height + 24}`, width, height: size.height + 24, class: 'graph', role: 'group', 'aria-label': `Graph of ${outer[outer.length - 1].label}`},
    drawn('defs', {}, arrow), edges.map(edgeShape), boxes.map(boxShape));
  chart.addEventListener('keydown', graphKey);
  byId('graph-frame').replaceChildren(chart);
  showWay();
  graph.current = undefined;
  pointAtBox(boxes[0]);
  byId('graph-frame').scrollTo(boxes[0].x - byId('graph-frame').clientWidth / 2, 0);
  if (withFocus) boxes[0].shape.focus({preventScroll: true});
  else byId('graph-said').textContent = '';
}

// The way from the outermost group to the one that holds the node.
function wayTo(group, node) {
  if (group.node) return group.node === node ? [] : undefined;
  for (const child of bundled(group)) {
    const way = wayTo(child, node);
    if (way) return [group, ...way];
  }
  return undefined;
}

function showInGraph(node) {
  const way = wayTo(graph.root, node);
  if (!way) return;
  showGraph(way);
  const box = graph.layers.flat().find((item) => item.group?.node === node);
  byId('graph').scrollIntoView();
  box.shape.focus();
}

// The group that holds nearly all: where a model has one, the graph begins in it.
const mainGroup = (group) => group.children.find((child) => !child.node && child.count > group.count * 0.9);

function showGraphs() {
  graph.root = grouped(report.nodes.filter(isDrawn), 'scope');
  if (graph.root.count === 0) {
    byId('graph-frame').append(element('p', {class: 'notice'}, 'The file tells of no nodes.'));
    return;
  }
  const outer = [graph.root];
  for (let inner = graph.root; inner; inner = mainGroup(inner)) if (inner !== graph.root) outer.push(inner);
  showGraph(outer);
}
