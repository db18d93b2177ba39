// Tooltip and zoom of charts: drag to zoom in, double-click to zoom out.
const sheetWidth = 1000;
const svgElement = (name) => document.createElementNS('http://www.w3.org/2000/svg', name);
// The order of dates on this page, as in `Formats`.
const dateOrder = document.documentElement.dataset.dates;
const shortDate = new Intl.DateTimeFormat(dateOrder === 'day first' ? 'en-GB' : 'en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});
const dateText = (ms) =>
  dateOrder === 'year first' ? new Date(ms).toISOString().slice(0, 10) : shortDate.format(ms);

function readRows(table) {
  const names = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
  const rows = [...table.tBodies[0].rows].map((row) => ({
    at: Number(row.dataset.at),
    cells: [...row.cells].map((cell) => cell.textContent),
  }));
  return { names, rows };
}

function enliven(chart) {
  const plot = chart.querySelector('svg.plot[data-from]');
  const lines = plot.querySelector('svg.lines');
  const { names, rows } = readRows(document.getElementById(chart.dataset.chart));
  const whole = { from: Number(plot.dataset.from), to: Number(plot.dataset.to) };
  const dates = plot.querySelector('.dates');
  const plainDates = dates.innerHTML;
  const height = lines.viewBox.baseVal.height;
  let shown = whole;
  let begun = null;

  const cursor = svgElement('path');
  cursor.setAttribute('class', 'cursor');
  const selection = svgElement('rect');
  selection.setAttribute('class', 'selection');
  selection.setAttribute('height', String(height));
  const tip = Object.assign(document.createElement('div'), { className: 'tooltip', hidden: true });
  const reset = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'link',
    textContent: 'Reset zoom',
    hidden: true,
  });
  chart.append(tip);
  chart.querySelector('details').before(reset);

  const timeAt = (event) => {
    const box = plot.getBoundingClientRect();
    const share = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
    return shown.from + share * (shown.to - shown.from);
  };
  const sheetX = (at) => ((at - whole.from) / (whole.to - whole.from)) * sheetWidth;
  const shareOf = (at) => (at - shown.from) / (shown.to - shown.from);

  function nearest(at) {
    return rows.reduce((best, row) =>
      Math.abs(row.at - at) < Math.abs(best.at - at) ? row : best,
    );
  }

  function show(row) {
    if (!cursor.isConnected) lines.append(cursor);
    cursor.setAttribute('d', `M${sheetX(row.at)},0V${height}`);
    const words = document.createElement('dl');
    for (const [index, text] of row.cells.entries()) {
      if (index === 0 || text === '—' || text === '') continue;
      const name = Object.assign(document.createElement('dt'), { textContent: names[index] });
      const value = Object.assign(document.createElement('dd'), { textContent: text });
      words.append(name, value);
    }
    const date = Object.assign(document.createElement('strong'), { textContent: row.cells[0] });
    tip.replaceChildren(date, words);
    tip.hidden = false;
    const box = plot.getBoundingClientRect();
    const left = box.left - chart.getBoundingClientRect().left + shareOf(row.at) * box.width;
    const isRight = left > chart.clientWidth / 2;
    tip.style.left = isRight ? '' : `${left + 12}px`;
    tip.style.right = isRight ? `${chart.clientWidth - left + 12}px` : '';
  }

  function zoom(span) {
    shown = span;
    const isWhole = span === whole;
    const x = sheetX(span.from);
    lines.setAttribute('viewBox', `${x} 0 ${sheetX(span.to) - x} ${height}`);
    reset.hidden = isWhole;
    plot.querySelector('.notes').toggleAttribute('hidden', !isWhole);
    if (isWhole) dates.innerHTML = plainDates;
    else dates.replaceChildren(...[0.02, 0.5, 0.98].map((share) => dateAt(span, share)));
  }

  function dateAt(span, share) {
    const text = svgElement('text');
    text.setAttribute('x', `${share * 100}%`);
    text.setAttribute('y', '274');
    text.setAttribute('text-anchor', share < 0.3 ? 'start' : share > 0.7 ? 'end' : 'middle');
    text.textContent = dateText((span.from + share * (span.to - span.from)) * 1000);
    return text;
  }

  function leave() {
    tip.hidden = true;
    cursor.remove();
    selection.remove();
    begun = null;
  }

  plot.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'mouse') show(nearest(timeAt(event)));
    else if (event.button === 0) begun = timeAt(event);
  });
  plot.addEventListener('pointermove', (event) => {
    const at = timeAt(event);
    show(nearest(at));
    if (begun === null) return;
    if (!selection.isConnected) lines.append(selection);
    selection.setAttribute('x', String(sheetX(Math.min(begun, at))));
    selection.setAttribute('width', String(Math.abs(sheetX(at) - sheetX(begun))));
  });
  plot.addEventListener('pointerup', (event) => {
    if (begun === null) return;
    const at = timeAt(event);
    const span = { from: Math.min(begun, at), to: Math.max(begun, at) };
    // A click does not zoom, and a zoomed chart has at least two rows.
    const inside = rows.filter((row) => row.at >= span.from && row.at <= span.to).length;
    if (inside >= 2) zoom(span);
    leave();
  });
  // Lifting a finger keeps the tooltip until another place is touched.
  plot.addEventListener('pointerleave', (event) => {
    if (event.pointerType === 'mouse') leave();
  });
  plot.addEventListener('pointercancel', leave);
  document.addEventListener('pointerdown', (event) => {
    if (!plot.contains(event.target)) leave();
  });
  plot.addEventListener('dblclick', () => zoom(whole));
  reset.addEventListener('click', () => zoom(whole));
}

for (const chart of document.querySelectorAll('[data-chart]')) enliven(chart);
