/**
 * A small market in which some offers are deals, others only look like one. Each set sells for
 * about $100.00 unless it says otherwise, and leaves some $70.00 of it.
 */
import type { DealWarning } from '../../src/domain/buying/deal.ts';
import { dayMs, hourMs } from '../../src/domain/kernel/time.ts';
import type { FeedLine } from './world.ts';

/** A look at a retailer, so many days ago. */
interface Look {
  readonly daysAgo: number;
  readonly price: number | null;
  readonly facts?: FeedLine;
}

/** A set that is planted. */
interface Planted {
  readonly number: string;
  readonly looks: readonly Look[];
  /** What sealed ones sold for, and how many days ago. */
  readonly sales?: readonly (readonly [daysAgo: number, price: number])[];
  readonly facts?: FeedLine;
}

const recent: Look = { daysAgo: 0, price: 45 };

/** Every eight days, within four percent of a price. */
function soldAround(price: number, count = 12): [number, number][] {
  return Array.from({ length: count }, (_, index) => [
    index * 8 + 1,
    price * (1 + ((index % 5) - 2) / 50),
  ]);
}

const stillMade = { release_date: '2025-06-01', retire_date: null };

/** Offers that are deals, and what they are warned about; those without a warning have no catch. */
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

/** A look each month, before this one. */
function monthly(count: number, price: number): Look[] {
  return Array.from({ length: count }, (_, index) => ({ daysAgo: (count - index) * 30, price }));
}

/** Offers that look like deals and are none. */
const plantedTraps: readonly Planted[] = [
  // Nobody has looked for eight days.
  { number: '3001', looks: [{ daysAgo: 8, price: 45 }] },
  // It was never sold: what it is worth is only modeled.
  { number: '3002', sales: [], looks: [recent], facts: { msrp_usd: 200 } },
  { number: '3003', looks: [{ ...recent, facts: { in_stock: false } }] },
  {
    number: '3004',
    looks: [
      { daysAgo: 1, price: 45 },
      { daysAgo: 0, price: null },
    ],
  },
  // Twenty dollars below its value, and dearer than what is left after fees and postage.
  { number: '3005', looks: [{ daysAgo: 0, price: 80 }] },
  // It was worth twice as much until a month ago.
  {
    number: '3006',
    sales: [
      ...soldAround(45, 5),
      ...soldAround(100, 10).map(([ago, price]) => [ago + 60, price] as const),
    ],
    looks: [{ daysAgo: 0, price: 30 }],
  },
  // A single sale is too little to go by, unless one asks for that.
  { number: '3007', sales: [[20, 100]], looks: [recent] },
];

/** The lines of the whole market, as an import at an instant would have them. */
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

/** A look as a line of the feed. */
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
