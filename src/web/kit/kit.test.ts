/** The components of the kit, without a browser. */
import { describe, expect, test } from 'bun:test';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { dayText, momentText, monthText, percentText } from '../../kernel/format.ts';
import { changedAddress, namedNumber, withQuery } from './address.ts';
import { BarList } from './bar-list.tsx';
import { EmptyState } from './card.tsx';
import { Chart, hiddenKeys } from './chart.tsx';
import { dateTicks, valueTicks } from './chart-scale.ts';
import { columnStyle } from './column-head.ts';
import { column, mainColumn, numberColumn } from './columns.tsx';
import { columnFields, csvOf } from './csv-download.ts';
import { DataTable } from './data-table.tsx';
import { Field } from './fields.tsx';
import { FilterForm } from './filters.tsx';
import { List, lastPagePath, PagePager, pageShown, readCursorPage } from './list.tsx';
import { Delta, Money } from './money.tsx';
import { RangeBar } from './range-bar.tsx';
import { Sparkline } from './sparkline.tsx';
import { Treemap } from './treemap.tsx';

const request = (address: string) => {
  const { pathname, searchParams } = new URL(address, 'http://x');
  return { path: pathname, query: searchParams };
};

describe('addresses', () => {
  test('keep other parameters when one changes, and return to the first page', () => {
    const here = request('/inventory?theme=Castle&sort=value&page=3');
    expect(changedAddress(here, { sort: 'name' })).toBe('/inventory?theme=Castle&sort=name');
    expect(changedAddress(here, { theme: '', page: 4 })).toBe('/inventory?sort=value&page=4');
    expect(withQuery('/market', { q: '', year: 2026 })).toBe('/market?year=2026');
  });

  test('cannot inject a text into a message about an item', () => {
    const name = (text: string) => namedNumber(new URLSearchParams({ n: text }), 'n');
    const numbers = ['75192-1', 'sw0001a', 'ISBN978-0241506271'];
    expect(numbers.map(name)).toEqual(numbers);
    expect(['', 'Call 555 0100 now', 'x'.repeat(31)].map(name)).toEqual(['item', 'item', 'item']);
  });

  test('of a page after the last redirect to the last', () => {
    expect(lastPagePath(request('/sales?page=9&year=2026'), 120)).toBe('/sales?page=3&year=2026');
    expect(lastPagePath(request('/sales?page=2'), 0)).toBe('/sales');
    expect(lastPagePath(request('/sales?page=3'), 120)).toBeNull();
  });
});

test.each([
  [{ cents: 43_20, percent: 0.04 }, '+$43.20 (&lt;0.1%)'],
  [{ cents: -43_20, percent: -0.04 }, '-$43.20 (&lt;0.1%)'],
  [{ cents: 43_20, percent: 0.05 }, '+$43.20 (+0.1%)'],
  [{ cents: 0, percent: 0 }, '$0.00 (0.0%)'],
  [{ percent: 0.04 }, '0.0%'],
])('a change %j is %p', (change, text) => {
  expect(renderToString(h(Delta, change))).toContain(`>${text}<`);
});

test('a pager has the position and links to both neighbors', () => {
  const html = renderToString(h(PagePager, { request: request('/sales?page=2'), total: 1234 }));
  expect(html).toContain('51–100 of 1,234');
  expect(html).toContain('href="/sales"');
  expect(html).toContain('href="/sales?page=3"');
  expect(pageShown(25, 50, 1234)).toBe('1,201–1,234 of 1,234');
  expect(renderToString(h(PagePager, { request: request('/sales'), total: 50 }))).toBe('');
});

test('a list of unknown length has a next page only if there are more rows', async () => {
  const list =
    (length: number) =>
    async ({ limit }: { limit: number }) =>
      Array.from({ length: Math.min(length, limit) }, (_, id) => id);
  const page = (length: number) => readCursorPage(new URLSearchParams(), 5, list(length));
  expect(await page(5)).toEqual({ rows: [0, 1, 2, 3, 4], isFirst: true, hasMore: false });
  expect(await page(6)).toEqual({ rows: [0, 1, 2, 3, 4], isFirst: true, hasMore: true });
});

test('a field for an amount asks for the keyboard with decimals, others for what they say', () => {
  const html = (label: string, inputmode?: 'numeric') =>
    renderToString(h(Field, { name: 'a', label, ...(inputmode && { inputmode }) }));
  expect(html('Price ($)')).toContain('inputmode="decimal"');
  expect(html('Price ($)', 'numeric')).toContain('inputmode="numeric"');
  expect(html('Name')).not.toContain('inputmode');
});

test('an empty state has a paragraph only for a reason', () => {
  const state = (children?: string) =>
    renderToString(h(EmptyState, { title: 'No sets', ...(children && { children }) }));
  expect(state()).toBe('<div class="empty"><h2>No sets</h2></div>');
  expect(state('Add one.')).toContain('<p class="quiet flush">Add one.</p>');
});

test('days, months, instants and shares each have one format', () => {
  expect(dayText('2026-01-05')).toBe('Jan 5, 2026');
  expect(monthText('2026-11')).toBe('Nov 2026');
  expect(momentText(Date.UTC(2026, 10, 16, 15, 11))).toBe('Nov 16, 2026, 15:11 UTC');
  expect([12.34, 0, -0.01, -3, 70979.4].map(percentText)).toEqual([
    '+12.3%',
    '0.0%',
    '0.0%',
    '-3.0%',
    '+70,979.4%',
  ]);
});

describe('amounts', () => {
  test('are a dash with the reason if they are missing', () => {
    const html = renderToString(h(Money, { cents: null, missing: 'No sales recorded' }));
    expect(html).toContain('—');
    expect(html).toContain('No sales recorded');
    expect(html).not.toContain('$');
  });

  test('show a change by arrow and sign, not only by color', () => {
    expect(renderToString(h(Delta, { cents: -310 }))).toContain('class="delta loss">-$3.10');
    expect(renderToString(h(Delta, { cents: 1200, percent: 10 }))).toContain('+$12.00 (+10.0%)');
    expect(renderToString(h(Delta, { percent: 0.1 }))).toContain('class="delta gain">+0.1%');
    expect(renderToString(h(Delta, { percent: 0.04 }))).toContain('class="delta ">0.0%');
  });
});

test('the tiles of a treemap are as large as their sizes, and cover it without overlap', () => {
  const sizes = [60, 30, 20, 20, 10, 5, 5, 3, 2, 1];
  const tiles = sizes.map((size) => {
    return { name: `${size}`, size, text: '', percent: 0, href: '/' };
  });
  const html = renderToString(h(Treemap, { label: 'Lots', tiles }));
  const wide = html.slice(0, html.indexOf('treemap narrow'));
  const boxes = [
    ...wide.matchAll(/<svg x="([\d.]+)%" y="([\d.]+)%" width="([\d.]+)%" height="([\d.]+)%"/g),
  ].map(([, ...numbers]) => numbers.map(Number));
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  expect(boxes).toHaveLength(sizes.length);
  for (const [index, [x = 0, y = 0, width = 0, height = 0]] of boxes.entries()) {
    expect((width * height) / 100).toBeCloseTo(((sizes[index] ?? 0) / whole) * 100, 0);
    expect(Math.max(x + width, y + height)).toBeLessThan(100.02);
    const overlaps = boxes.filter(
      ([left = 0, top = 0, wideness = 0, tallness = 0]) =>
        left + 0.02 < x + width &&
        x + 0.02 < left + wideness &&
        top + 0.02 < y + height &&
        y + 0.02 < top + tallness,
    );
    expect(overlaps).toHaveLength(1);
  }
});

test('bars start at a common zero, and the longest fill the width', () => {
  const bars = (...amounts: number[]) => {
    const rows = amounts.map((cents) => ({ name: String(cents), cents }));
    const html = renderToString(h(BarList, { label: 'Profit', rows }));
    return [...html.matchAll(/x="(.*?)" width="(.*?)"/g)].map(([, x, width]) => [x, width]);
  };
  expect(bars(-50, -100)).toEqual([
    ['50.00%', '50.00%'],
    ['0.00%', '100.00%'],
  ]);
  expect(bars(300, -100)).toEqual([
    ['25.00%', '75.00%'],
    ['0.00%', '25.00%'],
  ]);
});

test('a range bar merges the labels of close marks, and keeps them inside', () => {
  const marked = (bestOffer: number) =>
    renderToString(
      h(RangeBar, {
        lowCents: 5_000,
        valueCents: 6_000,
        highCents: 7_500,
        marks: [
          { name: 'List price', cents: 1_000 },
          { name: 'Best offer', cents: bestOffer },
        ],
      }),
    );
  expect(marked(1_200)).toContain('text-anchor="start">List price, best offer<');
  expect(marked(4_000)).toContain('text-anchor="middle">Best offer<');
  expect(marked(4_000)).toContain('text-anchor="start">List price<');
});

describe('the axes of a chart', () => {
  test.each([
    ['usd', [12, 48], ['$10', '$20', '$30', '$40', '$50']],
    ['usd', [5, 5], ['$4', '$6']],
    ['count', [0, 2], ['0', '1', '2']],
    ['usd', [6_310_000, 7_590_000], ['$6M', '$6.5M', '$7M', '$7.5M', '$8M']],
  ] as const)('of %s from %p are at round values', (unit, values, texts) => {
    const shown = valueTicks(unit, values, false).map(({ text }) => text);
    if (texts.length > 2) expect(shown).toEqual([...texts]);
    else expect(shown.length).toBeGreaterThanOrEqual(2);
  });

  test('include 0 if there are bars', () => {
    expect(valueTicks('usd', [20, 30], true)[0]?.value).toBe(0);
  });

  test('have at most nine dates, all inside of the chart', () => {
    const day = 86_400;
    for (const days of [1, 6, 30, 90, 364, 1000, 4000, 20_000]) {
      const ticks = dateTicks(20_000 * day, (20_000 + days) * day);
      expect(ticks.length).toBeGreaterThanOrEqual(1);
      expect(ticks.length).toBeLessThanOrEqual(9);
      for (const { seconds } of ticks) expect(seconds).toBeGreaterThanOrEqual(20_000 * day);
    }
  });
});

describe('a chart', () => {
  const columns = [{ name: 'Value', look: 'line' as const }];
  const rows = [
    { at: '2020-01-01', values: [null] },
    { at: '2026-01-01', values: [10] },
    { at: '2026-02-01', values: [12] },
    { at: '2026-03-01', values: [null] },
  ];

  test('starts at the first value and ends at the last', () => {
    const props = { id: 'a', caption: 'Value', unit: 'usd' as const, columns };
    const html = renderToString(h(Chart, { ...props, rows }));
    expect(html).not.toContain('Jan 1, 2020');
    expect(html).toContain('Jan 1, 2026');
    expect(html).not.toContain('Mar 1, 2026');
  });

  test('lists older marks at its first value, the latest five of a kind', () => {
    const props = { id: 'a', caption: 'Value', unit: 'usd' as const, columns, rows };
    const years = Array.from({ length: 7 }, (_, index) => `${2014 + index}-01-01`);
    const marks = years.map((at) => ({ at, kind: 'sale' as const, text: 'sold', value: 99 }));
    const html = renderToString(h(Chart, { ...props, marks }));
    expect(html).toContain(
      '<td>Jan 1, 2026</td><td>10</td><td>Jan 1, 2016: sold, Jan 1, 2017: sold, ' +
        'Jan 1, 2018: sold, Jan 1, 2019: sold, Jan 1, 2020: sold, 2 earlier</td>',
    );
    expect(html.match(/class="mark sale k2"/g)).toHaveLength(1);
    // Their prices do not change the scale.
    expect(html).toContain('data-sheet="1767225600 1769904000 10 12"');
  });

  test('has lines that are off unless the address says otherwise', () => {
    const keys = (query: string) => hiddenKeys(new URLSearchParams(query), ['cost']);
    expect([keys(''), keys('hide=none'), keys('hide=cost,b')]).toEqual([
      ['cost'],
      ['none'],
      ['cost', 'b'],
    ]);
  });

  test('has a legend for its marks', () => {
    const props = { id: 'a', caption: 'Value', unit: 'usd' as const, columns, rows };
    const marks = [{ at: '2026-02-01', kind: 'sale' as const, text: '1 unit sold' }];
    const html = renderToString(h(Chart, { ...props, marks }));
    expect(html).toMatch(/class="legend".*Value.*Sales<\/label>/s);
    expect(html).toContain('<td>1 unit sold</td>');
    expect(html).not.toContain('Purchases');
  });

  const usd = { id: 'a', caption: 'Value', unit: 'usd' as const, columns };

  test('has one band for a range, between its two columns', () => {
    const edge = { key: 'range', look: 'edge' as const };
    const range = [
      { ...edge, name: 'High', legend: 'Range' },
      { ...edge, name: 'Low' },
    ];
    const values = rows.map(({ at }) => ({ at, values: [10, 12, 8] }));
    const props = { ...usd, columns: [...columns, ...range], rows: values };
    const html = renderToString(h(Chart, props));
    expect(html.match(/<path class="band [^>]*>/g)).toHaveLength(1);
  });

  test('has unchecked boxes for lines that are off, and its axis is that of the others', () => {
    const two = [...columns, { key: 'b', name: 'Other', look: 'step' as const }];
    const both = [
      { at: '2026-01-01', values: [10, 900] },
      { at: '2026-02-01', values: [12, 900] },
    ];
    const levels = [
      { key: 'list', name: 'List price', tone: 'level-1' as const, value: 11, text: '$11.00' },
    ];
    const props = { ...usd, columns: two, rows: both, levels };
    const html = renderToString(h(Chart, { ...props, hidden: ['b'] }));
    expect(html).toContain('value="Value" checked autocomplete="off"/>');
    expect(html).toContain('value="b" autocomplete="off"/>');
    expect(html).toContain('data-value="$11.00"');
    expect(html).toContain('List price $11.00</label>');
    expect(html).toContain('>$12</text>');
    expect(html).not.toContain('>$750</text>');
    expect(renderToString(h(Chart, props))).toContain('>$750</text>');
    expect(renderToString(h(Chart, props))).not.toContain('data-address');
  });

  test('shows the current range, and its axis is that of the range', () => {
    const long = [
      { at: '2020-01-01', values: [900] },
      { at: '2026-01-01', values: [10] },
      { at: '2026-02-01', values: [12] },
    ];
    const ranges = [
      { href: '/?range=1m', text: '1M', isCurrent: true, from: Date.UTC(2026, 0, 1) },
      { href: '/', text: 'All', isCurrent: false, from: 0 },
    ];
    const html = renderToString(h(Chart, { ...usd, rows: long, ranges }));
    expect(html).toContain('>$12</text>');
    expect(html).not.toContain('>$750</text>');
    expect(html).toContain(`data-from="${Date.UTC(2026, 0, 1) / 1000}"`);
    expect(html).toContain('Jan 1, 2020');
  });

  test('has the steps of a line at their own times, up to where a gap starts', () => {
    const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 1, 1)];
    const middle = (from + to) / 2;
    const points = [
      { at: from, value: 10 },
      { at: middle, value: null },
    ];
    const stepped = [...columns, { name: 'Price', look: 'step' as const, points }];
    const both = [
      { at: '2026-01-01', values: [20, 10] },
      { at: '2026-02-01', values: [20, null] },
    ];
    const html = renderToString(h(Chart, { ...usd, columns: stepped, rows: both }));
    expect(html).toContain('class="step series-1" d="M0,240H500"');
  });

  test('has times only in days with several rows', () => {
    const moments = ['2026-01-01', '2026-01-05T10:00:00Z', '2026-02-01T10:00:00Z'];
    const again = [...moments, '2026-02-01T12:00:00Z'].map((at) => ({ at, values: [1] }));
    const html = renderToString(h(Chart, { ...usd, rows: again }));
    expect(html.match(/(?<=<tr[^>]*><td>)[^<]*/g)).toEqual([
      'Jan 1, 2026',
      'Jan 5, 2026',
      'Feb 1, 2026, 10:00 UTC',
      'Feb 1, 2026, 12:00 UTC',
    ]);
  });

  test('of fewer than two values is a sentence', () => {
    const props = { id: 'a', caption: 'Value', unit: 'usd' as const, columns };
    const html = renderToString(
      h(Chart, { ...props, rows: rows.slice(0, 2), empty: 'No history yet.' }),
    );
    expect(html).toBe('<p class="quiet">No history yet.</p>');
  });

  test('is rendered without script, with gaps for missing values', () => {
    const gap = [rows[1], rows[2], rows[3], { at: '2026-04-01', values: [11] }].flatMap(
      (row) => row ?? [],
    );
    const props = { id: 'a', caption: 'Value', unit: 'usd' as const, columns };
    const html = renderToString(h(Chart, { ...props, rows: gap }));
    expect(html).toMatch(/d="M0,\d+(\.\d+)?L[\d.,]+M1000,[\d.]+"/);
  });
});

test('cells of a placed table have no attributes, and the style sheet has rules for their positions', () => {
  const head = { key: 'cost', name: 'Cost', isNumber: true };
  const html = renderToString(
    DataTable({
      label: 'Lots',
      rows: [7],
      columns: [
        { key: 'set', name: 'Set', isMain: true, cell: () => 'Castle' },
        { ...head, cell: (cents) => cents },
      ],
      select: { name: 'lot', value: String },
      isPlaced: true,
    }),
  );
  expect(html).toContain('class="cards selectable set-2 cost-3"');
  expect(html).toContain('aria-labelledby="7"/></td><td id="7">Castle</td><td>7</td></tr>');
  const style = columnStyle([head], { from: 3, to: 4 });
  expect(style).toContain('.cost-3 td:nth-child(3)::before { content: "Cost"; }');
  expect(style).toContain('.cost-4 td:nth-child(4) { text-align: right; white-space: nowrap; }');
  const minor = columnStyle([{ ...head, isMinor: true }], { from: 3, to: 3 });
  // Hidden columns are still available to screen readers.
  expect(minor).toContain('.cost-3:has(th:nth-child(9)) :is(th, td):nth-child(3)');
  expect(minor).toContain('clip-path: inset(50%)');
  expect(minor).not.toContain('display: none');
});

test('the sort menu on phones links to the orders of the columns', () => {
  const cell = () => '';
  const html = renderToString(
    DataTable({
      label: 'Sales',
      rows: [],
      columns: [
        { key: 'set', name: 'Set', isSortable: true, cell },
        { key: 'date', name: 'Date', isDay: true, isSortable: true, cell },
        { key: 'net', name: 'Net', isNumber: true, isSortable: true, cell },
        { key: 'note', name: 'Note', cell },
      ],
      sort: { key: 'date', isDescending: true, href: (by, down) => (down ? `?-${by}` : `?${by}`) },
    }),
  );
  const menu = html.slice(0, html.indexOf('<table'));
  expect(menu).toContain('Sort: Date, newest first</summary>');
  expect(menu).toContain('<a href="?-date" aria-current="true">');
  expect(
    [...menu.matchAll(/href="([^"]+)"[^>]*>([^<]+)/g)].map(([, to, text]) => [to, text]),
  ).toEqual([
    ['?set', 'Set, A to Z'],
    ['?-set', 'Set, Z to A'],
    ['?-date', 'Date, newest first'],
    ['?date', 'Date, oldest first'],
    ['?-net', 'Net, high to low'],
    ['?net', 'Net, low to high'],
  ]);
});

test('a file has the fields of columns in their order, after those named first', async () => {
  const columns = [
    mainColumn<number>('Set', String, { csv: { number: (row) => row, title: () => '"A, B"' } }),
    column<number>('Note', String),
    numberColumn<number>('Cost', String, { csv: { cost: (row) => (row / 2).toFixed(2) } }),
  ];
  const pieces = await Array.fromAsync(csvOf(columnFields(columns, ['cost']), [1, 2]));
  expect(pieces.join('')).toBe('cost,number,title\r\n0.50,1,"A, B"\r\n1.00,2,"A, B"\r\n');
});

test('a list without rows has the reason, and rejected filters come first', () => {
  const list = (faults: Record<string, string>) =>
    renderToString(
      h(List<number>, {
        request: request('/market'),
        label: 'Sets',
        columns: [],
        rows: [],
        total: 0,
        typed: { values: {}, faults },
        empty: 'No sets match',
      }),
    );
  expect(list({})).toContain('No sets match');
  expect(list({ year: 'Enter a whole number.' })).toContain('Correct the fields marked above');
  expect(list({ year: 'Enter a whole number.' })).not.toContain('No sets match');
});

describe('the form of filters', () => {
  const filters = [
    { name: 'q', label: 'Search', type: 'search' },
    { name: 'theme', label: 'Theme' },
    { name: 'year', label: 'Year', isRare: true },
    { name: 'show', label: 'Stock', value: 'held', isRare: true },
    { name: 'sort', label: 'Sort by', isRare: true, isSetting: true },
  ] as const;
  const html = (values: Record<string, string>, faults: Record<string, string> = {}) =>
    renderToString(
      h(FilterForm, { action: '/market', typed: { values, faults }, filters, clear: null }),
    );

  test('counts the filters in use, without the search, defaults and settings', () => {
    const unused = html({ q: 'castle', show: 'held', sort: 'name' });
    expect(unused).toContain('>Filters</summary>');
    expect(unused).toContain('<details class="more"><summary class="button plain">More filters<');
    const used = html({ theme: 'Castle', year: '2026', show: 'sold' });
    expect(used).toContain('>Filters (3)</summary>');
    expect(used).toContain(
      '<details class="more" open><summary class="button plain">More filters (2)<',
    );
  });

  test('opens if a field has an error', () => {
    expect(html({ theme: 'x' }, { theme: 'Unknown.' })).toContain('<details class="fold" open>');
    expect(html({ theme: 'x' }, { theme: 'Unknown.' })).toContain('<details class="more">');
    expect(html({ year: '' }, { year: 'Unknown.' })).toContain('<details class="more" open>');
    expect(html({}, { margin: 'Unknown.' })).toContain('<details class="more" open>');
  });
});

test('the path of a sparkline has whole numbers', () => {
  const html = renderToString(h(Sparkline, { values: [100, 150, 120], label: '+20.0%' }));
  expect(html).toContain('class="spark gain" role="img" aria-label="+20.0%"');
  expect(html).toContain('d="m0 40 27-40 27 24"');
});

test('a sparkline of one value is not drawn', () => {
  expect(renderToString(h(Sparkline, { values: [null, 3], label: 'x' }))).toBe('');
});

test('a table sorts numbers from the largest first, and back', () => {
  const table = (isDescending: boolean, key: string) =>
    renderToString(
      DataTable({
        label: 'Lots',
        rows: [{ value: 1 }],
        columns: [
          { key: 'value', name: 'Value', isNumber: true, isSortable: true, cell: () => 1 },
          { key: 'note', name: 'Note', cell: () => '' },
        ],
        sort: { key, isDescending, href: (by, down) => `?sort=${by}&down=${down}` },
      }),
    );
  expect(table(true, 'value')).toContain('aria-sort="descending"');
  expect(table(true, 'value')).toContain('href="?sort=value&amp;down=false"');
  expect(table(false, 'note')).toContain('href="?sort=value&amp;down=true"');
});
