
// ---- nodes in groups ---------------------------------------------------------------------------

const kGroupings = {
  scope: {title: 'name scope', path: (node) => node.name.split('/').filter((part) => part !== '').slice(0, -1)},
  operator: {title: 'operator', path: (node) => [node.op]},
  provider: {title: 'provider', path: (node) => [providerName(node.provider ?? kNone), node.op]},
};

report.nodes.forEach((node, index) => { node.index = index; });
const ranNodes = report.nodes.filter((node) => node.calls > 0);
const hasScopes = ranNodes.filter((node) => node.name.includes('/')).length * 3 > ranNodes.length;
const usualGrouping = hasScopes ? 'scope' : 'operator';

function emptyGroup(label, key) {
  return {label, key, children: [], groups: new Map(), count: 0, us: 0, shares: new Map()};
}

function addTo(group, node) {
  group.count += 1;
  group.us += node.us ?? 0;
  const provider = node.provider ?? kNone;
  const share = group.shares.get(provider) ?? {count: 0, us: 0};
  group.shares.set(provider, {count: share.count + 1, us: share.us + (node.us ?? 0)});
}

// A name without its path, which stands beside it where the groups do not tell it.
function leafOf(node, grouping) {
  const parts = node.name.split('/').filter((part) => part !== '');
  const leaf = emptyGroup(parts.pop() ?? node.name, `node ${node.index}`);
  if (grouping !== 'scope') leaf.where = parts.join('/');
  leaf.node = node;
  addTo(leaf, node);
  return leaf;
}

// A group that holds nothing but one group is one row with it: "encoder/layers".
function joined(group) {
  group.children = group.children.map((child) => child.node ? child : joined(child));
  const only = group.children.length === 1 ? group.children[0] : undefined;
  if (!only || only.node || group.key === '') return group;
  only.label = `${group.label}/${only.label}`;
  return only;
}

// A tree of {label, key, children, count, us, shares, node}; keys tell groups apart however often it is built.
function grouped(nodes, grouping) {
  const root = emptyGroup('all nodes', '');
  for (const node of nodes) {
    let group = root;
    addTo(root, node);
    for (const part of kGroupings[grouping].path(node)) {
      let inner = group.groups.get(part);
      if (!inner) {
        inner = emptyGroup(part, `${group.key}/${part}`);
        group.groups.set(part, inner);
        group.children.push(inner);
      }
      addTo(inner, node);
      group = inner;
    }
    group.children.push(leafOf(node, grouping));
  }
  return joined(root);
}

function groupingChoice(select, onChange) {
  for (const [value, {title}] of Object.entries(kGroupings)) select.append(element('option', {value}, title));
  select.value = usualGrouping;
  select.addEventListener('change', () => onChange(select.value));
}

// Which part of the time or, where none was measured, of the nodes each provider has.
function shareBar(group) {
  const whole = group.us > 0 ? (share) => share.us / group.us : (share) => share.count / group.count;
  const bar = element('span', {class: 'bar', 'aria-hidden': 'true'});
  for (const provider of providers) {
    const share = group.shares.get(provider);
    if (!share || whole(share) === 0) continue;
    const part = element('span', {class: providerClass(provider)});
    part.style.flexGrow = String(whole(share));
    bar.append(part);
  }
  return bar;
}

const groupProviders = (group) => providers.filter((provider) => group.shares.has(provider));
