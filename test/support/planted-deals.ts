/**
 * A small market in which some offers are deals and others only look like deals. Unless stated
 * otherwise, a set sells for about $100.00, of which about $70.00 is left after fees.
 */
import type { DealWarning } from '../../src/buying/deals/deal.ts';
import { dayMs, hourMs } from '../../src/kernel/time.ts';
import type { FeedLine } from './stored-world.ts';

/** An observation at a retailer. */
interface Look {
  readonly daysAgo: number;
  readonly price: number | null;
  readonly facts?: FeedLine;
}

interface Planted {
  readonly number: string;
  readonly looks: readonly Look[];
  /** Sealed sales. */
  readonly sales?: readonly (readonly [daysAgo: number, price: number])[];
  readonly facts?: FeedLine;
}

const recent: Look = { daysAgo: 0, price: 45 };

/** One sale every eight days, within 4% of a price. */
function soldAround(price: number, count = 12): [number, number][] {
  return Array.from({ length: count }, (_, index) => [
    index * 8 + 1,
    price * (1 + ((index % 5) - 2) / 50),
  ]);
}

const stillMade = { release_date: '2025-06-01', retire_date: null };

/** Deals with their expected warnings; deals without warnings have no catch. */
export const plantedDeals: readonly (Planted & { readonly warnings: readonly DealWarning[] })[] = [
  { number: '1001', looks: [recent], warnings: [] },
  { number: '1002', looks: [{ daysAgo: 1, price: 50 }], warnings: [] },
  {
    number: '1003',
    facts: stillMade,
    looks: [...monthly(8, 90), recent],
    warnings: [],
  },
  {
    number: '1004',
    looks: [{ daysAgo: 130, price: 40 }, { daysAgo: 91, price: 60 }, recent],
    warnings: [],
  },
  {
    number: '2001',
    looks: [{ ...recent, facts: { seller_type: 'third_party' } }],
    warnings: ['third_party_seller'],
  },
  { number: '2002', looks: [{ daysAgo: 3, price: 45 }], warnings: ['stale_price'] },
  { number: '2003', looks: [{ daysAgo: 0, price: 9.99 }], warnings: ['high_roi'] },
  {
    number: '2004',
    looks: [{ daysAgo: 130, price: 40 }, { daysAgo: 89, price: 60 }, recent],
    warnings: ['cheaper_recently'],
  },
  {
    number: '2005',
    facts: stillMade,
    looks: [...monthly(8, 60), recent],
    warnings: ['often_discounted'],
  },
  { number: '2006', facts: { box: null }, looks: [recent], warnings: ['guessed_postage'] },
];

/** One observation in each of the preceding months. */
function monthly(count: number, price: number): Look[] {
  return Array.from({ length: count }, (_, index) => ({ daysAgo: (count - index) * 30, price }));
}

/** Offers that look like deals but are not. */
const plantedTraps: readonly Planted[] = [
  // Last observed eight days ago.
  { number: '3001', looks: [{ daysAgo: 8, price: 45 }] },
  // Never sold, so its value is only modeled.
  { number: '3002', sales: [], looks: [recent], facts: { msrp_usd: 200 } },
  { number: '3003', looks: [{ ...recent, facts: { in_stock: false } }] },
  {
    number: '3004',
    looks: [
      { daysAgo: 1, price: 45 },
      { daysAgo: 0, price: null },
    ],
  },
  // $20 below its value, but more than what is left after fees and postage.
  { number: '3005', looks: [{ daysAgo: 0, price: 80 }] },
  // Worth twice as much until a month ago.
  {
    number: '3006',
    sales: [
      ...soldAround(45, 5),
      ...soldAround(100, 10).map(([ago, price]) => [ago + 60, price] as const),
    ],
    looks: [{ daysAgo: 0, price: 30 }],
  },
  // A single sale is not enough, unless the query asks for tier `low`.
  { number: '3007', sales: [[20, 100]], looks: [recent] },
];

/** The feed lines of the market, relative to an instant. */
export function plantedMarket(at: number): FeedLine[] {
  return [...plantedDeals, ...plantedTraps].flatMap((planted) => linesOf(planted, at));
}

function linesOf({ number, facts, looks, sales }: Planted, at: number): FeedLine[] {
  const instant = (daysAgo: number) => new Date(at - daysAgo * dayMs - hourMs).toISOString();
  return [
    {
      kind: 'set',
      set_number: number,
      title: `Set ${number}`,
      theme: 'Harbors',
      pieces: 500,
      msrp_usd: 89.99,
      release_date: '2021-03-01',
      retire_date: '2023-12-31',
      box: { width_in: 15, height_in: 10, depth_in: 2.5, weight_lbs: 2 },
      ...facts,
    },
    ...(sales ?? soldAround(100)).map(([daysAgo, price], index) => ({
      kind: 'sale',
      source: 'shop',
      source_id: `${number}-${index}`,
      item_type: 'set',
      item: number,
      condition: 'sealed',
      channel: 'fixed',
      price: Math.round(price * 100) / 100,
      sold_at: instant(daysAgo),
    })),
    ...looks.map((look) => offerOf(number, look, instant(look.daysAgo))),
  ];
}

export function offerOf(number: string, look: Omit<Look, 'daysAgo'>, observedAt: string): FeedLine {
  return {
    kind: 'offer',
    retailer: 'retailer_a',
    set_number: number,
    observed_at: observedAt,
    price: look.price,
    list_price: 89.99,
    in_stock: look.price !== null,
    seller_type: 'retailer',
    product_url: `https://retailer-a.example.com/item/${number}`,
    ...look.facts,
  };
}
