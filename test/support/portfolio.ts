/**
 * A portfolio that can be checked by hand: market sales, purchases and sales of a collector. Today
 * is 15 November 2026.
 *
 * The value of one unit in dollars. Between the columns it changes by a constant factor per day;
 * the ratios give round numbers in between: 100 → 133.10 is +10% every ten days of September, 125
 * → 64 is −20% every five days of November.
 *
 * |             | Oct 2025 | Apr 30 | May 31 | Aug 31 | Sep 30 | Oct 31 | today  |
 * |-------------|----------|--------|--------|--------|--------|--------|--------|
 * | 1001 sealed | 80.00    | 80.00  | 100.00 | 100.00 | 133.10 | 133.10 | 172.80 |
 * | 1002 used   |          |        |        | 80.00  | 125.00 | 125.00 | 64.00  |
 * | 1003        |          |        |        |        |        |        |        |
 * | 1004 sealed |          |        |        |        |        | 50.00  | 86.40  |
 */
import type { FeedLine } from './stored-world.ts';

/** Enough sales on one day for a price change to count as a jump. */
export const salesPerPrice = 4;

/** Sales that make a price the value from that day on. */
export function soldAt(
  item: string,
  condition: 'sealed' | 'used',
  [date, price]: readonly [date: string, dollars: number],
): FeedLine[] {
  return Array.from({ length: salesPerPrice }, (_, index) => ({
    kind: 'sale',
    source: 'shop',
    source_id: `${item}-${condition}-${date}-${index}`,
    item_type: 'set',
    item,
    condition,
    completeness: 'complete',
    price,
    sold_at: `${date}T12:00:00Z`,
  }));
}

const offer = { kind: 'offer', seller_type: 'retailer', in_stock: true };

/** Four sets; 1003 has no data to derive a value from. */
export const portfolioMarket: readonly FeedLine[] = [
  { kind: 'set', set_number: '1001', title: 'Lighthouse', theme: 'Coast' },
  { kind: 'set', set_number: '1002', title: 'Windmill', theme: 'Country' },
  { kind: 'set', set_number: '1003', title: 'Carousel', theme: 'Fair' },
  {
    kind: 'set',
    set_number: '1004',
    title: 'Caboose',
    theme: 'Trains',
    release_date: '2026-07-01',
    box: { width_in: 18.9, height_in: 14.9, depth_in: 3.6, weight_lbs: 4.5 },
  },
  ...soldAt('1001', 'sealed', ['2025-10-20', 80]),
  ...soldAt('1001', 'sealed', ['2026-05-20', 100]),
  ...soldAt('1001', 'sealed', ['2026-09-20', 133.1]),
  ...soldAt('1001', 'sealed', ['2026-11-10', 172.8]),
  ...soldAt('1002', 'used', ['2026-08-20', 80]),
  ...soldAt('1002', 'used', ['2026-09-20', 125]),
  ...soldAt('1002', 'used', ['2026-11-10', 64]),
  ...soldAt('1004', 'sealed', ['2026-10-10', 50]),
  ...soldAt('1004', 'sealed', ['2026-11-10', 86.4]),
  // 1001 became cheaper; 1002 and 1004 kept their first price; 1003 was never offered.
  { ...offer, retailer: 'retailer_a', set_number: '1001', observed_at: at('11-01'), price: 150 },
  { ...offer, retailer: 'retailer_a', set_number: '1001', observed_at: at('11-12'), price: 140 },
  {
    ...offer,
    retailer: 'retailer_b',
    set_number: '1002',
    observed_at: at('11-02'),
    price: 110,
    seller_type: 'third_party',
  },
  {
    ...offer,
    retailer: 'retailer_a',
    set_number: '1004',
    observed_at: at('11-03'),
    price: 44.99,
    lowest_fba: 99.99,
    fba_sellers: 3,
    buy_box: 105,
  },
];

function at(monthAndDay: string): string {
  return `2026-${monthAndDay}T08:00:00Z`;
}

/**
 * | lot   | in    | set  | condition | bought       | units | each  | sold        | left |
 * |-------|-------|------|-----------|--------------|-------|-------|-------------|------|
 * | lot-1 | Shelf | 1001 | sealed    | 1 Jun 2025   | 3     | 60.00 | 3 on 20 Sep | 0    |
 * | lot-2 | Attic | 1001 | sealed    | 4 Jul 2026   | 3     | 90.00 | 1 on 20 Sep | 2    |
 * | lot-3 | Shelf | 1002 | used      | 12 Sep 2026  | 4     | 95.00 | 1 on 5 Nov  | 3    |
 * | lot-4 | Shelf | 1003 | sealed    | 28 Feb 2026  | 3     | 33.33 | 1 on 15 Mar | 2    |
 * | lot-5 | Attic | 1004 | sealed    | 20 Oct 2026  | 2     | 40.00 |             | 2    |
 * | lot-6 | Attic | 1002 | used      | 5 Sep 2026   | 2     | 0.00  | 1 on 30 Oct | 1    |
 *
 * | sale   | on     | takes                                         | at a cost of         |
 * |--------|--------|-----------------------------------------------|----------------------|
 * | sale-1 | 15 Mar | lot-4, at a loss                              | 33.33                |
 * | sale-2 | 20 Sep | first in, first out: 3 of lot-1, 1 of lot-2   | 3 × 60 + 1 × 90 = 270|
 * | sale-3 | 30 Oct | no lot, since the cost is given               | 20                   |
 * | sale-4 | 30 Oct | lot-6, which is older than lot-3 and a present| 0                    |
 * | sale-5 | 5 Nov  | lot-3, as named, though lot-6 is older        | 95                   |
 */
export function portfolioOf(account: string): FeedLine[] {
  const sealed = { kind: 'holding', account, condition: 'sealed' };
  const used = { kind: 'holding', account, condition: 'used' };
  const [shelf, attic] = [{ brickfolio: 'Shelf' }, { brickfolio: 'Attic' }];
  return [
    { kind: 'brickfolio', account, name: 'Shelf', description: 'Boxes on display.' },
    { kind: 'brickfolio', account, name: 'Attic' },
    { ...sealed, ...shelf, ...lot(1, '1001', 3), ...bought('2025-06-01', 60) },
    { ...sealed, ...attic, ...lot(2, '1001', 3), ...bought('2026-07-04', 90), status: 'listed' },
    { ...used, ...shelf, ...lot(3, '1002', 4), ...bought('2026-09-12', 95) },
    { ...sealed, ...shelf, ...lot(4, '1003', 3), ...bought('2026-02-28', 33.33) },
    { ...sealed, ...attic, ...lot(5, '1004', 2), ...bought('2026-10-20', 40) },
    { ...used, ...attic, ...lot(6, '1002', 2), ...bought('2026-09-05', 0) },
    ...ledgerOf(account),
  ];
}

function lot(number: number, setNumber: string, quantity: number) {
  return { source_id: `lot-${number}`, set_number: setNumber, quantity };
}

function bought(date: string, each: number) {
  return { purchase_date: date, purchase_price_usd: each };
}

function ledgerOf(account: string): FeedLine[] {
  const sale = (number: number, setNumber: string, date: string, gross: number) => ({
    kind: 'ledger_sale',
    account,
    source_id: `sale-${number}`,
    set_number: setNumber,
    sale_date: date,
    quantity: 1,
    gross_proceeds_usd: gross,
  });
  return [
    { ...sale(1, '1003', '2026-03-15', 30), platform: 'facebook', shipping_cost_usd: 6.4 },
    {
      ...sale(2, '1001', '2026-09-20', 520),
      quantity: 4,
      platform: 'ebay',
      platform_fees_usd: 68.9,
      shipping_cost_usd: 31.1,
    },
    { ...sale(3, '1003', '2026-10-30', 45), platform: 'local', cost_basis_usd: 20 },
    {
      ...sale(4, '1002', '2026-10-30', 118),
      condition: 'used',
      platform: 'brick_owl',
      platform_fees_usd: 2.95,
      payment_fees_usd: 3.72,
      shipping_cost_usd: 9.33,
    },
    {
      ...sale(5, '1002', '2026-11-05', 112),
      condition: 'used',
      lot: 'lot-3',
      platform: 'bricklink',
      platform_fees_usd: 3.36,
      payment_fees_usd: 3.55,
    },
  ];
}

const [shelf, attic] = [{ brickfolio_id: 1 }, { brickfolio_id: 2 }];
const lighthouse = { set_number: '1001', title: 'Lighthouse', theme: 'Coast' };
const windmill = { set_number: '1002', title: 'Windmill', theme: 'Country' };
const carousel = { set_number: '1003', title: 'Carousel', theme: 'Fair' };
const caboose = { set_number: '1004', title: 'Caboose', theme: 'Trains' };

function entry(
  [quantity, condition]: readonly [number, 'sealed' | 'used'],
  [each, date]: readonly [number, string],
  [unit, value, gain, pct]: readonly [number, number, number, number],
) {
  return {
    quantity,
    condition,
    purchase_price_usd: each,
    purchase_date: date,
    status: 'owned',
    current_value_usd: unit,
    total_current_value_usd: value,
    unrealized_gain_loss_usd: gain,
    unrealized_gain_loss_pct: pct,
  };
}

/** The entries, newest purchase first: lot-5, 3, 6, 2 and 4. */
export const portfolioEntries = [
  // 2 × 86.40 = 172.80; less 2 × 40 is 92.80; 92.80 ÷ 80
  { ...attic, ...caboose, ...entry([2, 'sealed'], [40, '2026-10-20'], [86.4, 172.8, 92.8, 116]) },
  // 3 × 64 = 192; less 3 × 95 is −93; −93 ÷ 285 = −0.326315…
  { ...shelf, ...windmill, ...entry([3, 'used'], [95, '2026-09-12'], [64, 192, -93, -32.63]) },
  // 64 − 0; there is no percentage of 0
  { ...attic, ...windmill, ...entry([1, 'used'], [0, '2026-09-05'], [64, 64, 64, 0]) },
  // 2 × 172.80 = 345.60; less 2 × 90 is 165.60; 165.60 ÷ 180
  {
    ...attic,
    ...lighthouse,
    ...entry([2, 'sealed'], [90, '2026-07-04'], [172.8, 345.6, 165.6, 92]),
    status: 'listed',
  },
  // The purchase price, as no value is known: 2 × 33.33
  {
    ...shelf,
    ...carousel,
    ...entry([2, 'sealed'], [33.33, '2026-02-28'], [33.33, 66.66, 0, 0]),
  },
];

function sold(
  { set_number, title }: typeof windmill,
  [id, platform, sale_date, quantity]: readonly [number, string, string, number],
  [gross, platformFees, payment, shipping]: readonly [number, number, number, number],
  [net, profit, roi]: readonly [number, number, number | null],
) {
  return {
    id,
    set_number,
    title,
    platform,
    sale_date,
    quantity,
    gross_proceeds_usd: gross,
    platform_fees_usd: platformFees,
    payment_fees_usd: payment,
    shipping_cost_usd: shipping,
    net_proceeds_usd: net,
    profit_loss_usd: profit,
    roi_pct: roi,
  };
}

/** The ledger, newest first, sales of one day in order of recording. */
export const portfolioSales = [
  // 112 − 3.36 − 3.55 = 105.09; less 95 is 10.09; 10.09 ÷ 95 = 0.106210…
  sold(windmill, [5, 'bricklink', '2026-11-05', 1], [112, 3.36, 3.55, 0], [105.09, 10.09, 10.62]),
  // 45 − 20 = 25; 25 ÷ 20
  sold(carousel, [3, 'local', '2026-10-30', 1], [45, 0, 0, 0], [45, 25, 125]),
  // 118 − 2.95 − 3.72 − 9.33 = 102, all of it profit
  sold(windmill, [4, 'brick_owl', '2026-10-30', 1], [118, 2.95, 3.72, 9.33], [102, 102, null]),
  // 520 − 68.90 − 31.10 = 420; less 270 is 150; 150 ÷ 270 = 0.555555…
  sold(lighthouse, [2, 'ebay', '2026-09-20', 4], [520, 68.9, 0, 31.1], [420, 150, 55.56]),
  // 30 − 6.40 = 23.60; less 33.33 is −9.73; −9.73 ÷ 33.33 = −0.291929…
  sold(carousel, [1, 'facebook', '2026-03-15', 1], [30, 0, 0, 6.4], [23.6, -9.73, -29.19]),
];

/**
 * Value, cost, gain and percentage on a day; comments show the units of each set and their value.
 */
export const portfolioOnDays: Readonly<Record<string, readonly [number, number, number, number]>> =
  {
    '2025-11-16': [240, 180, 60, 33.33], // 3 × 80 since June 2025, at 3 × 60
    '2025-11-30': [240, 180, 60, 33.33],
    '2026-02-22': [240, 180, 60, 33.33],
    '2026-03-01': [339.99, 279.99, 60, 21.43], // and from 28 Feb 3 × 33.33
    '2026-03-08': [339.99, 279.99, 60, 21.43],
    '2026-03-15': [306.66, 246.66, 60, 24.32], // one of which is sold today: 240 + 66.66
    '2026-04-26': [306.66, 246.66, 60, 24.32],
    '2026-05-03': [311.91, 246.66, 65.25, 26.45], // 80 × 1.25^(3/31) = 81.75: 3 × 81.75 + 66.66
    '2026-05-31': [366.66, 246.66, 120, 48.65], // the end of May: 3 × 100 + 66.66
    '2026-06-28': [366.66, 246.66, 120, 48.65],
    '2026-07-05': [666.66, 516.66, 150, 29.03], // 6 × 100 + 66.66 at 180 + 270 + 66.66
    '2026-08-17': [666.66, 516.66, 150, 29.03],
    '2026-08-31': [666.66, 516.66, 150, 29.03],
    '2026-09-04': [690, 516.66, 173.34, 33.55], // 1.331^(4/30): 6 × 103.89 + 66.66
    // Two presents, 80 × 1.5625^(5/30) = 86.18: 6 × 104.88 + 2 × 86.18 + 66.66
    '2026-09-05': [868.3, 516.66, 351.64, 68.06],
    '2026-09-06': [876.94, 516.66, 360.28, 69.73], // 6 × 105.89 + 2 × 87.47 + 66.66
    '2026-09-10': [912.32, 516.66, 395.66, 76.58], // 6 × 110 + 2 × 92.83 + 66.66
    '2026-09-11': [921.4, 516.66, 404.74, 78.34], // 6 × 111.05 + 2 × 94.22 + 66.66
    '2026-09-12': [1313.22, 896.66, 416.56, 46.46], // 6 × 112.12 + 6 × 95.64 + 66.66, 380 more
    '2026-09-15': [1358.88, 896.66, 462.22, 51.55], // 6 × 115.37 + 6 × 100 + 66.66
    '2026-09-19': [1422.54, 896.66, 525.88, 58.65], // 6 × 119.85 + 6 × 106.13 + 66.66
    '2026-09-20': [954.98, 626.66, 328.32, 52.39], // four sold: 2 × 121 + 6 × 107.72 + 66.66
    '2026-09-30': [1082.86, 626.66, 456.2, 72.8], // 2 × 133.10 + 6 × 125 + 66.66
    '2026-10-16': [1082.86, 626.66, 456.2, 72.8],
    '2026-10-19': [1082.86, 626.66, 456.2, 72.8],
    // and 2 at 40, at cost until their first value at the end of October
    '2026-10-20': [1162.86, 706.66, 456.2, 64.56],
    '2026-10-29': [1162.86, 706.66, 456.2, 64.56],
    '2026-10-30': [1037.86, 706.66, 331.2, 46.87], // a present sold: 125 less, at no cost
    '2026-10-31': [1057.86, 706.66, 351.2, 49.7], // 2 × 133.10 + 5 × 125 + 66.66 + 2 × 50
    '2026-11-01': [1038.96, 706.66, 332.3, 47.02], // 2 × 135.44 + 5 × 119.54 + 66.66 + 2 × 51.86
    '2026-11-04': [990.56, 706.66, 283.9, 40.17], // 2 × 142.70 + 5 × 104.56 + 66.66 + 2 × 57.85
    '2026-11-05': [877.06, 611.66, 265.4, 43.39], // 2 × 145.20 + 4 × 100 + 66.66 + 2 × 60
    '2026-11-08': [856.38, 611.66, 244.72, 40.01], // 2 × 152.98 + 4 × 87.47 + 66.66 + 2 × 66.94
    '2026-11-10': [847.46, 611.66, 235.8, 38.55], // 2 × 158.40 + 4 × 80 + 66.66 + 2 × 72
    '2026-11-15': [841.06, 611.66, 229.4, 37.5], // 2 × 172.80 + 4 × 64 + 66.66 + 2 × 86.40
  };

/** The cost of all held units from a day on. */
export const portfolioCostSince = [
  ['2025-06-01', 180],
  ['2026-02-28', 279.99],
  ['2026-03-15', 246.66],
  ['2026-07-04', 516.66],
  ['2026-09-12', 896.66],
  ['2026-09-20', 626.66],
  ['2026-10-20', 706.66],
  ['2026-11-05', 611.66],
] as const;
