
// ---- latency -----------------------------------------------------------------------------------

// About `count` round numbers between both limits.
function ticks(from, to, count) {
  const raw = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= raw);
  const found = [];
  for (let at = Math.ceil(from / step) * step; at <= to + step / 1000; at += step) found.push(at);
  return found;
}

const inUnit = (us, unit) => String(Number((us / unit.us).toPrecision(6)));
const unitFor = (us) => us >= 1e6 ? {name: 's', us: 1e6} : us >= 1000 ? {name: 'ms', us: 1000} : {name: 'µs', us: 1};

// Labels of lines that stand close together go below one another.
function marks(latency, at, width, height) {
  let free = -Infinity;
  let row = 0;
  return [['p50', latency.p50], ['p90', latency.p90], ['p99', latency.p99]].map(([name, us]) => {
    const x = at(us);
    const flip = x > width - 40;
    row = x - free < 34 ? row + 1 : 0;
    free = x;
    return drawn('g', {class: 'mark'},
      drawn('line', {x1: x, x2: x, y1: 6, y2: height}),
      drawn('text', {x: flip ? x - 4 : x + 4, y: 14 + row * 14, 'text-anchor': flip ? 'end' : 'start'}, name));
  });
}

function histogramOf(result, width) {
  const {histogram, latency_us: latency} = result;
  const left = 44, right = 12, top = 48, height = 170, bottom = 34;
  const from = histogram.from_us;
  const to = from + histogram.width_us * histogram.counts.length;
  const most = Math.max(...histogram.counts);
  const at = (us) => left + (Math.min(us, to) - from) / (to - from) * (width - left - right);
  const up = (count) => top + (height - top) * (1 - count / most);
  const unit = unitFor(to);
  const label = `Histogram of ${countText(latency.runs)} runs on ${result.name}: median ${timeText(latency.p50)}, 90 % within ${timeText(latency.p90)}, 99 % within ${timeText(latency.p99)}`;
  return drawn('svg', {viewBox: `0 0 ${width} ${height + bottom}`, role: 'img', 'aria-label': label, class: 'histogram'},
    ticks(0, most, 3).filter(Number.isInteger).map((count) => drawn('g', {class: 'grid'},
      drawn('line', {x1: left, x2: width - right, y1: up(count), y2: up(count)}),
      drawn('text', {x: left - 8, y: up(count) + 4, 'text-anchor': 'end'}, countText(count)))),
    histogram.counts.map((count, i) => count === 0 ? '' : drawn('rect', {class: providerClass(result.provider),
      x: at(from + i * histogram.width_us) + 0.5, y: up(count), width: Math.max(0.5, at(from + (i + 1) * histogram.width_us) - at(from + i * histogram.width_us) - 1), height: height - up(count)},
    drawn('title', {}, `${timeText(from + i * histogram.width_us)} to ${timeText(from + (i + 1) * histogram.width_us)}: ${plural(count, 'run')}`))),
    drawn('line', {class: 'axis', x1: left, x2: width - right, y1: height, y2: height}),
    ticks(from, to, Math.max(2, Math.floor(width / 110))).map((us) => drawn('g', {class: 'grid'},
      drawn('line', {x1: at(us), x2: at(us), y1: height, y2: height + 5}),
      drawn('text', {x: at(us), y: height + 18, 'text-anchor': 'middle'}, `${inUnit(us, unit)} ${unit.name}`))),
    marks(latency, at, width, height));
}

function binTable(histogram) {
  const rows = histogram.counts.map((count, i) => ({from: histogram.from_us + i * histogram.width_us, count})).filter((row) => row.count > 0);
  return table('Runs by time', [
    {title: 'From', number: true, of: (row) => timeText(row.from)},
    {title: 'To', number: true, of: (row) => timeText(row.from + histogram.width_us)},
    {title: 'Runs', number: true, of: (row) => countText(row.count)},
  ], rows);
}

function latencyPanel(result) {
  const latency = result.latency_us;
  if (latency.runs === 0) return element('article', {}, element('h3', {}, badge(result.provider)), element('p', {class: 'notice'}, 'No run was timed.'));
  const chart = element('div', {class: 'chart'});
  const draw = () => chart.replaceChildren(histogramOf(result, Math.max(280, chart.clientWidth)));
  new ResizeObserver(draw).observe(chart);
  const beyond = result.histogram.beyond ? `${plural(result.histogram.beyond, 'longer run')} not drawn, the longest took ${timeText(latency.max)}. ` : '';
  return element('article', {}, element('h3', {}, badge(result.provider)), chart,
    element('p', {class: 'keys'}, beyond, result.stable ? '' : `The times were still falling after ${plural(result.warm_up_runs, 'run')} that warm up.`),
    facts([
      ['Median', `${timeText(latency.p50)} (95 % sure: ${timeText(latency.p50_95[0])} to ${timeText(latency.p50_95[1])})`],
      ['p90, p99', `${timeText(latency.p90)}, ${timeText(latency.p99)}`],
      ['Least, most', `${timeText(latency.min)}, ${timeText(latency.max)}`],
      ['Runs', countText(latency.runs)],
      ['Opening', `${timeText(result.load_us)}, first run ${timeText(result.first_run_us)}`],
      ['Memory', result.memory_bytes ? `${bytesText(result.memory_bytes)} more at the peak` : ''],
    ]),
    element('details', {}, element('summary', {}, 'As a table'), element('div', {class: 'scroll'}, binTable(result.histogram))));
}

function showLatency() {
  byId('histograms').append(...report.latency.map(latencyPanel));
}
