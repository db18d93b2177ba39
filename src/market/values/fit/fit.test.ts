/** Parameters of a month are learned from earlier months, deterministically. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { Random } from '../../../../simulator/market/random.ts';
import {
  inOrder,
  minifigOf,
  restingFacts,
  setOf,
  sold,
  unknownFacts,
} from '../../../../test/support/valuation.ts';
import { dayMs, monthOf, monthStart } from '../../../kernel/time.ts';
import { channels, type StoredSale } from '../../source-rows/source-rows.ts';
import { makeEstimator } from '../engine/estimator.ts';
import { defaultParameters, evenOffsets, type Parameters } from '../engine/parameters.ts';
import { setSubject } from '../engine/subject.ts';
import type { Estimator, MinifigToValue, SetToValue, StoredParameters } from '../estimator.ts';
import { Fit } from './fit.ts';
import { GrowthExamples } from './growth.ts';
import { itemMedians } from './item-medians.ts';

const from = 2026 * 12;
const to = from + 5;

interface Items {
  readonly sets: readonly SetToValue[];
  readonly minifigs: readonly MinifigToValue[];
}

/** Two years of sales; parameters are learned for the last six months. */
function makeSales(random: Random, typicalCents: number, newOverUsed: number): StoredSale[] {
  return inOrder(
    Array.from({ length: 40 }, () => {
      const condition = random.chance(0.5) ? 'sealed' : 'used';
      const channel = random.pick(channels);
      const log =
        (condition === 'sealed' ? newOverUsed : 0) +
        (channel === 'auction' ? -0.15 : 0) +
        random.normal(0, 0.1);
      return sold({
        condition,
        channel,
        soldAt: monthStart(from - 18) + random.below(730 * dayMs),
        priceCents: Math.max(1, Math.round(typicalCents * Math.exp(log))),
      });
    }),
  );
}

function makeItems(): Items {
  const random = new Random(7, 'fit');
  const sets = Array.from({ length: 60 }, (_, index) => {
    const msrpCents = 20_00 + 5_00 * index;
    const theme = random.pick(['Castles', 'Ships']);
    const facts = { ...restingFacts, msrpCents, pieces: msrpCents / 10, theme };
    return setOf(makeSales(random, msrpCents * (theme === 'Ships' ? 1 : 2), 0.5), facts);
  });
  const minifigs = Array.from({ length: 30 }, (_, index) =>
    minifigOf(makeSales(random, 4_00 + 20 * index, 0.6)),
  );
  return { sets, minifigs };
}

const items = makeItems();
let learned: readonly StoredParameters[] = [];

function fitOf({ sets, minifigs }: Items): Fit {
  const fit = new Fit();
  for (const [lot, set] of sets.entries()) fit.addSet(set, lot);
  for (const [lot, minifig] of minifigs.entries()) fit.addMinifig(minifig, lot);
  return fit;
}

const learn = (
  of: Items,
  options: { from?: number; to?: number; frozen?: StoredParameters[] } = {},
) => fitOf(of).learn({ frozen: [], from, to, ...options });

const bodyOf = (stored: StoredParameters | undefined) =>
  JSON.parse(stored?.body ?? 'null') as Parameters;

/** The items with their sales replaced. */
const withSales = (change: (sales: readonly StoredSale[]) => StoredSale[]): Items => ({
  sets: items.sets.map((set) => ({ ...set, sales: change(set.sales) })),
  minifigs: items.minifigs.map((minifig) => ({ ...minifig, sales: change(minifig.sales) })),
});

beforeAll(async () => {
  learned = await learn(items);
});

describe('learning', () => {
  test('creates one version for each month', () => {
    expect(learned.map(({ month }) => month)).toEqual([0, 1, 2, 3, 4, 5].map((by) => from + by));
    expect(new Set(learned.map(({ version }) => version)).size).toBe(6);
  });

  test('a sale in the currency of most sales counts like one in dollars', async () => {
    const inPounds = (sales: readonly StoredSale[]) =>
      sales.map((sale) => ({ ...sale, currency: 'GBP' }));
    const ofBritain = await learn(withSales(inPounds));
    expect(bodyOf(ofBritain.at(-1)).mainCurrency).toBe('GBP');
    expect(bodyOf(learned.at(-1)).mainCurrency).toBeUndefined();
    const at = monthStart(to) + 9 * dayMs;
    const valued = (currency: string, parameters: readonly StoredParameters[]) => {
      const sales = [sold({ currency, soldAt: at - dayMs, priceCents: 300_00 })];
      return makeEstimator(parameters).prepareSet(setOf(sales, restingFacts)).valueAt(at);
    };
    const [pounds, dollars] = ['GBP', 'USD'].map((currency) => valued(currency, ofBritain));
    expect(pounds?.sealed).toEqual(dollars?.sealed);
    expect(pounds?.evidence.outcomes).toEqual(dollars?.evidence.outcomes);
    expect(valued('GBP', learned).sealed).not.toEqual(valued('USD', learned).sealed);
  });

  test('recovers the true parameters', () => {
    const { prior, usedRatio, offsets, ranges } = bodyOf(learned.at(-1));
    expect(prior.set.examples).toBeGreaterThan(50);
    expect(prior.minifig.examples).toBeGreaterThan(25);
    const { Castles = 0, Ships = 0 } = prior.set.themes;
    expect(Castles - Ships).toBeWithin(0.4, 0.8);
    // At ten years the true ratio is -0.5, and the default -0.63.
    const { set, minifig } = usedRatio;
    expect(set.base + 10 * set.perYear).toBeWithin(-0.56, -0.46);
    expect(minifig.base + 5 * minifig.perYear).toBeWithin(-0.6, -0.4);
    expect(offsets.set.auction).toBeWithin(-0.16, -0.08);
    expect(offsets.set.amazon).toBeWithin(-0.04, 0.04);
    expect(Object.keys(ranges)).toContain('set sealed');
  });

  test('samples items, and the sample does not depend on later items', async () => {
    const few = (sets: readonly SetToValue[], count: number) => {
      const fit = new Fit(count);
      // Ranks are not in the order of items.
      for (const [index, set] of sets.entries()) fit.addSet(set, (index * 7919) % 1009);
      return fit.learn({ frozen: [], from, to });
    };
    const early = items.sets.slice(0, 40);
    const before = await few(early, 15);
    expect(bodyOf(before.at(-1)).prior.set.examples).toBeWithin(8, 16);
    const lastMonth = monthStart(to);
    const late = items.sets.slice(40).map((set) => ({
      ...set,
      sales: set.sales.map((sale) => ({ ...sale, soldAt: lastMonth, ingestedAt: lastMonth })),
    }));
    expect(await few([...early, ...late], 15)).toEqual(before);
    expect((await few(early, 14)).at(-1)).not.toEqual(before.at(-1));
  });

  test('gives the same versions twice', async () => {
    expect(await learn(items)).toEqual([...learned]);
  });

  test('does not depend on the order of items', async () => {
    const reversed = { sets: items.sets.toReversed(), minifigs: items.minifigs.toReversed() };
    expect(await learn(reversed)).toEqual([...learned]);
  });

  test('month by month with frozen parameters gives the same as all at once', async () => {
    const frozen: StoredParameters[] = [];
    for (const month of [from, from + 1]) {
      frozen.push(...(await learn(items, { frozen, from: month, to: month })));
    }
    expect(frozen).toEqual(learned.slice(0, 2));
    const last = await learn(items, { frozen: learned.slice(0, -1), from: to, to });
    expect(last).toEqual(learned.slice(-1));
  });

  test('does not change frozen parameters, but uses them', async () => {
    const frozen = learned.slice(0, 3).map((stored) => {
      const body = JSON.stringify({
        ...bodyOf(stored),
        usedRatio: {
          ...defaultParameters.usedRatio,
          set: { base: 2, perYear: 0, perLaterYear: 0, spread: 1 },
        },
      });
      return { ...stored, version: `${stored.version}-other`, body };
    });
    const next = await learn(items, { frozen, from: from + 3, to: from + 3 });
    expect(next.map(({ month }) => month)).toEqual([from + 3]);
    expect(bodyOf(next[0]).prior).toEqual(bodyOf(learned[3]).prior);
    expect(bodyOf(next[0]).ranges).not.toEqual(bodyOf(learned[3]).ranges);
    // Frozen parameters of months that are learned again are ignored.
    expect(await learn(items, { frozen: [...learned], from: from + 3, to })).toEqual(
      learned.slice(3),
    );
  });
});

describe('the parameters of a month', () => {
  test('do not depend on its own sales, nor on later ones', async () => {
    const earlier = withSales((sales) =>
      sales.filter(({ soldAt }) => soldAt < monthStart(from + 2)),
    );
    const onlyEarlier = await learn(earlier);
    expect(onlyEarlier.slice(0, 3)).toEqual(learned.slice(0, 3));
    expect(onlyEarlier[3]).not.toEqual(learned[3]);
  });

  test('depend on the sales of the month before', async () => {
    const without = withSales((sales) =>
      sales.filter(({ soldAt }) => monthOf(soldAt) !== from + 1),
    );
    const other = await learn(without);
    expect(other.slice(0, 2)).toEqual(learned.slice(0, 2));
    expect(other[2]?.version).not.toBe(learned[2]?.version);
  });

  test('are the defaults without sales', async () => {
    const none = await learn({ sets: [setOf([], unknownFacts)], minifigs: [] });
    expect(none).toHaveLength(6);
    for (const stored of none) {
      expect(bodyOf(stored)).toMatchObject(defaultParameters);
    }
  });

  test('are learned from items with two sales, and ratios from items with three of each', async () => {
    const soldAt = monthStart(from) - dayMs;
    const learnedFrom = async (count: number) => {
      const used = { soldAt, condition: 'used', priceCents: 90_00 } as const;
      const sales = Array.from({ length: count }, () => [sold({ soldAt }), sold(used)]).flat();
      const sets = Array.from({ length: 30 }, () => setOf(sales));
      const minifigs = Array.from({ length: 30 }, () => minifigOf(sales));
      const [stored] = await learn({ sets, minifigs }, { to: from });
      const { prior, usedRatio } = bodyOf(stored);
      const isRatio = (kind: 'set' | 'minifig') =>
        usedRatio[kind].base !== defaultParameters.usedRatio[kind].base;
      return [prior.set.examples, prior.minifig.examples, isRatio('set'), isRatio('minifig')];
    };
    expect(await learnedFrom(1)).toEqual([0, 0, false, false]);
    expect(await learnedFrom(2)).toEqual([30, 30, false, false]);
    expect(await learnedFrom(3)).toEqual([30, 30, true, true]);
  });

  test.each(['sealed', 'used'] as const)(
    'have the level of the first %s sales, one of each set',
    async (condition) => {
      const random = new Random(4, 'first sales', condition);
      const released = (years: number) => monthStart(from) - years * 365.25 * dayMs;
      const facts = (priceCents: number, years: number) => ({
        ...unknownFacts,
        msrpCents: priceCents,
        pieces: Math.round(priceCents / 11),
        releasedAt: released(years),
        retiredAt: released(years - 2),
      });
      const soldAt = monthStart(from) - dayMs;
      const cents = (of: ReturnType<typeof facts>) =>
        makeEstimator([]).prepareSet(setOf([], of)).valueAt(soldAt)[condition]?.valueCents ?? 0;
      const sets = Array.from({ length: 30 }, () => {
        const of = facts(random.logNormal(50_00, 0.5), random.between(1, 8));
        const priceCents = Math.round(cents(of) * random.logNormal(1.2, 0.15));
        return setOf([sold({ soldAt, condition, priceCents })], of);
      });
      const level = async (others: readonly SetToValue[]) => {
        const stored = await learn({ sets: [...others], minifigs: [] }, { to: from });
        const value = (of: Estimator) =>
          of.prepareSet(setOf([], facts(90_00, 5))).valueAt(monthStart(from) + dayMs);
        const [learned, start] = [value(makeEstimator(stored)), value(makeEstimator([]))];
        return (learned[condition]?.valueCents ?? 0) / (start[condition]?.valueCents ?? 1);
      };
      expect(await level(sets)).toBeWithin(1.11, 1.23);
      expect(await level(sets.slice(0, 1))).toBeWithin(0.95, 1.08);
      expect(await level([])).toBe(1);
    },
  );

  test('are plain numbers', () => {
    for (const { body } of learned) expect(body).not.toContain('null');
  });
});

test('the supply of similar items is learned for the latest month', async () => {
  const fit = new Fit();
  const count = (units: number) => [
    { channel: 'fixed', observedAt: monthStart(to), units, lowestCents: null } as const,
  ];
  for (const [rank, set] of items.sets.entries()) {
    fit.addSet(set, rank, { sealed: count(20), used: count(5) });
  }
  const supplies = (await fit.learn({ frozen: [], from, to })).map(
    (month) => bodyOf(month).rates?.supply,
  );
  expect(supplies.slice(0, -1)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  const { set, minifig } = supplies.at(-1) ?? {};
  // Twenty sales of each condition in two years, of which a fifth are at a fixed price.
  expect(set?.sealed.fixed).toBeWithin(60, 160);
  expect((set?.sealed.fixed ?? 0) / (set?.used.fixed ?? 1)).toBeWithin(3, 5.5);
  expect(minifig).toEqual({ sealed: {}, used: {} });
});

test('half of the growth of a year is expected again, and half of the usual 5%', () => {
  const growth = (rises: readonly number[], count: number) => {
    const grown = new GrowthExamples();
    for (let index = 0; index < count; index++) {
      const sales = [-500, -480, -460, -135, -115, -95].map((days, order) =>
        sold({
          soldAt: monthStart(to) + days * dayMs,
          priceCents: Math.round(
            100_00 * Math.exp(order < 3 ? 0 : (rises[index % rises.length] ?? 0)),
          ),
        }),
      );
      const shares = new Float64Array(sales.length).fill(1);
      const subject = setSubject(setOf(sales));
      const when = { month: to, offsets: evenOffsets };
      grown.add({ subject, shares }, itemMedians({ subject, shares }, when), when);
    }
    return grown.growth();
  };
  expect(growth([0.2], 0)).toEqual({ sealed: 0.05, used: 0.05 });
  // With 100 items, another half of the difference.
  expect(growth([0.25], 100)).toEqual({ sealed: expect.closeTo(0.05 + 0.2 / 4, 2), used: 0.05 });
  expect(growth([-0.05], 300).sealed).toBeCloseTo(0.05 - 0.1 * 0.375, 3);
  // Of the mean, so that some that fall by a lot count.
  expect(growth([0, 0, -0.5], 300).sealed).toBeCloseTo(
    0.05 + 0.375 * (Math.log((2 + Math.exp(-0.5)) / 3) - 0.05),
    2,
  );
});

test('the first month is that of the first sale of any item', () => {
  const sale = (at: number) => [sold({ soldAt: at })];
  const fit = new Fit();
  expect(fit.firstMonth()).toBeNull();
  fit.addSet(setOf([]), 1);
  fit.addSet(setOf(sale(monthStart(from))), 2);
  expect(fit.firstMonth()).toBe(from);
  fit.addMinifig(minifigOf(sale(monthStart(from) - 1)), 3);
  expect(fit.firstMonth()).toBe(from - 1);
});

test('learning pauses at least once a month and every two hundred items', async () => {
  let pauses = 0;
  const pause = async () => {
    pauses++;
  };
  await fitOf(items).learn({ frozen: [], from, to, pause });
  expect(pauses).toBeGreaterThanOrEqual(12);
  const many = Array.from({ length: 1000 }, () => setOf([]));
  pauses = 0;
  await fitOf({ sets: many, minifigs: [] }).learn({ frozen: [], from, to: from, pause });
  expect(pauses).toBeGreaterThanOrEqual(5);
});
