
// ---- time as a flame chart ---------------------------------------------------------------------

const kFlameRow = 28;
const flame = {grouping: usualGrouping, focus: undefined, blocks: [], current: undefined};

// The blocks that are wide enough to be seen; what is not becomes one block at its group's end.
function blocksOf(group, x, width, depth, parent, blocks) {
  const block = {group, x, width, depth, parent, inner: []};
  blocks.push(block);
  if (parent) parent.inner.push(block);
  const sorted = group.children.filter((child) => child.us > 0).sort((a, b) => b.us - a.us);
  let at = x;
  for (let i = 0; i < sorted.length; ++i) {
    const part = sorted[i].us / group.us * width;
    if (part < 2 && sorted.length - i > 1) {
      restBlock(sorted.slice(i), at, x + width - at, depth + 1, block, blocks);
      break;
    }
    blocksOf(sorted[i], at, part, depth + 1, block, blocks);
    at += part;
  }
  return block;
}

function restBlock(groups, x, width, depth, parent, blocks) {
  const rest = emptyGroup(`${countText(groups.length)} more`, `${parent.group.key} rest`);
  for (const group of groups) {
    rest.us += group.us;
    rest.count += group.count;
    for (const [provider, share] of group.shares) {
      const sum = rest.shares.get(provider) ?? {count: 0, us: 0};
      rest.shares.set(provider, {count: sum.count + share.count, us: sum.us + share.us});
    }
  }
  const block = {group: rest, x, width, depth, parent, inner: [], rest: true};
  blocks.push(block);
  parent.inner.push(block);
}

function blockText(group) {
  const who = groupProviders(group).map(providerName).join(', ');
  const what = group.node ? `${group.node.name}, ${group.node.op}` : `${group.label}, ${plural(group.count, 'node')}`;
  return `${what}, on ${who}: ${timeText(group.us)} a run, ${shareText(group.us / flame.root.us)} of all`;
}

function stripes(block, y) {
  if (block.group.node || block.rest) return [];
  let at = block.x;
  return providers.map((provider) => {
    const share = block.group.shares.get(provider);
    if (!share || share.us === 0) return '';
    const width = share.us / block.group.us * block.width;
    const stripe = drawn('rect', {class: providerClass(provider), x: at, y: y + kFlameRow - 6, width, height: 4});
    at += width;
    return stripe;
  });
}

function blockShape(block) {
  const y = block.depth * kFlameRow;
  const filled = block.group.node ? `leaf ${providerClass(block.group.node.provider ?? kNone)}` : block.rest ? block.width < 8 ? 'rest thin' : 'rest' : 'group';
  const letters = Math.floor((block.width - 12) / 7.6);
  const text = letters >= Math.min(6, block.group.label.length) ? shortened(block.group.label, letters) : '';
  const shape = drawn('g', {class: `block ${filled}`, role: 'button', tabindex: '-1', 'aria-label': blockText(block.group)},
    drawn('rect', {x: block.x + 0.5, y: y + 0.5, width: Math.max(0.5, block.width - 1), height: kFlameRow - 2, rx: block.width > 8 ? 3 : 0}),
    stripes(block, y), drawn('text', {x: block.x + 6, y: y + 17}, text), drawn('title', {}, blockText(block.group)));
  shape.addEventListener('click', () => { pointAt(block); zoomTo(block); });
  shape.addEventListener('focus', () => pointAt(block));
  block.shape = shape;
  return shape;
}

function pointAt(block) {
  flame.current?.shape.setAttribute('tabindex', '-1');
  flame.current = block;
  block.shape.setAttribute('tabindex', '0');
  byId('flame-said').textContent = blockText(block.group);
}

function zoomTo(block) {
  if (block.group.node) return select(block.group.node);
  if (block.rest || block.group.key === flame.focus?.key) return undefined;
  flame.outer.push(flame.focus);
  flame.focus = block.group;
  return drawFlame(true);
}

function zoomOut(withFocus) {
  if (!flame.outer.length) return;
  flame.focus = flame.outer.pop();
  drawFlame(withFocus);
}

function neighbour(block, key) {
  const beside = block.parent?.inner ?? [];
  const moves = {ArrowUp: block.parent, ArrowDown: block.inner[0], ArrowLeft: beside[beside.indexOf(block) - 1],
    ArrowRight: beside[beside.indexOf(block) + 1], Home: beside[0], End: beside[beside.length - 1]};
  return moves[key];
}

function flameKey(event) {
  if (event.key === 'Escape') zoomOut(true);
  else if (event.key === 'Enter' || event.key === ' ') zoomTo(flame.current);
  else if (!neighbour(flame.current, event.key)) return;
  else neighbour(flame.current, event.key).shape.focus();
  event.preventDefault();
}

function drawFlame(withFocus = false) {
  const width = Math.max(280, byId('flame').clientWidth);
  flame.blocks = [];
  blocksOf(flame.focus, 0, width, 0, undefined, flame.blocks);
  const depth = Math.max(...flame.blocks.map((block) => block.depth)) + 1;
  const chart = drawn('svg', {viewBox: `0 0 ${width} ${depth * kFlameRow}`, class: 'flame', role: 'group', 'aria-label': 'Time of a run by group and node'},
    flame.blocks.map(blockShape));
  chart.addEventListener('keydown', flameKey);
  byId('flame').replaceChildren(chart);
  byId('flame-out').disabled = flame.outer.length === 0;
  byId('flame-path').textContent = flame.outer.length ? `Inside ${flame.focus.label}: ${shareText(flame.focus.us / flame.root.us)} of all` : '';
  flame.current = undefined;
  pointAt(flame.blocks[0]);
  if (withFocus) flame.blocks[0].shape.focus();
  else byId('flame-said').textContent = '';
}

function regroupFlame(grouping) {
  flame.root = grouped(ranNodes, grouping);
  flame.focus = flame.root;
  flame.outer = [];
  drawFlame();
}

function showTime() {
  const {profile} = report;
  byId('time-lead').textContent = `${plural(profile.runs, 'run')} under ONNX Runtime’s profiler: ${timeText(profile.node_us)} of ${timeText(profile.run_us)} a run went into ${plural(ranNodes.length, 'node')}. Width is time.`;
  const columns = [{title: 'Time a run', number: true, of: (row) => timeText(row.us)},
    {title: 'Share', number: true, of: (row) => shareText(profile.node_us ? row.us / profile.node_us : 0)},
    {title: 'Provider', of: (row) => badge(row.provider)}];
  const longest = [...ranNodes].sort((a, b) => b.us - a.us).slice(0, 50);
  byId('longest').append(table('The longest nodes', [{title: 'Node', of: (row) => element('code', {}, row.name)},
    {title: 'Operator', of: (row) => row.op}, ...columns], longest));
  byId('operators').append(table('Time by operator', [{title: 'Operator', of: (row) => element('code', {}, row.op)},
    {title: 'Nodes', number: true, of: (row) => countText(row.nodes)}, ...columns], profile.operators));
  if (!ranNodes.some((node) => node.us > 0)) {
    byId('flame').append(element('p', {class: 'notice'}, 'No node took a measurable time.'));
    return;
  }
  groupingChoice(byId('flame-grouping'), regroupFlame);
  byId('flame-out').addEventListener('click', () => zoomOut(false));
  regroupFlame(usualGrouping);
  new ResizeObserver(() => { if (!byId('flame').contains(document.activeElement)) drawFlame(); }).observe(byId('flame'));
}
