// Charts: pointing and arrow keys show the values of a day. Dragging, + and - zoom; double-click
// and Escape show everything again. The range and the lines that are off stay in the address.
const sheet = { width: 1000, height: 240, top: 16 };
// The order of dates on this page, as in `Formats`.
const order = document.documentElement.dataset.dates;
const dateForm = new Intl.DateTimeFormat(order === 'day first' ? 'en-GB' : 'en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});
const dateText = (ms) =>
  order === 'year first' ? new Date(ms).toISOString().slice(0, 10) : dateForm.format(ms);
const make = (name, properties) => Object.assign(document.createElement(name), properties);
const within = (value, low, high) => Math.max(low, Math.min(value, high));

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function draw(name, attributes, text = '') {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  element.textContent = text;
  return set(element, attributes);
}

// The same axis as in chart-scale.ts.
function ticksOf(values, unit) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const rough = (high - low || Math.abs(high) || 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5].find((each) => each * power >= rough - power * 1e-9) ?? 10;
  const step = unit === 'count' ? Math.max(1, Math.ceil(factor * power)) : factor * power;
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  const count = Math.max(last - first, 1) + 1;
  return Array.from({ length: count }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

// As in `Formats`; `one` is the text of 1.
function tickText(value, { unit, one, locale }) {
  const size = Math.abs(value);
  const text = (number, options) => number.toLocaleString(locale, options);
  const short = (part, letter) => text(size / part, { maximumSignificantDigits: 3 }) + letter;
  const places = unit === 'percent' || size % 1 === 0 ? 0 : 2;
  const plain = () => text(size, { minimumFractionDigits: places });
  const number = size >= 1e6 ? short(1e6, 'M') : size >= 1e4 ? short(1e3, 'K') : plain();
  return (value < 0 ? '-' : '') + one.replace('1', number);
}

// Changes the address, and the links of the page that keep it.
function remember(name, value) {
  const changed = (address) => {
    const url = new URL(address);
    url.searchParams.set(name, value ?? '');
    if (!value) url.searchParams.delete(name);
    return url.href;
  };
  history.replaceState(null, '', changed(location.href));
  for (const link of document.querySelectorAll('.segments a')) {
    const isRange = name === 'range' && link.dataset.from;
    if (link.pathname === location.pathname && !isRange) link.href = changed(link.href);
  }
}

function enliven(chart) {
  const plot = chart.querySelector('.plot');
  const lines = plot.querySelector('.lines');
  const { unit, locale } = plot.dataset;
  const mark = (0.5).toLocaleString(locale).replace(/\d/g, '');
  const numberOf = (text) => {
    const signs = [...text.replace('−', '-')].filter((each) => /[\d-]/.test(each) || each === mark);
    return /\d/.test(text) ? Number(signs.join('').replace(mark, '.')) : null;
  };
  const [from, to, low, high] = plot.dataset.sheet.split(' ').map(Number);
  const table = document.getElementById(chart.dataset.chart);
  const heads = [...table.tHead.rows[0].cells].map((cell) => [cell.textContent, cell.dataset.key]);
  const rows = [...table.tBodies[0].rows].map((row) => ({
    at: Number(row.dataset.at),
    cells: [...row.cells].map((cell) => cell.textContent),
  }));
  const boxes = [...chart.querySelectorAll('.legend input')];
  const ranges = [...chart.querySelectorAll('.segments a[data-from]')];
  const cursor = draw('line', { class: 'cursor', y1: 16, y2: 256 });
  const selection = draw('rect', { class: 'selection', y: 16, height: sheet.height });
  const tip = make('div', { className: 'tooltip', hidden: true });
  const reset = make('button', { type: 'button', className: 'link', textContent: 'Reset zoom' });
  let shown = { from: Number(plot.dataset.from), to };
  let place = rows.length - 1;
  let begun = null;

  const length = () => shown.to - shown.from;
  const shareOf = (at) => (at - shown.from) / length();
  const percent = (at) => `${shareOf(at) * 100}%`;
  const sheetX = (at) => ((at - from) / (to - from)) * sheet.width;
  const sheetY = (value) => sheet.height * (1 - (value - low) / (high - low));
  const isOff = (key) => boxes.some((box) => box.value === key && !box.checked);
  const timeAt = ({ clientX }) => {
    const { left, width } = plot.getBoundingClientRect();
    return shown.from + within((clientX - left) / width, 0, 1) * length();
  };
  const nearest = (at) => {
    const gaps = rows.map((row) => Math.abs(row.at - at));
    return gaps.indexOf(Math.min(...gaps));
  };

  // The values in sight, with those of the rows around.
  function valuesShown() {
    const first = rows.findLastIndex(({ at }) => at <= shown.from);
    const last = rows.findIndex(({ at }) => at >= shown.to);
    const isDrawn = heads.map(([, key]) => key && !isOff(key));
    const texts = rows
      .slice(Math.max(first, 0), last < 0 ? rows.length : last + 1)
      .flatMap(({ cells }) => cells.filter((_, index) => isDrawn[index]));
    const levels = boxes.map(({ checked, dataset }) => (checked && dataset.value) || '');
    const values = [...texts, ...levels].map(numberOf).filter((value) => value !== null);
    for (const { dataset, classList } of plot.querySelectorAll('.mark[data-value]')) {
      const isShown = dataset.at >= shown.from && dataset.at <= shown.to;
      if (isShown && !isOff(classList[1])) values.push(Number(dataset.value));
    }
    if ('zero' in plot.dataset) values.push(0);
    return values;
  }

  function render() {
    const values = valuesShown();
    const ticks = values.length > 0 ? ticksOf(values, unit) : [low, high];
    const [bottom, top] = [ticks[0], ticks.at(-1)];
    const [x, y] = [sheetX(shown.from), sheetY(top)];
    const viewBox = [x, y, sheetX(shown.to) - x, sheetY(bottom) - y].join(' ');
    for (const part of plot.querySelectorAll(':scope > svg')) set(part, { viewBox });
    const d = ticks.map((value) => `M0,${sheetY(value)}H${sheet.width}`).join('');
    set(lines.querySelector('.gridline'), { d });
    const amounts = ticks.map((value) => {
      const height = sheet.top + 4 + sheet.height * ((top - value) / (top - bottom));
      const text = tickText(value, plot.dataset);
      return draw('text', { x: '100%', y: height, 'text-anchor': 'end' }, text);
    });
    chart.querySelector('.amounts').replaceChildren(...amounts);
    for (const note of plot.querySelectorAll('.notes > *')) {
      const x = percent(note.dataset.at);
      const share = shareOf(note.dataset.at);
      set(note, { x, x1: x, x2: x, class: share < 0 || share > 1 ? 'off' : '' });
    }
  }

  function dateAt(share) {
    const text = dateText((shown.from + share * length()) * 1000);
    const anchor = { 0.02: 'start', 0.5: 'middle', 0.98: 'end' }[share];
    return draw('text', { x: `${share * 100}%`, y: 276, 'text-anchor': anchor }, text);
  }

  function zoom(span, link = null) {
    const next = { from: Math.max(span.from, from), to: Math.min(span.to, to) };
    // A part that was dragged has at least two rows.
    if (!link && rows.filter(({ at }) => at >= next.from && at <= next.to).length < 2) return;
    shown = next;
    const isWhole = shown.from === from && shown.to === to;
    const current = link ?? (isWhole ? ranges.at(-1) : null);
    reset.hidden = isWhole || link !== null;
    for (const each of ranges) each.removeAttribute('aria-current');
    current?.setAttribute('aria-current', 'true');
    if (ranges.length > 0) {
      remember('range', current && new URL(current.href).searchParams.get('range'));
    }
    plot.querySelector('.dates').replaceChildren(...[0.02, 0.5, 0.98].map(dateAt));
    render();
  }

  function show(next) {
    place = next;
    const { at, cells } = rows[place];
    plot.append(set(cursor, { x1: percent(at), x2: percent(at) }));
    const words = cells.map((text, index) => [...heads[index], text]).slice(1);
    for (const { dataset, value, parentElement } of boxes) {
      const text = dataset.value ?? '';
      words.push([parentElement.textContent.replace(text, ''), value, text]);
    }
    const list = make('dl');
    for (const [name, key, text] of words) {
      if (/^—?$/.test(text) || isOff(key)) continue;
      list.append(make('dt', { textContent: name }), make('dd', { textContent: text }));
    }
    tip.replaceChildren(make('strong', { textContent: cells[0] }), list);
    tip.hidden = false;
    set(plot, { 'aria-valuenow': place, 'aria-valuetext': tip.innerText });
    // Above the lines, so that it never covers them.
    const { left, width } = plot.getBoundingClientRect();
    const axes = plot.parentElement.getBoundingClientRect();
    const middle = left - axes.left + shareOf(at) * width;
    const start = within(middle - tip.offsetWidth / 2, 0, axes.width - tip.offsetWidth);
    tip.style.left = `${start}px`;
  }

  function leave() {
    tip.hidden = true;
    cursor.remove();
    selection.remove();
    begun = null;
  }

  function moveTo(next) {
    const { at } = rows[within(next, 0, rows.length - 1)];
    const over = at - within(at, shown.from, shown.to);
    if (over !== 0) zoom({ from: shown.from + over, to: shown.to + over });
    show(within(next, 0, rows.length - 1));
  }

  function zoomBy(factor) {
    const { at } = rows[place];
    const start = at - shareOf(at) * length() * factor;
    zoom({ from: start, to: start + length() * factor });
    show(place);
  }

  const whole = () => zoom({ from, to });
  const actions = {
    ArrowLeft: () => moveTo(place - 1),
    ArrowRight: () => moveTo(place + 1),
    Home: () => moveTo(0),
    End: () => moveTo(rows.length - 1),
    '+': () => zoomBy(0.5),
    '-': () => zoomBy(2),
    Escape: () => {
      whole();
      leave();
    },
  };
  const on = (type, act) => plot.addEventListener(type, act);
  on('keydown', (event) => {
    const act = !event.ctrlKey && !event.metaKey && actions[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  on('blur', leave);
  on('pointerdown', (event) => {
    if (event.button !== 0) return;
    begun = timeAt(event);
    plot.setPointerCapture(event.pointerId);
    show(nearest(begun));
  });
  on('pointermove', (event) => {
    const at = timeAt(event);
    show(nearest(at));
    if (begun === null) return;
    const width = `${Math.abs(shareOf(at) - shareOf(begun)) * 100}%`;
    plot.append(set(selection, { x: percent(Math.min(begun, at)), width }));
  });
  on('pointerup', (event) => {
    const ends = [begun, timeAt(event)].sort((a, b) => a - b);
    const before = shown;
    if (begun !== null) zoom({ from: ends[0], to: ends[1] });
    // Lifting a finger keeps the tooltip until another place is touched.
    if (event.pointerType === 'mouse' || shown !== before) leave();
    begun = null;
    selection.remove();
  });
  on('pointerleave', (event) => event.pointerType === 'mouse' && leave());
  on('pointercancel', leave);
  on('dblclick', whole);
  document.addEventListener('pointerdown', (event) => plot.contains(event.target) || leave());
  reset.addEventListener('click', whole);
  for (const link of ranges) {
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      zoom({ from: Number(link.dataset.from), to }, link);
    });
  }
  chart.addEventListener('change', () => {
    render();
    const off = boxes.filter(({ checked }) => !checked).map(({ value }) => value);
    const { address } = chart.dataset;
    const keys = off.join();
    if (address !== undefined) remember('hide', keys === address ? '' : keys || 'none');
  });
  // A slider, because screen readers pass it arrow keys and read its text.
  set(plot, { role: 'slider', tabindex: 0, 'aria-valuemin': 0, 'aria-valuemax': place });
  set(plot, { 'aria-valuenow': place, 'aria-valuetext': rows[place].cells[0] });
  reset.hidden = true;
  plot.after(tip);
  chart.querySelector('details').before(reset);
}

for (const chart of document.querySelectorAll('[data-chart]')) enliven(chart);
