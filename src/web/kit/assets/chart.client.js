// Draws the charts of a page from the tables behind them, so that both always say the same.
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const shortDollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
});
const plain = new Intl.NumberFormat('en-US');
const units = {
  usd: { full: (v) => dollars.format(v), short: (v) => shortDollars.format(v) },
  percent: { full: (v) => `${v.toFixed(1)}%`, short: (v) => `${v}%` },
  count: { full: (v) => plain.format(v), short: (v) => plain.format(v) },
};

/** The columns of a table as lists of numbers; the first one is time in seconds. */
function readTable(table) {
  const heads = [...table.tHead.rows[0].cells];
  const columns = heads.map((head) => ({ name: head.textContent, ...head.dataset, values: [] }));
  for (const row of table.tBodies[0].rows) {
    for (const [index, cell] of [...row.cells].entries()) {
      const value = cell.dataset.value;
      columns[index]?.values.push(value === undefined || value === '' ? null : Number(value));
    }
  }
  return columns;
}

const looks = {
  line: (colour) => ({ stroke: colour, width: 2, points: { show: false } }),
  step: (colour) => ({
    stroke: colour,
    width: 2,
    // One that stands alone is seen, too.
    points: { show: true, size: 5, fill: colour },
    paths: uPlot.paths.stepped({ align: 1 }),
  }),
  dashed: (colour) => ({ stroke: colour, width: 1.5, dash: [5, 4], points: { show: false } }),
  bar: (colour) => ({
    stroke: colour,
    fill: colour,
    points: { show: false },
    paths: uPlot.paths.bars({ size: [0.7, 40] }),
  }),
  edge: () => ({ stroke: 'transparent', width: 0, points: { show: false } }),
};

function seriesOf(column, unit) {
  const colour = css(column.colour ?? '--accent');
  return {
    label: column.name,
    value: (_, value) => (value === null ? '–' : unit.full(value)),
    ...looks[column.look ?? 'line'](colour),
  };
}

/** Upper and lower edge of a range come as two columns in a row, the upper one first. */
function bandsOf(columns) {
  const edges = columns.flatMap((column, index) => (column.look === 'edge' ? [index] : []));
  return edges
    .filter((_, place) => place % 2 === 0)
    .map((index) => ({
      series: [index, index + 1],
      fill: `${css(columns[index].colour ?? '--accent')}22`,
    }));
}

/** What is said about rows: the place in time, and the words. */
function readNotes(table) {
  const column = [...table.tHead.rows[0].cells].findIndex((head) => 'notes' in head.dataset);
  if (column < 0) return [];
  return [...table.tBodies[0].rows].flatMap((row) => {
    const text = row.cells[column].textContent;
    return text ? [{ at: Number(row.cells[0].dataset.value), text }] : [];
  });
}

/** Draws a thin line at each note, with its words beside it, lower where the one before ends. */
function drawNotes(chart, notes) {
  const { ctx, bbox } = chart;
  const scale = devicePixelRatio;
  ctx.save();
  ctx.font = `${12 * scale}px system-ui, sans-serif`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'alphabetic';
  ctx.fillStyle = css('--quiet');
  ctx.strokeStyle = css('--quiet');
  ctx.setLineDash([3 * scale, 3 * scale]);
  const ends = [];
  for (const { at, text } of notes) {
    const x = Math.round(chart.valToPos(at, 'x', true));
    const width = ctx.measureText(text).width;
    // What would stick out on the right stands on the left of its line.
    const left =
      x + width + 6 * scale > bbox.left + bbox.width ? x - width - 4 * scale : x + 4 * scale;
    let line = ends.findIndex((end) => end < left);
    if (line < 0) line = ends.length;
    ends[line] = left + width + 4 * scale;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.fillText(text, left, bbox.top + (14 + 15 * line) * scale);
  }
  ctx.restore();
}

/** Bars stand half beside their day: the first and the last need room. */
function roomFor(columns) {
  if (!columns.some((column) => column.look === 'bar')) return {};
  const [first, second] = columns[0].values;
  const half = (second - first) / 2;
  return { range: (_, min, max) => [min - half, max + half] };
}

/** How dates are written below the axis, by how far they lie apart. */
const [daySeconds, nothing] = [86_400, null];
const dateForms = [
  [365 * daySeconds, '{YYYY}', nothing, nothing, nothing, nothing, nothing, nothing, 1],
  [28 * daySeconds, '{MMM}', '\n{YYYY}', nothing, nothing, nothing, nothing, nothing, 1],
  [daySeconds, '{D} {MMM}', '\n{YYYY}', nothing, nothing, nothing, nothing, nothing, 1],
  [1, '{HH}:{mm}', '\n{D} {MMM}', nothing, '\n{D} {MMM}', nothing, nothing, nothing, 1],
];

function draw(figure) {
  const table = document.getElementById(figure.dataset.table);
  const columns = readTable(table).filter((column) => column.look !== 'none');
  if ((columns[0]?.values.length ?? 0) < 2) {
    figure.hidden = true;
    return null;
  }
  const notes = readNotes(table);
  const unit = units[figure.dataset.unit] ?? units.count;
  const axis = { stroke: css('--quiet'), grid: { stroke: css('--line'), width: 1 } };
  const options = {
    width: figure.clientWidth,
    height: Number(figure.dataset.height ?? 280),
    legend: { live: true },
    cursor: { points: { size: 7 } },
    scales: { x: { time: true, ...roomFor(columns) } },
    axes: [
      { ...axis, values: dateForms },
      { ...axis, size: 64, values: (_, ticks) => ticks.map((tick) => unit.short(tick)) },
    ],
    series: [
      { label: columns[0].name, value: '{YYYY}-{MM}-{DD}' },
      ...columns.slice(1).map((column) => seriesOf(column, unit)),
    ],
    bands: bandsOf(columns),
    hooks: { draw: [(chart) => drawNotes(chart, notes)] },
    tzDate: (ts) => uPlot.tzDate(new Date(ts * 1000), 'UTC'),
  };
  figure.replaceChildren();
  return new uPlot(
    options,
    columns.map((column) => column.values),
    figure,
  );
}

for (const figure of document.querySelectorAll('[data-table]')) {
  let chart = draw(figure);
  new ResizeObserver(() => {
    if (chart && chart.width !== figure.clientWidth) {
      chart.setSize({ width: figure.clientWidth, height: chart.height });
    }
  }).observe(figure);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    chart?.destroy();
    chart = draw(figure);
  });
}
