
// ---- head, plan, comparison, findings, facts ---------------------------------------------------

function showHead() {
  const {path} = report.model;
  byId('model-name').textContent = path.split('/').pop();
  byId('subtitle').append(...[`${report.plan.chosen || 'nothing'} on ONNX Runtime ${report.runtime.version}`,
    plural(report.model.nodes, 'node'), bytesText(report.model.file_bytes),
    report.made.replace('T', ' ').replace(/:\d\dZ$/, ' UTC')].flatMap((text, i) => i === 0 ? [text] : [' · ', text]));
  const worst = (severity) => report.findings.filter((finding) => finding.severity === severity).length;
  const latency = report.latency[0].latency_us;
  const rows = [
    ['Runs on', report.plan.providers.join(' + '), `${report.plan.candidates.filter((one) => one.verdict === 'rejected').length} of ${report.plan.candidates.length} candidates rejected`],
    ['Median latency', latency.runs ? timeText(latency.p50) : 'not timed', latency.runs === 0 ? '' : `95 % sure: ${timeText(latency.p50_95[0])} to ${timeText(latency.p50_95[1])}`],
    ['Time in nodes', timeText(report.profile.node_us), `of ${timeText(report.profile.run_us)} a run under the profiler`],
    ['Against the CPU', ...verdictOfComparison()],
    ['Findings', worst('error') + worst('warning') === 0 ? 'none to mend' : [worst('error') ? plural(worst('error'), 'error') : '', worst('warning') ? plural(worst('warning'), 'warning') : ''].filter(Boolean).join(', '), plural(worst('note'), 'note')],
  ];
  byId('figures').append(...rows.map(([name, value, more]) =>
    element('div', {}, element('dt', {}, name), element('dd', {}, element('strong', {}, value), element('span', {}, more)))));
  const inputs = report.inputs.values.map((input) => `${input.name} ${input.type}`).join(', ');
  byId('made').textContent = `Measured on ${report.inputs.made_up ? 'made-up inputs' : 'the given inputs'}: ${inputs || 'none'}.`;
}

function verdictOfComparison() {
  if (!report.comparison) return ['the same', 'it runs on the CPU'];
  const {outputs, within} = report.comparison;
  const beyond = outputs.filter((output) => !output.within).length;
  const speed = report.latency[1].latency_us.p50 / report.latency[0].latency_us.p50;
  return [within ? 'agrees' : `${beyond} of ${plural(outputs.length, 'output')} ${outputs.length === 1 ? 'differs' : 'differ'}`,
    !Number.isFinite(speed) ? '' : speed >= 1 ? `${significant(speed)} times as fast` : `${significant(1 / speed)} times as slow`];
}

const seeText = (slug) => slug ? ['see ', element('code', {class: 'whole'}, `surefoot explain ${slug}`)] : [];

// What came, what is to be done about it, and where more stands.
function reasonOf(error) {
  const words = error.onnxruntime?.text;
  return [element('p', {class: 'reason'}, error.what),
    error.hint || error.slug ? element('p', {class: 'hint'}, error.hint ? `To do: ${error.hint}` : '', error.hint && error.slug ? '; ' : '', seeText(error.slug)) : '',
    words && words !== error.what ? element('details', {}, element('summary', {}, 'ONNX Runtime’s words'), element('pre', {}, words)) : ''];
}

const planRow = (kind, state, name, more, content) => element('li', {class: kind}, element('span', {class: 'state'}, state),
  element('h3', {}, name, more ? element('small', {}, ` ${more}`) : ''), element('div', {}, content));

function showPlan() {
  const mark = {chosen: '●', viable: '○', rejected: '✕'};
  byId('candidates').append(...report.plan.candidates.map((one) => {
    const state = one.name === report.plan.chosen ? 'chosen' : one.verdict;
    const company = one.providers.slice(1).join(', ');
    return planRow(state, [element('span', {'aria-hidden': 'true'}, mark[state]), ` ${state}`], one.name,
      company && state !== 'rejected' ? `with ${company}` : '', one.reason ? reasonOf(one.reason) : '');
  }));
  if (!report.events.length) return;
  byId('events').append(element('h3', {}, 'What came on the way'), element('ol', {class: 'candidates'}, report.events.map((event) =>
    planRow(event.kept ? 'viable' : 'rejected', event.kept ? 'kept' : 'given up', event.candidate, `${event.stage}, ${timeText(event.elapsed_us)}`, reasonOf(event.error)))));
}

function showComparison() {
  const {comparison} = report;
  if (!comparison) {
    byId('compared').append(element('p', {class: 'lead'}, 'The model runs on the CPU, which is what others are compared with.'));
    return;
  }
  byId('compared').append(
    element('p', {class: 'lead'}, `Every output of ${comparison.one}, held against the CPU’s on the same inputs; the tolerance is what different kernels of a type honestly differ by.`),
    element('div', {class: 'scroll'}, table('Outputs compared with the CPU', [
      {title: 'Output', of: (row) => element('code', {}, row.name)},
      {title: 'Verdict', of: (row) => element('span', {class: row.within ? 'good' : 'bad'}, row.within ? '✓ agrees' : '✕ differs')},
      {title: 'Type', of: (row) => row.mismatch ?? row.type},
      {title: 'Elements', number: true, of: (row) => row.elements === undefined ? '–' : countText(row.elements)},
      {title: 'Beyond', number: true, of: (row) => row.beyond === undefined ? '–' : countText(row.beyond)},
      {title: 'Max absolute', number: true, of: (row) => smallNumber(row.max_absolute)},
      {title: 'Max relative', number: true, of: (row) => smallNumber(row.max_relative)},
      {title: 'Cosine', number: true, of: (row) => row.cosine === undefined || row.cosine === null ? '–' : row.cosine.toFixed(9)},
    ], comparison.outputs)));
}

function showFindings() {
  const mark = {error: '✕', warning: '!', note: 'i'};
  if (!report.findings.length) byId('found').append(element('p', {class: 'lead'}, 'Nothing to mend, on this machine or in this model.'));
  byId('found').append(element('ul', {class: 'findings'}, report.findings.map((finding) =>
    planRow(finding.severity, [element('span', {'aria-hidden': 'true'}, mark[finding.severity]), ` ${finding.severity}`], finding.topic, '',
      reasonOf({what: finding.what, hint: finding.action, slug: finding.slug})))));
}

const valueTable = (caption, values) => element('div', {class: 'scroll'}, table(caption, [
  {title: caption, of: (row) => element('code', {}, row.name)},
  {title: 'Type', of: (row) => element('code', {}, row.type)},
  {title: 'Required', of: (row) => row.required ? 'yes' : 'no'},
], values));

function showModel() {
  const {model} = report;
  byId('model-facts').append(facts([
    ['File', element('code', {}, model.path)],
    ['Format', `${model.format}, IR ${model.ir_version}, ${model.opsets.map((one) => `opset ${one.version}${one.domain ? ` of ${one.domain}` : ''}`).join(', ')}`],
    ['Made by', [model.producer, model.producer_version].filter(Boolean).join(' ')],
    ['Size', `${bytesText(model.file_bytes)}; ${plural(model.weights, 'weight')}, ${bytesText(model.weight_bytes)}`],
  ]), valueTable('Inputs', model.inputs), valueTable('Outputs', model.outputs),
  element('details', {}, element('summary', {}, `${plural(model.operators.length, 'operator')} in the file`),
    element('div', {class: 'scroll'}, table('Operators of the model', [
      {title: 'Operator', of: (row) => element('code', {}, row.domain ? `${row.domain}:${row.op}` : row.op)},
      {title: 'Nodes', number: true, of: (row) => countText(row.count)},
    ], model.operators))));
}

function showMachine() {
  const {machine, runtime} = report;
  const lines = (items, of) => items.length ? element('ul', {class: 'plain'}, items.map((item) => element('li', {}, of(item)))) : '';
  const cpus = `${machine.cpus_allowed} of ${plural(machine.cpus, 'CPU')}${machine.cpu_quota ? `, quota ${machine.cpu_quota}` : ''}`;
  byId('machine-facts').append(facts([
    ['System', [`${machine.platform} ${machine.architecture}`, machine.glibc && `glibc ${machine.glibc}`, machine.board, machine.wsl && 'WSL', machine.container && `in a container (${machine.container})`].filter(Boolean).join(', ')],
    ['Processor', [machine.cpu, cpus, machine.cpu_features.join(' ')].filter(Boolean).join('; ')],
    ['Memory', `${bytesText(machine.memory_bytes)}${machine.memory_limit_bytes ? `, limit ${bytesText(machine.memory_limit_bytes)}` : ''}`],
    ['GPU', lines(machine.gpus, (gpu) => [`${gpu.vendor} ${gpu.id} ${gpu.node}${gpu.can_open ? '' : ' (may not be opened)'}`, gpu.name, gpu.memory_bytes && bytesText(gpu.memory_bytes)].filter(Boolean).join(', ')) || 'none'],
    ['Driver', machine.nvidia_driver && `NVIDIA ${machine.nvidia_driver}${machine.driver_cuda ? `, CUDA to ${machine.driver_cuda}` : ''}`],
    ['ONNX Runtime', [`${runtime.version}, `, element('code', {}, runtime.path)]],
    ['Others found', lines(machine.runtimes.filter((one) => !one.chosen), (one) => [`${one.version || '?'}${one.usable ? '' : ', refused'}, `, element('code', {}, one.path)])],
    ['Packages', lines(machine.packages, (one) => [`${one.name} ${one.version}, `, element('code', {}, one.folder)])],
    ['Libraries', lines(machine.libraries, (one) => [element('code', {}, one.path), one.loader_finds_it ? '' : ' (the loader does not look there)'])],
    ['Providers present', machine.providers.filter((one) => one.present).map((one) => one.name).join(', ')],
  ]));
}
