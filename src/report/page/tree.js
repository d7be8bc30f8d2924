
// ---- nodes as a tree ---------------------------------------------------------------------------

// Only the rows in sight exist: ten thousand nodes cost what thirty cost.
const kRow = 30;
const tree = {grouping: usualGrouping, open: new Set(), hidden: new Set(), query: '', longestFirst: false, rows: [], active: 0, selected: undefined};

function matches(node) {
  if (tree.hidden.has(node.provider ?? kNone)) return false;
  const {query} = tree;
  return query === '' || node.name.toLowerCase().includes(query) || node.op.toLowerCase().includes(query) ||
    providerName(node.provider ?? kNone).toLowerCase().includes(query);
}

// While something is searched for, all groups that hold a hit are open.
const isOpen = (group) => !group.node && (tree.query !== '' ? !tree.closed.has(group.key) : tree.open.has(group.key));

const inOrder = (children) => tree.longestFirst ? [...children].sort((a, b) => b.us - a.us) : children;

function addRows(group, level, rows) {
  inOrder(group.children).forEach((child, i) => {
    rows.push({group: child, level, place: i + 1, of: group.children.length});
    if (isOpen(child)) addRows(child, level + 1, rows);
  });
  return rows;
}

function regroupTree() {
  tree.shown = report.nodes.filter(matches);
  tree.root = grouped(tree.shown, tree.grouping);
  tree.closed = new Set();
  byId('search-count').textContent = tree.query === '' && tree.hidden.size === 0 ? '' : `${countText(tree.shown.length)} of ${plural(report.nodes.length, 'node')}`;
  showRows(0);
}

function showRows(active) {
  tree.rows = addRows(tree.root, 1, []);
  tree.active = Math.max(0, Math.min(active, tree.rows.length - 1));
  tree.space.style.height = `${tree.rows.length * kRow}px`;
  tree.empty.hidden = tree.rows.length > 0;
  drawRows();
}

function rowLabel({group}) {
  const who = groupProviders(group).map(providerName).join(', ');
  const time = group.us > 0 ? `, ${timeText(group.us)}` : '';
  return group.node ? `${group.node.name}, ${group.node.op}, ${who}${time}` : `${group.label}, ${plural(group.count, 'node')}, ${who}${time}`;
}

function rowElement(row, index) {
  const {group, level} = row;
  const open = isOpen(group);
  const whole = report.profile.node_us;
  const only = groupProviders(group);
  const name = element('span', {class: 'name'}, element('span', {class: 'twisty', 'aria-hidden': 'true'}, group.node ? '' : open ? '▾' : '▸'),
    element('span', {class: 'label', title: group.node ? group.node.name : group.label}, group.label, group.where ? element('small', {}, ` ${group.where}`) : ''));
  name.style.paddingInlineStart = `${(level - 1) * 16}px`;
  const line = element('div', {role: 'treeitem', id: `row-${index}`, class: `row${index === tree.active ? ' active' : ''}${group.node ? '' : ' branch'}`,
    'aria-level': level, 'aria-posinset': row.place, 'aria-setsize': row.of, 'aria-selected': String(index === tree.active),
    'aria-expanded': group.node ? undefined : String(open), 'aria-label': rowLabel(row)},
  name, element('span', {class: 'op'}, group.node ? group.node.op : ''),
  element('span', {class: 'who'}, only.length === 1 ? badge(only[0]) : [shareBar(group), element('span', {class: 'many'}, `${only.length}`)]),
  element('span', {class: 'number nodes'}, group.node ? '' : countText(group.count)),
  element('span', {class: 'number'}, group.us > 0 ? timeText(group.us) : '–'),
  element('span', {class: 'number share'}, group.us > 0 && whole ? shareText(group.us / whole) : ''));
  line.style.top = `${index * kRow}px`;
  line.addEventListener('click', () => { moveTo(index); if (!group.node) toggle(index); });
  return line;
}

function drawRows() {
  const first = Math.max(0, Math.floor(tree.box.scrollTop / kRow) - 5);
  const last = Math.min(tree.rows.length, Math.ceil((tree.box.scrollTop + tree.box.clientHeight) / kRow) + 5);
  const lines = [];
  for (let i = first; i < last; ++i) lines.push(rowElement(tree.rows[i], i));
  tree.space.replaceChildren(...lines);
  if (tree.rows.length && tree.active >= first && tree.active < last) tree.box.setAttribute('aria-activedescendant', `row-${tree.active}`);
  else tree.box.removeAttribute('aria-activedescendant');
}

function moveTo(index) {
  if (!tree.rows.length) return;
  tree.active = Math.max(0, Math.min(index, tree.rows.length - 1));
  const top = tree.active * kRow;
  if (top < tree.box.scrollTop) tree.box.scrollTop = top;
  if (top + kRow > tree.box.scrollTop + tree.box.clientHeight) tree.box.scrollTop = top + kRow - tree.box.clientHeight;
  drawRows();
  showDetail(tree.rows[tree.active].group);
}

function toggle(index) {
  const {group} = tree.rows[index];
  if (group.node) return;
  const set = tree.query !== '' ? tree.closed : tree.open;
  set.has(group.key) ? set.delete(group.key) : set.add(group.key);
  showRows(index);
}

function outerRow(index) {
  for (let i = index - 1; i >= 0; --i) if (tree.rows[i].level < tree.rows[index].level) return i;
  return index;
}

function treeKey(event) {
  const row = tree.rows[tree.active];
  if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
  const page = Math.floor(tree.box.clientHeight / kRow) - 1;
  const moves = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity};
  if (event.key in moves) moveTo(tree.active + moves[event.key]);
  else if (event.key === 'ArrowRight') isOpen(row.group) || row.group.node ? moveTo(tree.active + 1) : toggle(tree.active);
  else if (event.key === 'ArrowLeft') isOpen(row.group) ? toggle(tree.active) : moveTo(outerRow(tree.active));
  else if (event.key === 'Enter' || event.key === ' ') row.group.node ? moveTo(tree.active) : toggle(tree.active);
  else return;
  event.preventDefault();
}

// Every group, or those on the way to one node.
function openAll(group) {
  for (const child of group.children) if (!child.node) { tree.open.add(child.key); openAll(child); }
}

function openTowards(group, node) {
  if (group.node) return group.node === node;
  const found = group.children.some((child) => openTowards(child, node));
  if (found) tree.open.add(group.key);
  return found;
}

// Shows a node in the tree, whatever was searched for before.
function select(node) {
  tree.query = byId('search').value = '';
  tree.hidden.delete(node.provider ?? kNone);
  byId('legend').querySelectorAll('input').forEach((box) => { box.checked = !tree.hidden.has(box.value); });
  regroupTree();
  openTowards(tree.root, node);
  showRows(0);
  moveTo(tree.rows.findIndex((row) => row.group.node === node));
  tree.box.focus();
}

// ---- what is selected --------------------------------------------------------------------------

const makers = new Map();   // value → the node that gives it
const readers = new Map();  // value → the nodes that read it
for (const node of report.nodes) {
  for (const value of node.outputs ?? []) if (value !== '') makers.set(value, node);
  for (const value of node.inputs ?? []) if (value !== '') readers.set(value, [...readers.get(value) ?? [], node]);
}

const jump = (node) => element('button', {type: 'button', class: 'jump', onclick: () => select(node)}, swatch(node.provider ?? kNone), node.name, element('small', {}, ` ${node.op}`));

function valueList(title, values, nodesOf, nothing) {
  const named = values.filter((value) => value !== '');
  if (!named.length) return [];
  return [element('h4', {}, title), element('ul', {class: 'values'}, named.slice(0, 20).map((value) => {
    const nodes = nodesOf(value);
    return element('li', {}, element('code', {}, value), element('div', {}, nodes.length ? nodes.slice(0, 12).map(jump) : element('small', {}, nothing),
      nodes.length > 12 ? element('small', {}, ` and ${nodes.length - 12} more`) : ''));
  })), named.length > 20 ? element('p', {class: 'keys'}, `and ${named.length - 20} more`) : []].flat();
}

function nodeState(node) {
  if (node.calls > 0) return node.in_model ? '' : 'ONNX Runtime made this node, by fusing or rearranging nodes of the model.';
  if (node.provider) return 'It did not run under its own name: it is part of what its provider made of several nodes.';
  return 'ONNX Runtime tells nothing of it under this name: it was folded, fused, or has no name in the file.';
}

function showDetail(group) {
  const {node} = group;
  const time = group.us > 0 ? `${timeText(group.us)}, ${shareText(group.us / report.profile.node_us)} of all` : 'not measured';
  if (!node) {
    byId('detail').replaceChildren(element('h3', {}, group.label), facts([
      ['Nodes', countText(group.count)], ['Time a run', time],
      ['Providers', element('ul', {class: 'plain'}, groupProviders(group).map((provider) => {
        const share = group.shares.get(provider);
        return element('li', {}, badge(provider), ` ${plural(share.count, 'node')}${share.us > 0 ? `, ${timeText(share.us)}` : ''}`);
      }))]]));
    return;
  }
  byId('detail').replaceChildren(element('h3', {}, node.name), facts([
    ['Operator', element('code', {}, node.op)], ['Provider', badge(node.provider ?? kNone)], ['Time a run', time],
    ['Calls a run', node.calls > 0 ? String(Number(node.calls.toPrecision(3))) : ''], ['Note', nodeState(node)]]),
  isDrawn(node) ? element('p', {}, element('button', {type: 'button', onclick: () => showInGraph(node)}, 'Show in the graph')) : '',
  ...valueList('Reads', node.inputs ?? [], (value) => makers.has(value) ? [makers.get(value)] : [], 'an input of the model, or a weight'),
  ...valueList('Gives', node.outputs ?? [], (value) => readers.get(value) ?? [], 'an output of the model, or read inside a body'));
}

function legendBox(provider) {
  const box = element('input', {type: 'checkbox', checked: true, value: provider});
  box.addEventListener('change', () => {
    box.checked ? tree.hidden.delete(provider) : tree.hidden.add(provider);
    regroupTree();
  });
  return element('label', {}, box, badge(provider), element('small', {}, ` ${countText(tree.counts.get(provider))}`));
}

function showNodes() {
  tree.box = byId('tree');
  tree.counts = new Map(providers.map((provider) => [provider, report.nodes.filter((node) => (node.provider ?? kNone) === provider).length]));
  tree.space = element('div', {class: 'space', role: 'presentation'});
  tree.empty = element('p', {class: 'notice', hidden: true}, 'No node matches.');
  tree.box.append(tree.space, tree.empty);
  const made = report.nodes.filter((node) => !node.in_model).length;
  const merged = report.nodes.filter((node) => !node.provider).length;
  byId('nodes-lead').textContent = `${report.placement ? `${report.placement.summary}. ` : ''}${plural(report.nodes.length - made, 'node')} of the file${merged ? `, of which ${countText(merged)} were merged into others or computed ahead` : ''}${made ? `, and ${countText(made)} that ONNX Runtime made` : ''}.`;
  byId('legend').append(...providers.filter((provider) => tree.counts.get(provider) > 0).map(legendBox));
  groupingChoice(byId('tree-grouping'), (grouping) => { tree.grouping = grouping; tree.open.clear(); regroupTree(); });
  byId('order').addEventListener('change', (event) => { tree.longestFirst = event.target.value === 'time'; showRows(0); });
  byId('search').addEventListener('input', (event) => { tree.query = event.target.value.trim().toLowerCase(); regroupTree(); });
  byId('expand').addEventListener('click', () => { openAll(tree.root); tree.closed.clear(); showRows(tree.active); });
  byId('collapse').addEventListener('click', () => { tree.open.clear(); tree.closed = new Set(tree.root.children.map((child) => child.key)); showRows(0); });
  tree.box.addEventListener('scroll', drawRows, {passive: true});
  tree.box.addEventListener('keydown', treeKey);
  new ResizeObserver(drawRows).observe(tree.box);
  regroupTree();
  if (tree.rows.length === 1) toggle(0);
  showDetail(tree.root);
}

// On paper there is no scrolling: the two outer levels, longest first.
function printTable() {
  const rows = tree.root.children.flatMap((child) => [child, ...child.children.filter((inner) => !inner.node).map((inner) => ({...inner, label: `${child.label}/${inner.label}`}))]);
  byId('tree-print').replaceChildren(table('Nodes by group', [{title: 'Group', of: (row) => element('code', {}, row.label)},
    {title: 'Providers', of: (row) => groupProviders(row).map(providerName).join(', ')},
    {title: 'Nodes', number: true, of: (row) => countText(row.count)},
    {title: 'Time a run', number: true, of: (row) => row.us > 0 ? timeText(row.us) : '–'}], rows.sort((a, b) => b.us - a.us).slice(0, 60)));
}
