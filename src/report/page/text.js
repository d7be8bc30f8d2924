'use strict';

// ---- elements and texts ------------------------------------------------------------------------

const report = JSON.parse(document.getElementById('report-data').textContent);
const byId = (id) => document.getElementById(id);

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat(Infinity)) if (child !== undefined && child !== null && child !== '') made.append(child);
  return made;
}

// Texts are appended as text: nothing in the data can become markup.
const element = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
const drawn = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

function significant(number) {
  if (number === 0) return '0';
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(number))));
  return number.toFixed(Math.min(digits, 3));
}

function timeText(us) {
  if (us === undefined || us === null) return '–';
  if (us >= 999.5e3) return `${significant(us / 1e6)} s`;
  return us >= 999.5 ? `${significant(us / 1000)} ms` : `${significant(us)} µs`;
}

function bytesText(bytes) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  while (bytes >= 1000 && unit < units.length - 1) bytes /= 1000, ++unit;
  return unit === 0 ? `${bytes} B` : `${bytes.toFixed(1)} ${units[unit]}`;
}

const countText = (count) => count.toLocaleString('en-US');
const plural = (count, word) => `${countText(count)} ${word}${count === 1 ? '' : 's'}`;

function shareText(share) {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return '< 0.1 %';
  return `${percent >= 99.95 ? 100 : percent.toFixed(1)} %`;
}

function smallNumber(number) {
  if (number === null || number === undefined) return '–';
  if (number === 0) return '0';
  return Math.abs(number) >= 0.001 && Math.abs(number) < 1e5 ? String(Number(number.toPrecision(4))) : number.toExponential(2);
}

// A text that does not fit into so many letters loses its middle: both ends of a node's name tell.
function shortened(text, letters) {
  if (text.length <= letters) return text;
  if (letters < 4) return '';
  const head = Math.ceil((letters - 1) / 2);
  return `${text.slice(0, head)}…${text.slice(text.length - (letters - 1 - head))}`;
}

// Columns: {title, of: row → text or element, number: whether it is aligned as one}
function table(caption, columns, rows) {
  const cell = (tag, column, content, more = {}) => element(tag, {class: column.number ? 'number' : undefined, ...more}, content);
  return element('table', {},
    element('caption', {class: 'hidden'}, caption),
    element('thead', {}, element('tr', {}, columns.map((column) => cell('th', column, column.title, {scope: 'col'})))),
    element('tbody', {}, rows.map((row) => element('tr', {},
      columns.map((column, i) => i === 0 ? cell('th', column, column.of(row), {scope: 'row'}) : cell('td', column, column.of(row)))))));
}

function facts(pairs) {
  return element('dl', {class: 'facts'}, pairs.filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))));
}

// ---- providers ---------------------------------------------------------------------------------

// Nodes of which ONNX Runtime tells no provider, since they do not run under their own names.
const kNone = '';
const providers = [...new Set([...report.plan.providers, ...report.latency.map((one) => one.provider), ...report.nodes.map((node) => node.provider ?? kNone)])]
  .filter((provider) => provider !== kNone);
if (report.nodes.some((node) => !node.provider)) providers.push(kNone);
const providerName = (provider) => provider === kNone ? 'merged' : provider;
const providerClass = (provider) => provider === kNone ? 'none' : `p${providers.indexOf(provider) % 8}`;

// Text beside the colour: no meaning is in the colour alone.
const swatch = (provider) => element('span', {class: `swatch ${providerClass(provider)}`, 'aria-hidden': 'true'});
const badge = (provider) => element('span', {class: 'badge'}, swatch(provider), providerName(provider));
