/** What a publication tells of an item, and what it keeps to itself. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { anOffer } from '../../../test/support/builders.ts';
import { hourMs } from '../kernel/time.ts';
import type { DealHeadline } from './deals.ts';
import type { EventDetails, ItemEvent } from './events.ts';
import {
  dealEvents,
  type EventFacts,
  type EventState,
  type MonthFacts,
  nextEvents,
  type RetailFacts,
  retailFacts,
} from './next-events.ts';
import { foldOffers } from './retail-state.ts';
import type { Offer } from './source-rows.ts';

const offered: RetailFacts = {
  priceCents: 100_00,
  lowestCents: 80_00,
  isAtLowest: false,
  isFlipped: false,
  inStock: true,
};

const plain: EventFacts = {
  basis: 'engine-1 2026-10 0',
  values: { newCents: { cents: 200_00, spread: 0.02 }, usedCents: null },
  tier: 'high',
  statusId: 2,
  lastMonth: 680,
  retail: { retailer_a: offered },
  monthsAfter: () => [],
};

const first = (facts: Partial<EventFacts> = {}): EventState =>
  nextEvents(null, { ...plain, ...facts }, none).state;
const none = { newCents: null, usedCents: null };
const published = { newCents: 200_00, usedCents: null };

/** What is told when facts follow others; values were published as they are told. */
function tell(from: Partial<EventFacts>, to: Partial<EventFacts>): readonly ItemEvent[] {
  const state = first(from);
  return nextEvents(state, { ...plain, ...from, ...to }, state).events;
}

const at = (now: Partial<RetailFacts>): Partial<EventFacts> => ({
  retail: { retailer_a: { ...offered, ...now } },
});

const worth = (newCents: number, usedCents: number | null = null, spread = 0.02) => ({
  values: {
    newCents: { cents: newCents, spread },
    usedCents: usedCents === null ? null : { cents: usedCents, spread },
  },
});

test('a first publication tells nothing, and the same once more does not either', () => {
  expect(nextEvents(null, plain, none).events).toEqual([]);
  const state = first();
  expect(nextEvents(state, plain, published)).toEqual({ events: [], state });
});

test('what is kept is plain data', () => {
  expect(JSON.parse(JSON.stringify(first()))).toEqual(first());
});

describe('at a retailer', () => {
  const event = (kind: string, before: EventDetails, after: EventDetails) =>
    ({ kind, retailer: 'retailer_a', before, after }) as ItemEvent;

  test('a price is told with its change, whether it is a low, and how far below the value', () => {
    expect(tell(at({}), at({ priceCents: 90_00 }))).toEqual([
      event(
        'retail.price',
        { priceCents: 100_00 },
        {
          priceCents: 90_00,
          changePercent: -10,
          isAtLowest: false,
          newCents: 200_00,
          belowValuePercent: 55,
        },
      ),
    ]);
  });

  test('a price above the value is below it by less than nothing; without a value, nothing is said', () => {
    const [dear] = tell(at({}), { ...at({ priceCents: 250_00 }), ...worth(200_00) });
    expect(dear?.after).toMatchObject({ changePercent: 150, belowValuePercent: -25 });
    const without = { values: none };
    const [unknown] = tell({ ...at({}), ...without }, { ...at({ priceCents: 90_00 }), ...without });
    expect(Object.keys(unknown?.after ?? {})).toEqual([
      'priceCents',
      'changePercent',
      'isAtLowest',
    ]);
  });

  test('a low is what was never asked before, and is asked now', () => {
    const low = { priceCents: 70_00, lowestCents: 70_00, isAtLowest: true };
    expect(tell(at({}), at(low)).map(({ kind }) => kind)).toEqual(['retail.price', 'retail.low']);
    expect(tell(at({}), at(low))[1]).toEqual(
      event('retail.low', { lowestCents: 80_00 }, { lowestCents: 70_00 }),
    );
    expect(tell(at({}), at({ lowestCents: 70_00 }))).toEqual([]);
    expect(tell(at(low), at(low))).toEqual([]);
    expect(tell(at({ priceCents: 80_00 }), at({ priceCents: 80_00, isAtLowest: true }))).toEqual(
      [],
    );
    // What turned out to be wrong is no longer the lowest.
    const again = { priceCents: 75_00, lowestCents: 75_00, isAtLowest: true };
    expect(tell(at({ ...low, priceCents: 75_00 }), at(again))).toEqual([]);
  });

  test('the first low of all is none', () => {
    const unpriced = { priceCents: null, lowestCents: null };
    const priced = { priceCents: 70_00, lowestCents: 70_00, isAtLowest: true };
    expect(tell(at(unpriced), at(priced))).toEqual([]);
  });

  test('a flip is told with who sells, and back; while it is open, what was told holds', () => {
    const flip = event('retail.flip', { sellerType: 'retailer' }, { sellerType: 'third_party' });
    const back = event('retail.flip', { sellerType: 'third_party' }, { sellerType: 'retailer' });
    expect(tell(at({}), at({ isFlipped: true }))).toEqual([flip]);
    expect(tell(at({ isFlipped: true }), at({ isFlipped: false }))).toEqual([back]);
    expect(tell(at({ isFlipped: true }), at({ isFlipped: null }))).toEqual([]);
    const open = nextEvents(
      first(at({ isFlipped: true })),
      { ...plain, ...at({ isFlipped: null }) },
      published,
    );
    expect(open.state.retail.retailer_a?.isFlipped).toBe(true);
    expect(tell(at({ isFlipped: null }), at({ isFlipped: false }))).toEqual([]);
    expect(tell(at({ isFlipped: null }), at({ isFlipped: true }))).toEqual([flip]);
  });

  test('stock is told in and out; what is not known changes nothing', () => {
    const out = event('retail.stock', { inStock: true }, { inStock: false });
    const back = event('retail.stock', { inStock: false }, { inStock: true });
    expect(tell(at({}), at({ inStock: false }))).toEqual([out]);
    expect(tell(at({ inStock: false }), at({}))).toEqual([back]);
    expect(tell(at({ inStock: null }), at({}))).toEqual([]);
    expect(tell(at({}), at({ inStock: null }))).toEqual([]);
    const unknown = nextEvents(first(), { ...plain, ...at({ inStock: null }) }, published).state;
    expect(nextEvents(unknown, { ...plain, ...at({ inStock: false }) }, published).events).toEqual([
      out,
    ]);
  });

  test('what is new there, or gone, is news to nobody; the other retailer is told by its name', () => {
    const both = { retail: { retailer_a: offered, retailer_b: offered } };
    expect(tell({}, both)).toEqual([]);
    expect(tell(both, {})).toEqual([]);
    const changed = { retail: { ...both.retail, retailer_b: { ...offered, inStock: false } } };
    expect(tell(both, changed)).toMatchObject([{ kind: 'retail.stock', retailer: 'retailer_b' }]);
  });

  test('facts are those of the looks: the last price stays, and a seller has to be confirmed', () => {
    const look = (hours: number, facts: Partial<Offer>): Offer =>
      anOffer({
        observedAt: hours * hourMs,
        sellerType: 'retailer',
        inStock: true,
        ...facts,
      });
    const looks = [
      look(0, { priceCents: 120_00 }),
      look(1, { priceCents: 90_00 }),
      look(2, { sellerType: 'third_party', priceCents: 95_00 }),
      look(3, { sellerType: 'third_party', priceCents: 95_00 }),
      look(4, { priceCents: null }),
      look(5, { priceCents: 96_00 }),
      look(6, { priceCents: 96_00 }),
    ];
    const facts = looks.map((_, index) => {
      const state = foldOffers(null, looks.slice(0, index + 1));
      const now = state && retailFacts(state, index * hourMs);
      return [now?.priceCents, now?.lowestCents, now?.isAtLowest, now?.isFlipped, now?.inStock];
    });
    expect(facts).toEqual([
      [120_00, 120_00, false, false, true],
      [90_00, 90_00, true, false, true],
      [95_00, 90_00, false, false, true],
      [95_00, 90_00, false, true, true],
      [95_00, 90_00, false, null, false],
      [96_00, 90_00, false, null, true],
      [96_00, 90_00, false, false, true],
    ]);
  });
});

describe('a value', () => {
  const moves = (from: Partial<EventFacts>, to: Partial<EventFacts>) =>
    tell({ retail: {}, ...from }, to).filter(({ kind }) => kind === 'value.move');

  test('moves by five percent of what was told, and not by less', () => {
    expect(moves(worth(200_00), worth(209_99))).toEqual([]);
    expect(moves(worth(200_00), worth(210_00))).toEqual([
      {
        kind: 'value.move',
        retailer: null,
        before: { newCents: 200_00 },
        after: { newCents: 210_00 },
      },
    ]);
    expect(moves(worth(200_00), worth(190_01))).toEqual([]);
    expect(moves(worth(200_00), worth(190_00))).toHaveLength(1);
  });

  test('moves by more than it is uncertain', () => {
    const spread = Math.log(1.1);
    expect(moves(worth(200_00), worth(219_99, null, spread))).toEqual([]);
    expect(moves(worth(200_00), worth(220_01, null, spread))).toHaveLength(1);
    expect(moves(worth(200_00), worth(182_00, null, spread))).toEqual([]);
    expect(moves(worth(200_00), worth(181_00, null, spread))).toHaveLength(1);
  });

  test('in one condition, in the other, or in both is one event', () => {
    expect(moves(worth(200_00, 100_00), worth(200_00, 110_00))).toMatchObject([
      { before: { usedCents: 100_00 }, after: { usedCents: 110_00 } },
    ]);
    const [both, ...more] = moves(worth(200_00, 100_00), worth(220_00, 90_00));
    expect(both?.before).toEqual({ newCents: 200_00, usedCents: 100_00 });
    expect(both?.after).toEqual({ newCents: 220_00, usedCents: 90_00 });
    expect(more).toEqual([]);
  });

  test('that comes or goes has not moved, and is counted from where it comes back', () => {
    expect(moves({ values: none }, worth(200_00))).toEqual([]);
    expect(moves(worth(200_00), { values: none })).toEqual([]);
    const gone = nextEvents(first(), { ...plain, values: none }, published).state;
    const back = nextEvents(gone, { ...plain, ...worth(500_00) }, none);
    expect([back.events, back.state.newCents]).toEqual([[], 500_00]);
  });

  test('that drifts is told when it has come far enough, and is counted from there', () => {
    let state = first();
    let before = 200_00;
    const told: number[] = [];
    for (let cents = 201_00; cents <= 232_00; cents += 1_00) {
      const next = nextEvents(
        state,
        { ...plain, ...worth(cents) },
        { newCents: before, usedCents: null },
      );
      if (next.events.length > 0) told.push(cents);
      [state, before] = [next.state, cents];
    }
    expect(told).toEqual([210_00, 221_00]);
  });

  test('that is made in another way tells nothing, and drifts on from as far away', () => {
    const drifted = nextEvents(first(), { ...plain, ...worth(208_00) }, published).state;
    expect(drifted.newCents).toBe(200_00);
    const relearned = { ...plain, basis: 'engine-1 2026-11 0', ...worth(416_00, 90_00) };
    const quiet = nextEvents(
      drifted,
      { ...relearned, tier: 'low' },
      { newCents: 208_00, usedCents: null },
    );
    expect(quiet.events).toEqual([]);
    expect(quiet.state).toMatchObject({ newCents: 400_00, usedCents: 90_00, tier: 'low' });
    const on = nextEvents(
      quiet.state,
      { ...relearned, tier: 'low', ...worth(420_00, 90_00) },
      { newCents: 416_00, usedCents: 90_00 },
    );
    expect(on.events).toMatchObject([{ kind: 'value.move', before: { newCents: 400_00 } }]);
  });

  test('of which nothing was published before is counted from where it is', () => {
    const other = { ...plain, basis: 'engine-2', ...worth(300_00) };
    expect(nextEvents(first(), other, none).state.newCents).toBe(300_00);
  });

  test('has a tier, which is told when it changes', () => {
    expect(tell({}, { tier: 'medium' })).toEqual([
      { kind: 'value.tier', retailer: null, before: { tier: 'high' }, after: { tier: 'medium' } },
    ]);
  });

  test('made in another way leaves everything else as loud as it was', () => {
    const kinds = tell(
      { statusId: 2 },
      {
        basis: 'other',
        statusId: 3,
        ...at({ inStock: false }),
        lastMonth: 681,
        monthsAfter: () => [{ month: 681, newCents: 1 }],
      },
    ).map(({ kind }) => kind);
    expect(kinds).toEqual(['retail.stock', 'set.status', 'history.month']);
  });
});

test('a status is told when it changes; a minifig has none', () => {
  expect(tell({ statusId: 2 }, { statusId: 3 })).toEqual([
    { kind: 'set.status', retailer: null, before: { statusId: 2 }, after: { statusId: 3 } },
  ]);
  expect(tell({ statusId: null }, { statusId: null })).toEqual([]);
});

describe('a month', () => {
  const months = (from: number, to: number, known: readonly MonthFacts[]) => {
    const monthsAfter = (after: number) => known.filter(({ month }) => month > after);
    return tell({ lastMonth: from }, { lastMonth: to, monthsAfter }).map((event) => {
      expect([event.kind, event.before]).toEqual(['history.month', {}]);
      return event.after;
    });
  };
  const month = (number: number): MonthFacts => ({ month: number, newCents: number, newSales: 1 });

  test('is told once it is final, each of several, and never again', () => {
    const known = [679, 680, 681, 682].map(month);
    expect(months(680, 682, known)).toEqual([month(681), month(682)]);
    expect(months(682, 682, known)).toEqual([]);
    const told = nextEvents(first({ lastMonth: 682 }), { ...plain, lastMonth: 681 }, published);
    // Another process was slower, and speaks of an earlier moment.
    expect(told.state.lastMonth).toBe(682);
  });

  test('of before is not told when it comes to light late', () => {
    expect(months(680, 680, [660, 670, 680].map(month))).toEqual([]);
  });

  test('without a value becomes final without a word', () => {
    expect(months(680, 681, [{ month: 681, newSales: 0 }])).toEqual([]);
    expect(months(680, 681, [{ month: 681, usedCents: 5 }])).toEqual([
      { month: 681, usedCents: 5 },
    ]);
  });
});

describe('a deal', () => {
  const deal = { setKey: '75192', retailer: 'retailer_b', priceCents: 80_00 } as const;
  const headline: DealHeadline = {
    maxBuyCents: 90_00,
    channel: 'ebay',
    medianNetCents: 120_00,
    profitCents: 40_00,
    roiPercent: 50,
    waitDays: null,
    warnings: ['low_tier'],
  };
  const begins = {
    ...deal,
    change: { prediction: JSON.stringify({ ...headline, title: 'Castle' }) },
  };
  const ends = { ...deal, change: { ending: 'price_up' } } as const;

  test('is told with what is expected of it, and its end with the reason', () => {
    expect(dealEvents(first(), [ends, begins])).toEqual([
      {
        kind: 'deal.close',
        retailer: 'retailer_b',
        before: { priceCents: 80_00 },
        after: { reason: 'price_up' },
      },
      {
        kind: 'deal.open',
        retailer: 'retailer_b',
        before: {},
        after: { priceCents: 80_00, deal: headline },
      },
    ]);
  });

  test('that is there from the first is no news, but its end is', () => {
    expect(dealEvents(null, [begins, ends]).map(({ kind }) => kind)).toEqual(['deal.close']);
  });
});

test('events are what leads from one publication to the next: told prices and stocks add up', () => {
  const look = fc.record({
    priceCents: fc.constantFrom(null, 80_00, 90_00, 100_00),
    lowestCents: fc.constantFrom(null, 80_00),
    isAtLowest: fc.boolean(),
    isFlipped: fc.constantFrom(null, true, false),
    inStock: fc.constantFrom(null, true, false),
  });
  fc.assert(
    fc.property(fc.array(look, { minLength: 2, maxLength: 12 }), (looks) => {
      let state: EventState | null = null;
      const seen: { price?: number | null; inStock?: boolean | null } = {};
      for (const now of looks) {
        const next = nextEvents(state, { ...plain, ...at(now) }, published);
        for (const { kind, before, after } of next.events) {
          if (kind === 'retail.price') {
            expect(before.priceCents).toBe(seen.price as number);
            seen.price = after.priceCents ?? null;
          }
          if (kind === 'retail.stock') {
            expect(before.inStock).toBe(seen.inStock as boolean);
            seen.inStock = after.inStock ?? null;
          }
        }
        // What was never known, or is not any more, is the only thing that no event tells.
        if (now.priceCents === null || seen.price == null) seen.price = now.priceCents;
        seen.inStock ??= now.inStock;
        expect(seen.price).toBe(now.priceCents);
        if (now.inStock !== null) expect(seen.inStock).toBe(now.inStock);
        state = next.state;
      }
    }),
    { numRuns: 60 },
  );
});
