
// ---- layout of a graph in layers ---------------------------------------------------------------

const kBoxWidth = 184, kBoxHeight = 44, kGapAcross = 22, kGapDown = 34, kPointWidth = 10;

// Boxes come in the file's order, in which what is read stands before its reader; the few edges between groups that
// run the other way are drawn, and count for nothing here.
function layersOf(boxes, edges) {
  for (const box of boxes) box.layer = 0;
  for (const box of boxes)
    for (const edge of edges) if (edge.from === box && edge.forward) edge.to.layer = Math.max(edge.to.layer, box.layer + 1);
  const layers = [];
  for (const box of boxes) (layers[box.layer] ??= []).push(box);
  return layers;
}

// An edge over several layers gets a point in each, so that it runs beside the boxes there and not through them.
function addPoints(layers, edges) {
  for (const edge of edges) {
    edge.points = [edge.from];
    for (let layer = edge.from.layer + 1; edge.forward && layer < edge.to.layer; ++layer) {
      const point = {layer, width: kPointWidth, above: [], below: []};
      layers[layer].push(point);
      edge.points.push(point);
    }
    edge.points.push(edge.to);
    for (let i = 1; edge.forward && i < edge.points.length; ++i) {
      edge.points[i - 1].below.push(edge.points[i]);
      edge.points[i].above.push(edge.points[i - 1]);
    }
  }
}

const mean = (items, of) => items.reduce((sum, item) => sum + of(item), 0) / items.length;

// Each layer by the places of its neighbours in the one before, down and up a few times: fewer crossings.
function untangle(layers) {
  const sweep = (order, side) => {
    for (const layer of order) {
      layer.forEach((item, place) => { item.place = item[side].length ? mean(item[side], (other) => other.rank) : place; });
      layer.sort((a, b) => a.place - b.place).forEach((item, rank) => { item.rank = rank; });
    }
  };
  for (const layer of layers) layer.forEach((item, rank) => { item.rank = rank; });
  for (let i = 0; i < 4; ++i) {
    sweep(layers, 'above');
    sweep([...layers].reverse(), 'below');
  }
}

// As near to its neighbours' middle as those beside it let it.
function settle(layer, side) {
  const wished = layer.map((item) => item[side].length ? mean(item[side], (other) => other.x) : item.x);
  layer.forEach((item, i) => {
    const before = layer[i - 1];
    item.x = before ? Math.max(wished[i], before.x + (before.width + item.width) / 2 + kGapAcross) : wished[i];
  });
  const off = mean(layer.map((item, i) => wished[i] - item.x), (value) => value);
  for (const item of layer) item.x += off;
}

// Gives every box and point its x (middle) and y (top); the size of all.
function placeLayers(layers) {
  untangle(layers);
  for (const layer of layers) {
    let at = 0;
    for (const item of layer) {
      item.x = at + item.width / 2;
      item.y = item.layer * (kBoxHeight + kGapDown);
      at += item.width + kGapAcross;
    }
    for (const item of layer) item.x -= at / 2;
  }
  for (let i = 0; i < 6; ++i) {
    for (const layer of layers) settle(layer, 'above');
    for (const layer of [...layers].reverse()) settle(layer, 'below');
  }
  const items = layers.flat();
  const left = Math.min(...items.map((item) => item.x - item.width / 2));
  for (const item of items) item.x -= left;
  return {width: Math.max(...items.map((item) => item.x + item.width / 2)), height: layers.length * (kBoxHeight + kGapDown) - kGapDown};
}
