/** The events of a publication, and what is not reported. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { anOffer } from '../../../test/support/builders.ts';
import { hourMs } from '../../kernel/time.ts';
import type { DealHeadline } from '../published/deals.ts';
import { foldOffers } from '../retail/retail-state.ts';
import type { Offer } from '../source-rows/source-rows.ts';
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

const offered: RetailFacts = {
  priceCents: 100_00,
  hasOffer: true,
  sellerType: 'retailer',
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

/** The events when facts change; the previously published values are the reported ones. */
function eventsBetween(from: Partial<EventFacts>, to: Partial<EventFacts>): readonly ItemEvent[] {
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

test('neither a first publication nor an unchanged one produces events', () => {
  expect(nextEvents(null, plain, none).events).toEqual([]);
  const state = first();
  expect(nextEvents(state, plain, published)).toEqual({ events: [], offers: [], state });
});

test('the reported state is plain data', () => {
  expect(JSON.parse(JSON.stringify(first()))).toEqual(first());
});

describe('at a retailer', () => {
  /** The offer in an event. */
  const told = {
    priceCents: 100_00,
    hasOffer: true,
    sellerType: 'retailer',
    inStock: true,
  } as const;
  const event = (kind: string, before: EventDetails, after: EventDetails) =>
    ({ kind, retailer: 'retailer_a', before, after }) as ItemEvent;

  test('a price is reported with its change, whether it is a low, and how far below the value it is', () => {
    expect(eventsBetween(at({}), at({ priceCents: 90_00 }))).toEqual([
      event(
        'retail.price',
        { priceCents: 100_00 },
        {
          ...told,
          priceCents: 90_00,
          changePercent: -10,
          isAtLowest: false,
          newCents: 200_00,
          belowValuePercent: 55,
        },
      ),
    ]);
  });

  test('a price above the value has a negative percentage; without a value there is none', () => {
    const [dear] = eventsBetween(at({}), { ...at({ priceCents: 250_00 }), ...worth(200_00) });
    expect(dear?.after).toMatchObject({ changePercent: 150, belowValuePercent: -25 });
    const without = { values: none };
    const [unknown] = eventsBetween(
      { ...at({}), ...without },
      { ...at({ priceCents: 90_00 }), ...without },
    );
    expect(unknown?.after).toEqual({
      ...told,
      priceCents: 90_00,
      changePercent: -10,
      isAtLowest: false,
    });
  });

  test('a low is a price that is lower than ever before, and current', () => {
    const low = { priceCents: 70_00, lowestCents: 70_00, isAtLowest: true };
    expect(eventsBetween(at({}), at(low)).map(({ kind }) => kind)).toEqual([
      'retail.price',
      'retail.low',
    ]);
    expect(eventsBetween(at({}), at(low))[1]).toEqual(
      event('retail.low', { lowestCents: 80_00 }, { lowestCents: 70_00 }),
    );
    expect(eventsBetween(at({}), at({ lowestCents: 70_00 }))).toEqual([]);
    expect(eventsBetween(at(low), at(low))).toEqual([]);
    expect(
      eventsBetween(at({ priceCents: 80_00 }), at({ priceCents: 80_00, isAtLowest: true })),
    ).toEqual([]);
    // A lowest price that was corrected upward is not a low.
    const again = { priceCents: 75_00, lowestCents: 75_00, isAtLowest: true };
    expect(eventsBetween(at({ ...low, priceCents: 75_00 }), at(again))).toEqual([]);
  });

  test('a first price is an offer, not a low', () => {
    const unpriced = { priceCents: null, lowestCents: null, hasOffer: false, inStock: false };
    const priced = { priceCents: 70_00, lowestCents: 70_00, isAtLowest: true };
    const after = { ...told, priceCents: 70_00 };
    expect(eventsBetween(at(unpriced), at(priced))).toEqual([
      event('retail.offer', {}, { ...after, newCents: 200_00, belowValuePercent: 65 }),
      event('retail.stock', { inStock: false }, after),
    ]);
    expect(eventsBetween(at(unpriced), at(unpriced))).toEqual([]);
    expect(eventsBetween({ retail: {} }, at(unpriced))).toEqual([]);
  });

  test('flips are reported with the seller in both directions; an unconfirmed one keeps the state', () => {
    const flip = event('retail.flip', { sellerType: 'retailer' }, { sellerType: 'third_party' });
    const back = event('retail.flip', { sellerType: 'third_party' }, { sellerType: 'retailer' });
    expect(eventsBetween(at({}), at({ isFlipped: true }))).toEqual([flip]);
    expect(eventsBetween(at({ isFlipped: true }), at({ isFlipped: false }))).toEqual([back]);
    expect(eventsBetween(at({ isFlipped: true }), at({ isFlipped: null }))).toEqual([]);
    const open = nextEvents(
      first(at({ isFlipped: true })),
      { ...plain, ...at({ isFlipped: null }) },
      published,
    );
    expect(open.state.retail.retailer_a?.isFlipped).toBe(true);
    expect(eventsBetween(at({ isFlipped: null }), at({ isFlipped: false }))).toEqual([]);
    expect(eventsBetween(at({ isFlipped: null }), at({ isFlipped: true }))).toEqual([flip]);
  });

  test('stock is reported in both directions; unknown stock changes nothing', () => {
    const out = event('retail.stock', { inStock: true }, { ...told, inStock: false });
    const back = event('retail.stock', { inStock: false }, told);
    expect(eventsBetween(at({}), at({ inStock: false }))).toEqual([out]);
    expect(eventsBetween(at({ inStock: false }), at({}))).toEqual([back]);
    const kinds = (from: Partial<RetailFacts>, to: Partial<RetailFacts>) =>
      eventsBetween(at(from), at(to)).map(({ kind }) => kind);
    expect(kinds({ inStock: null }, {})).toEqual(['retail.offer']);
    expect(kinds({}, { inStock: null })).toEqual(['retail.offer']);
    const unknown = nextEvents(first(), { ...plain, ...at({ inStock: null }) }, published).state;
    expect(nextEvents(unknown, { ...plain, ...at({ inStock: false }) }, published).events).toEqual([
      out,
    ]);
  });

  test('the first offer at another retailer is reported, and that it is no longer known', () => {
    const both = { retail: { retailer_a: offered, retailer_b: offered } };
    const worth = { newCents: 200_00, belowValuePercent: 50 };
    const offer = { kind: 'retail.offer', retailer: 'retailer_b' } as const;
    const first = [{ ...offer, before: {}, after: { ...told, ...worth } }];
    const gone = [{ ...offer, before: told, after: {} }];
    expect(eventsBetween({}, both)).toEqual(first);
    expect(eventsBetween({ retail: {} }, { retail: { retailer_b: offered } })).toEqual(first);
    expect(eventsBetween(both, {})).toEqual([]);
    expect(eventsBetween(both, { retail: { retailer_a: offered } })).toEqual(gone);
    const changed = { retail: { ...both.retail, retailer_b: { ...offered, inStock: false } } };
    expect(eventsBetween(both, changed)).toMatchObject([
      { kind: 'retail.stock', retailer: 'retailer_b' },
    ]);
  });

  test('another seller at the same price is an offer; at another price, part of the event', () => {
    const third = { sellerType: 'third_party' } as const;
    expect(eventsBetween(at({}), at(third))).toMatchObject([
      { kind: 'retail.offer', before: told, after: { ...told, ...third } },
    ]);
    expect(eventsBetween(at({}), at({ ...third, priceCents: 90_00 }))).toMatchObject([
      { kind: 'retail.price', before: { priceCents: 100_00 }, after: third },
    ]);
    const [unknown] = eventsBetween(at({}), at({ sellerType: null }));
    expect(unknown?.after).not.toHaveProperty('sellerType');
    expect(eventsBetween(at({ inStock: false }), at({ inStock: false, hasOffer: false }))).toEqual([
      expect.objectContaining({ kind: 'retail.offer' }),
    ]);
  });

  test('what changed because data was undone is an offer, and nothing else', () => {
    const wrong = at({ priceCents: 10_00, lowestCents: 10_00, isAtLowest: true, inStock: false });
    const undone = { ...published, isUndone: true };
    const next = nextEvents(first({ ...wrong, tier: 'low' }), plain, undone);
    expect(next.events).toMatchObject([
      { kind: 'retail.offer', before: { priceCents: 10_00, inStock: false }, after: told },
      { kind: 'value.tier', after: { tier: 'high' } },
    ]);
    expect(next.state).toEqual(first());
    expect(nextEvents(first(), plain, undone).events).toEqual([]);
  });

  test('the last price stays without an offer, and a seller must be confirmed', () => {
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
    eventsBetween({ retail: {}, ...from }, to).filter(({ kind }) => kind === 'value.move');

  test('moves by five percent of the reported value or more', () => {
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

  test('moves only by more than its uncertainty', () => {
    const spread = Math.log(1.1);
    expect(moves(worth(200_00), worth(219_99, null, spread))).toEqual([]);
    expect(moves(worth(200_00), worth(220_01, null, spread))).toHaveLength(1);
    expect(moves(worth(200_00), worth(182_00, null, spread))).toEqual([]);
    expect(moves(worth(200_00), worth(181_00, null, spread))).toHaveLength(1);
  });

  test('moves in one event, whether in one condition or in both', () => {
    expect(moves(worth(200_00, 100_00), worth(200_00, 110_00))).toMatchObject([
      { before: { usedCents: 100_00 }, after: { usedCents: 110_00 } },
    ]);
    const [both, ...more] = moves(worth(200_00, 100_00), worth(220_00, 90_00));
    expect(both?.before).toEqual({ newCents: 200_00, usedCents: 100_00 });
    expect(both?.after).toEqual({ newCents: 220_00, usedCents: 90_00 });
    expect(more).toEqual([]);
  });

  test('does not move when it appears or disappears, and is then compared with its new level', () => {
    expect(moves({ values: none }, worth(200_00))).toEqual([]);
    expect(moves(worth(200_00), { values: none })).toEqual([]);
    const gone = nextEvents(first(), { ...plain, values: none }, published).state;
    const back = nextEvents(gone, { ...plain, ...worth(500_00) }, none);
    expect([back.events, back.state.newCents]).toEqual([[], 500_00]);
  });

  test('is reported when it has drifted far enough, and then compared with that level', () => {
    let state = first();
    let before = 200_00;
    const reported: number[] = [];
    for (let cents = 201_00; cents <= 232_00; cents += 1_00) {
      const next = nextEvents(
        state,
        { ...plain, ...worth(cents) },
        { newCents: before, usedCents: null },
      );
      if (next.events.length > 0) reported.push(cents);
      [state, before] = [next.state, cents];
    }
    expect(reported).toEqual([210_00, 221_00]);
  });

  test('computed in another way is not reported, and keeps its relative distance to the base', () => {
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

  test('without a previously published one starts at its current level', () => {
    const other = { ...plain, basis: 'engine-2', ...worth(300_00) };
    expect(nextEvents(first(), other, none).state.newCents).toBe(300_00);
  });

  test('has a tier, which is reported when it changes', () => {
    expect(eventsBetween({}, { tier: 'medium' })).toEqual([
      { kind: 'value.tier', retailer: null, before: { tier: 'high' }, after: { tier: 'medium' } },
    ]);
  });

  test('computed in another way does not suppress other events', () => {
    const kinds = eventsBetween(
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

test('a change of status is reported; minifigs have none', () => {
  expect(eventsBetween({ statusId: 2 }, { statusId: 3 })).toEqual([
    { kind: 'set.status', retailer: null, before: { statusId: 2 }, after: { statusId: 3 } },
  ]);
  expect(eventsBetween({ statusId: null }, { statusId: null })).toEqual([]);
  expect(eventsBetween({ statusId: null }, { statusId: 2 })).toEqual([]);
  expect(eventsBetween({ statusId: 2 }, { statusId: null })).toEqual([]);
});

test('a value that changes by its uncertainty has not moved yet', () => {
  const spread = Math.log(240_00 / 200_00);
  expect(eventsBetween({}, worth(240_00, null, spread))).toEqual([]);
  expect(eventsBetween({}, worth(240_01, null, spread)).map(({ kind }) => kind)).toEqual([
    'value.move',
  ]);
});

describe('a month', () => {
  const months = (from: number, to: number, known: readonly MonthFacts[]) => {
    const monthsAfter = (after: number) => known.filter(({ month }) => month > after);
    return eventsBetween({ lastMonth: from }, { lastMonth: to, monthsAfter }).map((event) => {
      expect([event.kind, event.before]).toEqual(['history.month', {}]);
      return event.after;
    });
  };
  const month = (number: number): MonthFacts => ({ month: number, newCents: number, newSales: 1 });

  test('is reported once when it becomes final, also together with others', () => {
    const known = [679, 680, 681, 682].map(month);
    expect(months(680, 682, known)).toEqual([month(681), month(682)]);
    expect(months(682, 682, known)).toEqual([]);
    // Months are not even read unless one has become final.
    const unread = () => {
      throw new Error('It must not be read.');
    };
    expect(eventsBetween({ lastMonth: 682 }, { monthsAfter: unread })).toEqual([]);
    const next = nextEvents(first({ lastMonth: 682 }), { ...plain, lastMonth: 681 }, published);
    // A slower process publishes for an earlier instant.
    expect(next.state.lastMonth).toBe(682);
  });

  test('in the past is not reported when it is added late', () => {
    expect(months(680, 680, [660, 670, 680].map(month))).toEqual([]);
  });

  test('without a value is not reported', () => {
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

  test('is reported with its prediction, and its end with the reason', () => {
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

  test('that exists at the first publication is not reported, but its end is', () => {
    expect(dealEvents(null, [begins, ends]).map(({ kind }) => kind)).toEqual(['deal.close']);
  });
});

test('replaying events reproduces the published offer', () => {
  const look = fc.record({
    priceCents: fc.constantFrom(null, 80_00, 90_00, 100_00),
    hasOffer: fc.boolean(),
    sellerType: fc.constantFrom(null, 'retailer' as const, 'third_party' as const),
    lowestCents: fc.constantFrom(null, 80_00),
    isAtLowest: fc.boolean(),
    isFlipped: fc.constantFrom(null, true, false),
    inStock: fc.constantFrom(null, true, false),
  });
  const whole = ['retail.price', 'retail.stock', 'retail.offer'];
  const offerOf = ({ priceCents, hasOffer, sellerType, inStock }: EventDetails) =>
    priceCents === undefined ? null : [priceCents, hasOffer, sellerType ?? null, inStock ?? null];
  const shown = ({ priceCents, hasOffer, sellerType, inStock }: RetailFacts) =>
    priceCents === null ? null : [priceCents, hasOffer, sellerType, inStock];
  fc.assert(
    fc.property(fc.array(fc.tuple(look, fc.boolean()), { maxLength: 12 }), (looks) => {
      let state = first({ retail: {} });
      let seen: ReturnType<typeof offerOf> = null;
      for (const [now, isUndone] of looks) {
        const next = nextEvents(state, { ...plain, ...at(now) }, { ...published, isUndone });
        for (const { kind, before, after } of next.events) {
          if (!whole.includes(kind)) continue;
          if (kind === 'retail.price') expect(before.priceCents).toBe(seen?.[0] as number);
          seen = offerOf(after);
        }
        expect(seen).toEqual(shown(now));
        state = next.state;
      }
    }),
    { numRuns: 200 },
  );
});
