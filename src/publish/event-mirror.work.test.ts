/** A copy of published data that only reads events equals the data, whatever is imported. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { anImport, anOffer, aSale } from '../../test/support/builders.ts';
import { plainEngine } from '../../test/support/plain-engine.ts';
import { publishSettings } from '../../test/support/publish-settings.ts';
import { runsOnEngine } from '../../test/support/random-runs.ts';
import { sharedNow, shareStore } from '../../test/support/shared-store.ts';
import { type FeedLine, importFeed } from '../../test/support/world.ts';
import { type Event, presentEvent } from '../contract/plus/events.ts';
import { presentRetailHistory } from '../contract/plus/retail-history.ts';
import type { RetailRow } from '../contract/retail.ts';
import type { SetRecord } from '../contract/set.ts';
import { dayMs, formatInstant, hourMs } from '../kernel/time.ts';
import type { MarketRow } from '../market/source-rows/market-ingest.ts';
import { type Retailer, retailers } from '../market/source-rows/source-rows.ts';
import { makePublisher } from './publisher.work.ts';

const shared = shareStore();
let now = sharedNow;

/** Imports of two sets; late looks were made before others, or replace one. */
const look = fc.record({
  set: fc.nat(1),
  retailer: fc.constantFrom(...retailers),
  priceCents: fc.constantFrom(null, 80_00, 90_00, 100_00),
  sellerType: fc.constantFrom(null, 'retailer' as const, 'third_party' as const),
  inStock: fc.constantFrom(null, true, false),
  hoursAgo: fc.constantFrom(0, 0, 0, 1, 2, 30),
});
const sale = fc.record({ set: fc.nat(1), soldCents: fc.constantFrom(150_00, 300_00) });
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      looks: fc.array(look, { maxLength: 4 }),
      sales: fc.array(sale, { maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ waitHours: fc.constantFrom(1, 7) }) },
  { weight: 2, arbitrary: fc.record({ undo: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ retired: fc.nat(1), inDays: fc.constantFrom(-30, 30) }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const setLine = (number: string): FeedLine => ({
  kind: 'set',
  set_number: number,
  title: `Set ${number}`,
  theme: 'Castles',
  release_date: '2025-01-01',
});

/** Price, seller and stock; all null for a retailer that never had a price. */
type Shown = readonly [number | null, string | null, boolean | null];

interface MirroredOffer {
  readonly price: number;
  readonly hasOffer: boolean;
  readonly seller: string | null;
  readonly inStock: boolean | null;
}

/** The steps by which a reader of the log follows a set. */
class Mirror {
  readonly offers = new Map<Retailer, MirroredOffer>();

  constructor(
    private statusId: number,
    private tier: string,
  ) {}

  apply({ kind, retailer, after }: Event): void {
    if (kind === 'set.status') this.statusId = after.status_id ?? 0;
    if (kind === 'value.tier') this.tier = after.data_tier ?? '';
    if (kind !== 'retail.price' && kind !== 'retail.stock' && kind !== 'retail.offer') return;
    const { price_usd: price, has_offer = false, seller_type = null, in_stock = null } = after;
    if (retailer === null) return;
    if (price === undefined) this.offers.delete(retailer);
    else {
      const offer = { price, hasOffer: has_offer, seller: seller_type, inStock: in_stock };
      this.offers.set(retailer, offer);
    }
  }

  /** The data as documents and retail rows have it. */
  show() {
    const offers = retailers.flatMap((retailer) => {
      const offer = this.offers.get(retailer);
      if (!offer) return [];
      return [[retailer, offer.price, offer.inStock !== false, offer.seller === 'retailer']];
    });
    const rows = retailers.map((retailer): Shown => {
      const offer = this.offers.get(retailer);
      if (!offer) return [null, null, null];
      const { price, hasOffer, seller, inStock } = offer;
      return hasOffer ? [price, seller, inStock] : [null, null, inStock];
    });
    return { statusId: this.statusId, tier: this.tier, offers, rows };
  }
}

/** The same from the documents. */
async function readLive(number: string): Promise<ReturnType<Mirror['show']>> {
  const { market } = shared.store;
  const document = await market.findDocument('set', number);
  const set: SetRecord = JSON.parse(document?.body ?? '{}');
  const found = await market.findRetail({ setKey: number });
  const row: RetailRow | null = found && JSON.parse(found.body);
  return {
    statusId: set.status_id,
    tier: set.data_tier,
    offers: set.retailers.map((each) => [
      each.retailer,
      each.current_price,
      each.in_stock,
      each.is_first_party,
    ]),
    rows: retailers.map((retailer): Shown => {
      const block = row?.[retailer];
      if (!block || block.lowest === null) return [null, null, null];
      return [block.price, block.sellerType, block.inStock];
    }),
  };
}

/** The changes in the history of a set at a retailer, oldest first. */
async function readPast(number: string, retailer: Retailer) {
  const query = { retailer, from: null, to: null, after: null, limit: 250, at: now };
  const history = (await shared.store.market.findRetailHistories([number], query)).get(number);
  if (!history) return [];
  const set = { number, name: number, lowestUsd: () => null };
  const [only] = presentRetailHistory(set, history).retailers;
  return (only?.changes ?? [])
    .map(({ at, price_usd, seller_type, in_stock }) => [at, price_usd, seller_type, in_stock])
    .reverse();
}

/** A reader that starts at the end of the log, and gets a few events at a time. */
async function startReader(): Promise<() => Promise<Event[]>> {
  const asked = { kinds: null, items: null, limit: 2 };
  const list = async (after: number | null) => {
    const page = await shared.store.market.listEvents({ ...asked, after });
    if ('oldest' in page) throw new Error(`Kept since ${page.oldest}.`);
    return page;
  };
  let position = (await list(null)).next;
  return async () => {
    const events: Event[] = [];
    for (;;) {
      const page = await list(position);
      events.push(...page.events.map(presentEvent));
      position = page.next;
      if (!page.hasMore) return events;
    }
  };
}

let saleCount = 0;

async function importRows(
  numbers: readonly string[],
  { looks, sales }: Extract<Step, { looks: unknown }>,
): Promise<number> {
  const { market } = shared.store;
  const offers = looks.map(({ set, hoursAgo, ...facts }): MarketRow => {
    const observedAt = now - hoursAgo * hourMs;
    return { kind: 'offer', offer: anOffer({ ...facts, setKey: numbers[set] ?? '', observedAt }) };
  });
  const sold = sales.map(({ set, soldCents }): MarketRow => {
    const facts = { itemKey: numbers[set] ?? '', priceCents: soldCents, soldAt: now - dayMs };
    return { kind: 'sale', sale: aSale({ ...facts, sourceId: `mirror-${saleCount++}` }) };
  });
  const id = await market.logImport(anImport({ startedAt: now, endedAt: now }));
  await market.applyRows([...offers, ...sold], now, id);
  return id;
}

test('a mirror of events equals documents, retail prices and the retail history', async () => {
  const { market } = shared.store;
  const settings = { engine: plainEngine, ...publishSettings };
  const publisher = makePublisher(market, settings, () => now);
  const imports: number[] = [];
  const take = async (numbers: readonly string[], next: Step) => {
    if ('looks' in next) imports.push(await importRows(numbers, next));
    else if ('waitHours' in next) {
      now += next.waitHours * hourMs;
      while ((await publisher.publishDue(20)) > 0);
    } else if ('undo' in next) {
      // If a later import changed the same rows, nothing is undone.
      const id = imports.at(-1 - next.undo);
      if (id !== undefined) await market.undoImport(id, now);
    } else {
      const retire_date = formatInstant(now + next.inDays * dayMs).slice(0, 10);
      const line = { ...setLine(numbers[next.retired] ?? ''), retire_date };
      await importFeed(shared.store, [line], () => now);
    }
    await publisher.publishStale();
  };
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const numbers = [`m${++runs}`, `n${runs}`];
      imports.length = 0;
      await importFeed(shared.store, numbers.map(setLine), () => now);
      await publisher.publishStale();
      const readMore = await startReader();
      const mirrors = new Map<string, Mirror>();
      for (const number of numbers) {
        const { statusId, tier } = await readLive(number);
        mirrors.set(number, new Mirror(statusId, tier));
      }
      const past = new Map<string, unknown[]>();
      for (const next of steps) {
        now += hourMs;
        const before = new Map([...mirrors].map(([number, mirror]) => [number, mirror.show()]));
        await take(numbers, next);
        for (const event of await readMore()) mirrors.get(event.number ?? '')?.apply(event);
        for (const [number, mirror] of mirrors) {
          const shown = mirror.show();
          expect(shown).toEqual(await readLive(number));
          for (const [index, row] of shown.rows.entries()) {
            if (Bun.deepEquals(row, before.get(number)?.rows[index])) continue;
            const name = `${number} ${retailers[index]}`;
            past.set(name, [...(past.get(name) ?? []), [formatInstant(now), ...row]]);
          }
        }
      }
      for (const number of numbers) {
        for (const retailer of retailers) {
          const expected = past.get(`${number} ${retailer}`) ?? [];
          expect(await readPast(number, retailer)).toEqual(expected as never);
        }
      }
    }),
    { numRuns: runsOnEngine(40) },
  );
});
