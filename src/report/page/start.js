
// ---- start -------------------------------------------------------------------------------------

function prepareForPaper() {
  printTable();
  for (const details of document.querySelectorAll('details:not([open])')) {
    details.open = true;
    details.dataset.opened = '';
  }
}

function backFromPaper() {
  for (const details of document.querySelectorAll('details[data-opened]')) {
    details.open = false;
    delete details.dataset.opened;
  }
}

function pageKey(event) {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.matches('input, select, textarea')) return;
  event.preventDefault();
  byId('search').focus();
}

showHead();
showPlan();
showNodes();
showGraphs();
showTime();
showLatency();
showComparison();
showFindings();
showModel();
showMachine();
addEventListener('beforeprint', prepareForPaper);
addEventListener('afterprint', backFromPaper);
addEventListener('keydown', pageKey);
document.documentElement.dataset.ready = '';
