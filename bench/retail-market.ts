/** A market with offers of both retailers for every set, for benchmarks of publishing. */
import { Random } from '../simulator/market/random.ts';
import { dayMs, formatInstant, hourMs } from '../src/kernel/time.ts';
import { retailers } from '../src/market/source-rows/source-rows.ts';
import type { Store } from '../src/store/store.ts';
import { type FeedLine, importFeed } from '../test/support/world.ts';

const salesPerSet = 8;
const looksPerShop = 4;
const bargainShare = 0.1;
const setsPerImport = 2_000;

/** The current time of the market. */
export const now = Date.UTC(2026, 10, 15, 12);

/** Adds sets with sales and offers. One offer in ten is a bargain. */
export function fillMarket(store: Store, sets: number): Promise<void> {
  return importLines(store, { sets, at: now, linesOf });
}

/** Adds an offer with another price to every set. */
export function movePrices(store: Store, sets: number, at: number): Promise<void> {
  return importLines(store, { sets, at, linesOf: (index) => lookAgain(index, at) });
}

async function importLines(
  store: Store,
  {
    sets,
    at,
    linesOf,
  }: { readonly sets: number; readonly at: number; linesOf(index: number): FeedLine[] },
): Promise<void> {
  for (let from = 0; from < sets; from += setsPerImport) {
    const count = Math.min(setsPerImport, sets - from);
    const lines = Array.from({ length: count }, (_, index) => linesOf(from + index)).flat();
    await importFeed(store, lines, () => at);
  }
}

const numberOf = (index: number) => String(100_000 + index);
const usd = (amount: number) => Math.max(1, Math.round(amount * 100) / 100);

/** A set with sales and offers of both retailers, the latest of today. */
function linesOf(index: number): FeedLine[] {
  const random = new Random(18, 'deals', index);
  const number = numberOf(index);
  const value = 20 * 20 ** random.fraction();
  const size = 4 + random.fraction() * 12;
  const set = {
    kind: 'set',
    set_number: number,
    title: `Set ${number}`,
    theme: `Theme ${index % 60}`,
    pieces: Math.round(value * 8),
    msrp_usd: usd(value * 0.8),
    release_date: '2021-03-01',
    retire_date: index % 2 === 0 ? '2023-12-31' : '2027-12-31',
    box: { width_in: size, height_in: size, depth_in: 3, weight_lbs: usd(size / 5) },
  };
  const sales = Array.from({ length: salesPerSet }, (_, sale) => ({
    kind: 'sale',
    source: 'shop',
    source_id: `${number}-${sale}`,
    item_type: 'set',
    item: number,
    condition: 'sealed',
    channel: (['fixed', 'bricklink', 'amazon'] as const)[sale % 3],
    price: usd(value * (0.9 + random.fraction() * 0.2)),
    sold_at: formatInstant(now - (sale * 12 + 1) * dayMs),
  }));
  const looks = retailers.flatMap((retailer) =>
    Array.from({ length: looksPerShop }, (_, look) => ({
      kind: 'offer',
      retailer,
      set_number: number,
      observed_at: formatInstant(now - look * 20 * dayMs - hourMs),
      price: usd(value * askedShare(random)),
      list_price: usd(value),
      in_stock: true,
      seller_type: look % 4 === 0 ? 'third_party' : 'retailer',
      product_url: `https://shop.example.com/${retailer}/${number}`,
    })),
  );
  return [set, ...sales, ...looks];
}

/** The price of an offer as a share of the value. */
function askedShare(random: Random): number {
  const isBargain = random.fraction() < bargainShare;
  return isBargain ? 0.3 + random.fraction() * 0.45 : 0.75 + random.fraction() * 0.55;
}

/** Offers at another time, hardly ever with the same price. */
function lookAgain(index: number, at: number): FeedLine[] {
  const number = numberOf(index);
  const value = 20 * 20 ** new Random(18, 'deals', index).fraction();
  const random = new Random(19, 'looks', index + at);
  return retailers.map((retailer) => ({
    kind: 'offer',
    retailer,
    set_number: number,
    observed_at: formatInstant(at),
    price: usd(value * askedShare(random)),
    list_price: usd(value),
    in_stock: true,
    seller_type: 'retailer',
    product_url: `https://shop.example.com/${retailer}/${number}`,
  }));
}
