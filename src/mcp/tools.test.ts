/** The API calls of each tool, and its results as data and text. */
import { describe, expect, test } from 'bun:test';
import type { Brickmark } from '../../clients/typescript/src/index.ts';
import { BrickmarkError, NetworkError } from '../../clients/typescript/src/index.ts';
import { compileTool } from './call.ts';
import { describeTool, requireCalls, type Tool, ToolRefusal } from './tool.ts';
import { findDeals } from './tools/find-deals.ts';
import { findItems } from './tools/find-items.ts';
import { getValues } from './tools/get-values.ts';
import { myPortfolio } from './tools/my-portfolio.ts';
import { mySales } from './tools/my-sales.ts';
import { retailPrices } from './tools/retail-prices.ts';
import { valueHistory } from './tools/value-history.ts';
import { whatToPay } from './tools/what-to-pay.ts';
import { lines, shownText, usdText } from './words.ts';

const budget = { limit: 100, remaining: 60, reset: '2026-11-16T00:00:00.000Z' };

/** An API with these responses, which records its requests. */
function apiOf(answers: Readonly<Record<string, unknown>>, remaining = 60) {
  const asked: unknown[][] = [];
  const operation =
    (name: string) =>
    async (...given: unknown[]) => {
      asked.push([name, ...given]);
      return answers[name];
    };
  const named = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, operation(name)]));
  const client = {
    ...named(Object.keys(answers)),
    plus: {
      ...named(['listDeals', 'getMaxBuy', 'evaluateBox']),
      getUsage: async () => ({ ...budget, remaining }),
    },
    budget,
  } as unknown as Brickmark;
  return { client, asked };
}

async function run(tool: Tool, input: object, answers: Readonly<Record<string, unknown>>) {
  const { client, asked } = apiOf(answers);
  const { data, text } = await tool.run(input as never, client);
  return { data: data as Record<string, unknown>, text, asked };
}

const page = (total: number, { limit = 10, offset = 0, has_more = false } = {}) => ({
  pagination: { total, limit, offset, has_more },
});

describe('find_deals', () => {
  const deal = {
    set_number: '1',
    title: 'Castle',
    retailer: 'retailer_a',
    price_usd: 50,
    max_buy_usd: 60,
    best_channel: 'ebay',
    profit_usd: 12.5,
    roi_pct: 25,
    warnings: [],
  };

  test('requests ten deals by default, and says how to get more', async () => {
    const warned = { ...deal, warnings: ['thin', 'old'] };
    const once = { ...deal, warnings: ['thin'] };
    const more = { deals: [deal, once, warned], ...page(9, { limit: 2, has_more: true }) };
    const { data, text, asked } = await run(findDeals, { theme: 'Town' }, { listDeals: more });
    expect(asked).toEqual([['listDeals', { theme: 'Town', limit: 10, offset: 0 }]]);
    expect(data).toMatchObject({ total: 9, has_more: true, next_offset: 2 });
    const line =
      '- 1 Castle at retailer_a for $50.00 (max buy $60.00): sells on ebay, profit $12.50 (+25.0%)';
    expect(text.split('\n')).toEqual([
      line,
      `${line}; check: thin`,
      `${line}; check: thin, old`,
      'Showing 3 of 9. For more, set offset to 2.',
    ]);
  });

  test('says what to try if there is none', async () => {
    const { text } = await run(findDeals, {}, { listDeals: { deals: [], ...page(0) } });
    expect(text).toStartWith('No deals match.');
  });
});

describe('find_items', () => {
  const set = { set_number: '1', title: 'Castle', theme: 'Town', year: 2020, retired: true };
  const figure = { minifig_number: 'f1', name: 'Guard', year_released: 1999 };
  const answers = {
    searchSets: {
      results: [
        set,
        { ...set, theme: null, year: null, retired: false },
        { ...set, year: null, retired: false },
      ],
      ...page(5, { limit: 3, has_more: true }),
    },
    searchMinifigs: { results: [figure, { ...figure, year_released: null }], ...page(2) },
  };

  test('searches both by default', async () => {
    const { data, text, asked } = await run(findItems, { query: 'x' }, answers);
    const question = { q: 'x', limit: 10, offset: 0 };
    expect(asked).toEqual([
      ['searchSets', question],
      ['searchMinifigs', question],
    ]);
    expect(data).toMatchObject({
      sets: { total: 5, next_offset: 3 },
      minifigs: { total: 2, next_offset: null },
    });
    expect(text.split('\n')).toEqual([
      'Matching sets:',
      '- 1 Castle (Town, 2020, retired)',
      '- 1 Castle',
      '- 1 Castle (Town)',
      'Showing 3 of 5. For more, set offset to 3.',
      'Matching minifigures:',
      '- f1 Guard (1999)',
      '- f1 Guard',
    ]);
  });

  test.each([
    ['set', 'searchSets', 'minifigs'],
    ['minifig', 'searchMinifigs', 'sets'],
  ])('searches only a %s', async (kind, operation, other) => {
    const { data, asked } = await run(
      findItems,
      { query: 'x', kind, limit: 3, offset: 6 },
      answers,
    );
    expect(asked).toEqual([[operation, { q: 'x', limit: 3, offset: 6 }]]);
    expect(data[other]).toBeNull();
  });

  test('says so if nothing matches', async () => {
    const nothing = { searchSets: { results: [], ...page(0) } };
    const { text } = await run(findItems, { query: 'x', kind: 'set' }, nothing);
    expect(text).toBe('No sets match. Try fewer or different words, or the number.');
  });

  test('of both is refused if one call is left, of one kind it is not', async () => {
    const { client } = apiOf(answers, 1);
    await expect(findItems.run({ query: 'x' } as never, client)).rejects.toThrow(ToolRefusal);
    await findItems.run({ query: 'x', kind: 'set' } as never, client);
    await findItems.run({ query: 'x' } as never, apiOf(answers, 2).client);
  });
});

describe('get_values', () => {
  const set = {
    found: true,
    set_number: '1',
    title: 'Castle',
    theme: 'Town',
    status_id: 4,
    msrp_usd: null,
    new_value_usd: 150,
    used_value_usd: 90.5,
    value_range: { low: 120, high: 180 },
    data_tier: 'high',
    minifigs: Array.from({ length: 26 }, (_, index) => `f${index}`),
  };
  const figure = {
    found: true,
    minifig_number: 'f1',
    name: 'Guard',
    current_value_usd: 5,
    value_range: { low: 4, high: 6 },
    set_count: 26,
    sets: Array.from({ length: 26 }, (_, index) => String(index)),
  };
  const batch = {
    sets: [set, { found: false, set_number: '9' }, { ...set, value_range: null, status_id: 1 }],
    minifigs: [figure, { found: false, minifig_number: 'f9' }],
    summary: { requested: 5 },
  };

  test('has found and missing items', async () => {
    const input = { sets: ['1', '9', '2'], minifigs: ['f1', 'f9'] };
    const { data, text, asked } = await run(getValues, input, { getBatch: batch });
    expect(asked).toEqual([['getBatch', input]]);
    expect(data).toMatchObject({ not_found: ['9', 'f9'], total: 5 });
    expect(data.sets).toMatchObject([{ status: 'retired' }, { status: 'announced' }]);
    expect((data.sets as (typeof set)[])[0]?.minifigs).toHaveLength(25);
    expect((data.sets as (typeof set)[])[0]?.minifigs[0]).toBe('f0');
    expect((data.minifigs as (typeof figure)[])[0]?.sets).toHaveLength(25);
    expect((data.minifigs as (typeof figure)[])[0]?.sets[0]).toBe('0');
    const [first, second, third, last] = text.split('\n');
    expect(first).toStartWith(
      '- 1 Castle (Town, retired, MSRP unknown): new $150.00 (range $120.00 to $180.00; ' +
        'data_tier high: ',
    );
    expect(first).toEndWith('); used $90.50');
    expect(second).toContain('new $150.00 (data_tier high: ');
    expect(third).toBe('- f1 Guard: $5.00 (range $4.00 to $6.00); in 26 sets');
    expect(last).toBe('Not in the catalog: 9, f9.');
  });

  test('omits missing items if there are none, and an unknown range', async () => {
    const minifigs = [{ ...figure, value_range: null }];
    const found = { getBatch: { sets: [], minifigs, summary: { requested: 1 } } };
    const { text } = await run(getValues, { minifigs: ['f1'] }, found);
    expect(text).toBe('- f1 Guard: $5.00; in 26 sets');
    const missing = { ...found.getBatch, sets: [{ found: false, set_number: '9' }] };
    const one = await run(getValues, { sets: ['9'] }, { getBatch: missing });
    expect(one.text).toEndWith('Not in the catalog: 9.');
  });

  test.each([
    [0, 0, false],
    [1, 0, true],
    [0, 1, true],
    [25, 25, true],
    [25, 26, false],
  ])('of %i sets and %i minifigures is accepted: %p', async (sets, minifigs, isAnswered) => {
    const input = { sets: Array(sets).fill('1'), minifigs: Array(minifigs).fill('f1') };
    const result = await run(getValues, input, { getBatch: batch }).catch((error) => error);
    expect(result instanceof ToolRefusal).toBe(!isAnswered);
  });
});

describe('my_portfolio', () => {
  const lot = {
    quantity: 2,
    set_number: '1',
    title: 'Castle',
    condition: 'sealed',
    purchase_date: '2024-01-02',
    purchase_price_usd: 10,
    current_value_usd: 15,
    unrealized_gain_loss_pct: 50,
  };
  const summary = {
    total_items: 2,
    total_sets: 1,
    total_current_value_usd: 30,
    total_cost_basis_usd: 20,
    unrealized_gain_loss_usd: 10,
    unrealized_gain_loss_pct: 50,
    top_gainer: { set_number: '1', title: 'Castle', gain_pct: 50 },
    top_loser: { set_number: '2', title: 'Boat', loss_pct: -5 },
  };
  const collections = Array.from({ length: 21 }, (_, index) => {
    return { id: index, name: 'Shelf', owned_item_count: 1, total_current_value_usd: 15 };
  });
  const answers = {
    listEntries: { entries: [lot], ...page(3, { limit: 1, has_more: true }) },
    getAnalytics: { summary, value_history: Array.from({ length: 15 }, (_, value) => value) },
    listBrickfolios: { brickfolios: collections },
  };
  const line = '- 2 × 1 Castle, sealed, bought 2024-01-02 at $10.00, now $15.00 each (+50.0%)';
  const place = 'Showing 1 of 3. For more, set offset to 1.';

  test('starts with the totals, at most 20 collections, and 14 points', async () => {
    const { data, text, asked } = await run(myPortfolio, { period: '1y' }, answers);
    expect(asked).toEqual([
      ['listEntries', { brickfolio_id: undefined, limit: 20, offset: 0 }],
      ['getAnalytics', { period: '1y' }],
      ['listBrickfolios'],
    ]);
    expect(data).toMatchObject({ summary, items: [lot], total: 3, next_offset: 1 });
    expect(data.collections).toEqual(collections.slice(0, 20));
    expect(data.value_history).toHaveLength(14);
    const said = text.split('\n');
    expect(said.slice(0, 5)).toEqual([
      '2 units of 1 set, worth $30.00, cost $20.00, gain $10.00 (+50.0%).',
      'Best: 1 Castle (+50.0%).',
      'Worst: 2 Boat (-5.0%).',
      'Collections:',
      '- Shelf (id 0): 1 unit, $15.00',
    ]);
    expect(said.slice(-3)).toEqual(['Holdings:', line, place]);
    expect(said).toHaveLength(27);
  });

  test('with an offset has only further holdings', async () => {
    const { data, text, asked } = await run(myPortfolio, { offset: 1, limit: 5 }, answers);
    expect(asked).toHaveLength(1);
    expect(data).toMatchObject({ summary: null, collections: null, value_history: null });
    expect(text).toBe(`${line}\n${place}`);
  });

  test('of nothing says so; a single collection is not listed', async () => {
    const loss = { ...summary, unrealized_gain_loss_usd: -10, unrealized_gain_loss_pct: -50 };
    const { data, text } = await run(
      myPortfolio,
      {},
      {
        listEntries: { entries: [], ...page(0) },
        getAnalytics: {
          summary: { ...loss, top_gainer: null, top_loser: null },
          value_history: [],
        },
        listBrickfolios: { brickfolios: collections.slice(0, 1) },
      },
    );
    expect(text.split('\n')).toEqual([
      '2 units of 1 set, worth $30.00, cost $20.00, loss $10.00 (-50.0%).',
      'Holdings:',
      'None.',
    ]);
    expect(data.summary).toMatchObject({ top_gainer: null, top_loser: null });
    expect(data.value_history).toEqual([]);
  });

  test('no change is not a loss', async () => {
    const even = { ...summary, unrealized_gain_loss_usd: 0, unrealized_gain_loss_pct: 0 };
    const unknown = {
      ...even,
      top_gainer: { ...summary.top_gainer, gain_pct: null },
      top_loser: { ...summary.top_loser, loss_pct: null },
    };
    const getAnalytics = { summary: unknown, value_history: [] };
    const { text } = await run(myPortfolio, {}, { ...answers, getAnalytics });
    expect(text).toContain('gain $0.00 (0.0%).');
    expect(text).toContain('Best: 1 Castle (0.0%).');
    expect(text).toContain('Worst: 2 Boat (0.0%).');
  });

  test('needs three calls, or one with an offset', async () => {
    const { client } = apiOf(answers, 2);
    await expect(myPortfolio.run({} as never, client)).rejects.toThrow('This needs 3 calls');
    await myPortfolio.run({} as never, apiOf(answers, 3).client);
    await myPortfolio.run({ offset: 1 } as never, client);
  });
});

describe('my_sales', () => {
  const sale = {
    sale_date: '2025-01-02',
    quantity: 1,
    set_number: '1',
    title: 'Castle',
    platform: 'ebay',
    gross_proceeds_usd: 50,
    net_proceeds_usd: 40,
    profit_loss_usd: 30,
    roi_pct: 300,
  };

  test('lists twenty sales by default', async () => {
    const sales = [sale, { ...sale, roi_pct: null }];
    const { data, text, asked } = await run(mySales, {}, { listSales: { sales, ...page(2) } });
    expect(asked).toEqual([['listSales', { limit: 20, offset: 0 }]]);
    expect(data).toEqual({ items: sales, total: 2, has_more: false, next_offset: null });
    const line = '- 2025-01-02: 1 × 1 Castle on ebay for $50.00, net $40.00, profit $30.00';
    expect(text).toBe(`${line} (+300.0%)\n${line}`);
  });

  test('says so if there is none', async () => {
    const { text } = await run(mySales, {}, { listSales: { sales: [], ...page(0) } });
    expect(text).toBe('No sales recorded.');
  });
});

describe('retail_prices', () => {
  const block = {
    price: 50,
    sellerType: 'retailer',
    inStock: true,
    atLowest: true,
    lowest: 50,
    changedAt: '2026-11-10T08:00:00.000Z',
    lastChange: -10,
  };
  const row = {
    setNumber: '1',
    name: 'Castle',
    retailer_a: block,
    retailer_b: { ...block, atLowest: false, lowest: 40, changedAt: null },
    retailer_aExit: { lowestFba: null, buyBox: 60, netFba: 45 },
    paid: 20,
  };

  test('has both retailers, resale and the price paid', async () => {
    const answers = { findRetailPrices: row };
    const { data, text, asked } = await run(retailPrices, { barcode: '123' }, answers);
    const question = { set: undefined, asin: undefined, upc: '123' };
    expect(asked).toEqual([['findRetailPrices', question]]);
    expect(data).toEqual({ row });
    expect(text.split('\n')).toEqual([
      '1 Castle',
      '- Retailer A: $50.00, sold by the retailer, in stock, the lowest ever, ' +
        'changed by -$10.00 on 2026-11-10',
      '- Retailer B: $50.00, sold by the retailer, in stock, lowest ever $40.00',
      '- Resale at A: nets $45.00 of $60.00',
      '- You paid $20.00 on average',
    ]);
  });

  test('omits what is unknown', async () => {
    const exit = { lowestFba: 55, buyBox: 60, netFba: null };
    const { paid: _, ...unpaid } = { ...row, retailer_aExit: exit };
    const { text } = await run(retailPrices, { set: '1' }, { findRetailPrices: unpaid });
    expect(text.split('\n')).toHaveLength(3);
    const cheaper = { ...row, retailer_aExit: { ...exit, netFba: 45 } };
    const resale = await run(retailPrices, { set: '1' }, { findRetailPrices: cheaper });
    expect(resale.text).toContain('nets $45.00 of $55.00');
    const none = await run(retailPrices, { asin: 'B0' }, { findRetailPrices: null });
    expect(none.text).toStartWith('No retail prices found.');
  });

  test.each([{}, { set: '1', asin: 'B0' }])(
    'refuses %p, which names no item or two',
    async (input) => {
      const { client, asked } = apiOf({ findRetailPrices: row });
      await expect(retailPrices.run(input as never, client)).rejects.toThrow('exactly one of');
      expect(asked).toEqual([]);
    },
  );
});

describe('value_history', () => {
  const month = (index: number) => ({
    month: `2024-${String(index).padStart(2, '0')}`,
    value_usd: index === 1 ? null : index * 10,
    range_low: null,
    range_high: null,
    sales_count: index === 2 ? null : index,
    event: index === 3 ? 'retired' : null,
  });
  const history = [1, 2, 3].map(month);
  const answers = { getSetHistory: { set_number: '1', condition: 'sealed', history } };

  test('has months, newest first, and a summary of all', async () => {
    const input = { set: '1', condition: 'used', limit: 2 };
    const { data, text, asked } = await run(valueHistory, input, answers);
    expect(asked).toEqual([['getSetHistory', '1', { condition: 'used' }]]);
    expect(data).toMatchObject({ total: 3, has_more: true, next_offset: 2 });
    expect(data.items).toEqual([month(3), month(2)]);
    expect(text.split('\n')).toEqual([
      'Set 1, sealed: $30.00 in 2024-03, high $30.00 (2024-03), low $20.00 (2024-02)',
      '- 2024-03: $30.00, 3 sales, retired',
      '- 2024-02: $20.00',
      'Showing 2 of 3. For more, set offset to 2.',
    ]);
    const rest = await run(valueHistory, { set: '1', offset: 2 }, answers);
    expect(rest.data).toMatchObject({ items: [month(1)], has_more: false, next_offset: null });
  });

  test('has 24 months by default, and changes over years', async () => {
    const long = Array.from({ length: 61 }, (_, index) => ({
      ...month(2),
      value_usd: 100 + index,
    }));
    const getSetHistory = { set_number: '1', condition: 'sealed', history: long };
    const { data, text } = await run(valueHistory, { set: '1' }, { getSetHistory });
    expect(data.items).toHaveLength(24);
    expect(text).toContain('$160.00 in 2024-02, +8.1% in 1 year, +60.0% in 5 years, high');
  });

  test('without values says so', async () => {
    const getSetHistory = { set_number: '1', condition: 'sealed', history: [month(1)] };
    const { text } = await run(valueHistory, { set: '1' }, { getSetHistory });
    expect(text).toStartWith('Set 1, sealed: no month has a value yet.');
  });

  test.each([
    ['.', true],
    ['..', true],
    ['...', false],
    ['.1', false],
  ])('of %p is refused: %p', async (set, isRefused) => {
    const result = await run(valueHistory, { set }, answers).catch((error) => error);
    expect(result instanceof ToolRefusal).toBe(isRefused);
  });
});

describe('what_to_pay', () => {
  const item = {
    number: '1',
    title: 'Castle',
    condition: 'sealed',
    value_usd: 100,
    reason: 'nothing_left',
    best_channel: null,
    channels: [],
    margin_pct: 25,
    share: 0.8,
  };
  const box = {
    items: [
      { found: true, number: '1', title: 'Castle', quantity: 2, total_value_usd: 200 },
      { found: false, number: '9' },
    ],
    summary: {
      units: 3,
      units_valued: 2,
      sum_of_values_usd: 200,
      max_bid_usd: 120,
      best_channel: 'ebay',
      profit_usd: 15,
    },
  };
  const answers = { getMaxBuy: item, evaluateBox: box };

  test.each([
    [[{ set: '1' }], undefined, 'getMaxBuy'],
    [[{ minifig: 'f1', quantity: 1 }], undefined, 'getMaxBuy'],
    [[{ set: '1', quantity: 2 }], undefined, 'evaluateBox'],
    [[{ set: '1' }], 50, 'evaluateBox'],
    [[{ set: '1' }, { set: '2' }], undefined, 'evaluateBox'],
  ])('%j for %p asks %s', async (items, cost_usd, operation) => {
    const { data, asked } = await run(whatToPay, { items, cost_usd }, answers);
    expect(asked.map(([name]) => name)).toEqual([operation]);
    expect([data.item === null, data.box === null]).toEqual([
      operation !== 'getMaxBuy',
      operation === 'getMaxBuy',
    ]);
  });

  test('of a box has the bid, its items and what is missing', async () => {
    const { text } = await run(whatToPay, { items: [{ set: '1' }, { set: '9' }] }, answers);
    expect(text.split('\n')).toEqual([
      '3 units, 2 with a value; sum of values $200.00.',
      'Bid at most $120.00 (sold on ebay).',
      'Expected profit at this cost: $15.00.',
      '- 2 × 1 Castle: $200.00',
      'Not in the catalog: 9.',
    ]);
    const summary = { ...box.summary, max_bid_usd: null, profit_usd: null };
    const evaluateBox = { items: box.items.slice(0, 1), summary };
    const none = await run(whatToPay, { items: [{ set: '1', quantity: 2 }] }, { evaluateBox });
    expect(none.text.split('\n').slice(1)).toEqual([
      'No max bid: no price leaves the margin, or too little is known.',
      '- 2 × 1 Castle: $200.00',
    ]);
  });

  test.each([
    [[{}], 0],
    [[{ set: '1' }, { set: '1', minifig: 'f1' }], 1],
  ])('refuses the items %j, one of which is none or two', async (items, wrong) => {
    const words = `Send either set or minifig in items.${wrong}, not both.`;
    await expect(run(whatToPay, { items }, answers)).rejects.toThrow(words);
  });
});

describe('a call', () => {
  const call = async (tool: Tool, fault: unknown, input: object = {}) => {
    const { client } = apiOf({});
    const failing = { ...tool, run: () => Promise.reject(fault) };
    const { content, isError } = await compileTool(failing)(input, { brickmark: client });
    return [content[0]?.text, isError];
  };
  const faultOf = (code: BrickmarkError['code'], facts: object = {}) =>
    new BrickmarkError({
      code,
      message: 'Said.',
      status: 400,
      requestId: 'r1',
      retryAfter: null,
      budget: null,
      ...facts,
    });

  test.each([
    ['No tool works until then', faultOf('QuotaExceeded', { budget: { ...budget, remaining: 0 } })],
    ['Request at most 60 until then', faultOf('QuotaExceeded', { budget })],
    ['Said. ', faultOf('QuotaExceeded')],
    ['The user can create a new key', faultOf('MissingApiKey')],
    ['The user can create a new key', faultOf('InvalidApiKey')],
    ['no tool works', faultOf('TierRequired')],
    ['Said. Find numbers with find_items. The call was charged.', faultOf('NotFound')],
    ['Said. (Request r1.)', faultOf('InternalError')],
    ['Said. (Request unknown.)', faultOf('InternalError', { requestId: null })],
    ['Said.', faultOf('UnexpectedResponse')],
    ['No answer. Try again in a moment.', new NetworkError('No answer.')],
    ['Send less.', new ToolRefusal('Send less.')],
  ])('that fails says what to do: %s', async (words, fault) => {
    const [text, isError] = await call(mySales, fault);
    expect(text).toContain(words);
    expect(isError).toBe(true);
  });

  test('has the hint of its tool, and the argument names of the tool', async () => {
    expect(await call(myPortfolio, faultOf('NotFound'))).toEqual([
      'Said. Collection IDs are in `collections` of my_portfolio. The call was charged.',
      true,
    ]);
    const message = "The query parameter 'q' and the path parameter 'number' are too long.";
    expect(await call(findItems, faultOf('BadRequest', { message }), { query: 'xy' })).toEqual([
      "The argument 'query' and the argument 'number' are too long.",
      true,
    ]);
    const body = faultOf('BadRequest', { message: 'In the body, items is empty.' });
    expect(await call(whatToPay, body, { items: [{ set: '1' }] })).toEqual([
      'In the arguments, items is empty.',
      true,
    ]);
  });

  test('with a fault throws', async () => {
    const fault = new Error('broken');
    await expect(call(mySales, fault)).rejects.toBe(fault);
  });

  test('ends with the budget, as data and in words', async () => {
    const { client } = apiOf({ listSales: { sales: [], ...page(0) } });
    const { content, structuredContent } = await compileTool(mySales)({}, { brickmark: client });
    expect(content[0]?.text).toBe(
      'No sales recorded.\nBudget: 60 of 100 calls left until 2026-11-16T00:00:00.000Z.',
    );
    expect(structuredContent).toMatchObject({ items: [], budget });
  });

  test('that cost nothing is a fault', async () => {
    const { client } = apiOf({ listSales: { sales: [], ...page(0) } });
    const silent = { ...client, budget: null } as unknown as Brickmark;
    await expect(compileTool(mySales)({}, { brickmark: silent })).rejects.toThrow(
      'my_sales made no call.',
    );
  });
});

describe('the allowance', () => {
  test.each([
    [0, null],
    [1, '1 remains until'],
    [2, '2 remain until'],
    [3, null],
    [4, null],
  ])('of %i calls for three', async (remaining, words) => {
    const { client } = apiOf({}, remaining);
    const fault = await requireCalls(client, 3, 'Ask for less.').catch((error) => error);
    if (words === null) return expect(fault).toBeUndefined();
    expect(fault).toBeInstanceOf(ToolRefusal);
    expect(fault.message).toStartWith(`This needs 3 calls and ${words}`);
    expect(fault.message).toEndWith('nothing was charged. Ask for less.');
  });
});

test('a description ends with the cost', () => {
  expect(describeTool(mySales)).toEndWith(' Cost: 1 call.');
});

test('words of lists and amounts', () => {
  expect([usdText(null), usdText(0), usdText(1_234.5)]).toEqual(['unknown', '$0.00', '$1,234.50']);
  expect(shownText(3, { total: 3, next_offset: null })).toBe('');
  expect(shownText(2, { total: 3, next_offset: null })).toBe('Showing 2 of 3.');
  expect(lines('a', '', ['b', ''], 'c')).toBe('a\nb\nc');
});

describe('the arguments', () => {
  test.each([
    [findDeals, 50, 10],
    [findItems, 50, 10],
    [myPortfolio, 50, 20],
    [mySales, 50, 20],
    [valueHistory, 120, 24],
  ])('of a list are bounded', ({ input }, maximum, usual) => {
    const { limit, offset } = input.properties;
    expect(limit).toMatchObject({ minimum: 1, maximum, default: usual });
    expect(offset).toMatchObject({ minimum: 0, maximum: 1_000_000_000, default: 0 });
  });

  test('of other tools are too', () => {
    expect(findDeals.input.properties.status_id).toMatchObject({ minimum: 1, maximum: 4 });
    expect(myPortfolio.input.properties.brickfolio_id).toMatchObject({ minimum: 1 });
    expect(getValues.input.properties.sets).toMatchObject({ maxItems: 50 });
    expect(whatToPay.input.properties.items).toMatchObject({ minItems: 1, maxItems: 50 });
  });
});
