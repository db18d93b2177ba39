/**
 * Ranges on real single sales: eBay UK in September 2022, where titles name the set and its
 * condition. The files are not part of this project; without them this is skipped. Titles of parts,
 * lots and single figures are left out as far as words show them, so a few others remain.
 */
// @runs SQLite (rest): reads files of other services
import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Random } from '../../simulator/market/random.ts';
import { dayMs, type Month, monthOf, monthStart } from '../../src/kernel/time.ts';
import type { StoredSale } from '../../src/market/source-rows/source-rows.ts';
import { valueEngine } from '../../src/market/values/engine.ts';
import type {
  SetToValue,
  StoredParameters,
  ValuationFacts,
} from '../../src/market/values/estimator.ts';
import { sampleRank } from '../../src/market/values/learned-items.ts';
import { readBrickset } from '../support/brickset.ts';
import { sold } from '../support/valuation.ts';

const data = resolve(import.meta.dir, '../../../shared/data');
const files = {
  sales: resolve(data, 'single_sales/ebay_uk_sold_2022-09.csv'),
  facts: resolve(data, 'brickset_csv_export_2022-09'),
};
const isPresent = Object.values(files).every((path) => existsSync(path));

const start = Date.UTC(2022, 8, 1);
const end = Date.UTC(2022, 8, 10);

/** Dollars per pound in that week. */
const usdPerPound = 1.15;

const notOneSet = new RegExp(
  `\\b(${[
    'lot|bundle|only|instructions?|manual|stickers?|mini ?fig\\w*|figur\\w*|head|torso',
    'no box|incomplete|missing|without|empty|spares?|parts?|split|from set|bags? \\d',
    'light\\w* kit|led|display|stand|case|custom|compatible|moc|plate|baseplate|keyring',
    'x ?\\d+|\\d+ ?x|\\d sealed|set of|pack of|series|character pack|choose|pick',
    'poster|card|wheels?',
  ].join('|')})\\b`,
  'i',
);
const saysSealed = /\b(sealed|misb|bnib|bnisb|nisb|unopened|new|neuf|neu|nuovo)\b/i;
const saysUsed = /\b(used|pre-?owned|opened)\b/i;

interface SoldSet {
  readonly key: string;
  readonly facts: ValuationFacts;
  readonly sales: readonly StoredSale[];
}

/** Sealed sets, each listing once. */
function readSales(soldAtOf: (day: number, index: number) => number): SoldSet[] {
  const rows = readBrickset(files.facts);
  const facts = new Map(rows.map((row) => [row.number.replace(/-1$/, ''), row.facts]));
  const sales = new Map<string, StoredSale[]>();
  const lines = new Set(readFileSync(files.sales, 'utf8').split(/\r?\n/));
  for (const [index, line] of [...lines].entries()) {
    const [, title = '', pounds = '', day = ''] =
      /^"?(?:New listing)?(.*?)"?,£,([\d.]+),(\d+) Sep 2022$/.exec(line) ?? [];
    if (notOneSet.test(title) || saysUsed.test(title) || !saysSealed.test(title)) continue;
    const named = new Set(title.match(/\b\d{4,6}\b/g)?.filter((number) => facts.has(number)));
    const [key = ''] = named;
    if (named.size !== 1) continue;
    const soldAt = soldAtOf(Number(day), index);
    const sale = sold({
      sourceId: String(index),
      soldAt,
      ingestedAt: soldAt,
      priceCents: Math.round(Number(pounds) * 100),
      currency: 'GBP',
      usdPerUnit: usdPerPound,
    });
    sales.set(key, [...(sales.get(key) ?? []), sale]);
  }
  return [...sales].flatMap(([key, of]) => {
    const known = facts.get(key);
    return known ? [{ key, facts: known, sales: of.sort((a, b) => a.soldAt - b.soldAt) }] : [];
  });
}

const toValue = ({ facts, sales }: SoldSet, before: number): SetToValue => {
  return { facts, sales: sales.filter(({ soldAt }) => soldAt < before), retailWeeks: [] };
};

async function learn(sets: readonly SoldSet[], from: Month): Promise<StoredParameters[]> {
  const learned: StoredParameters[] = [];
  for (let month = from; month <= monthOf(end); month++) {
    const learner = valueEngine.startLearning();
    for (const set of sets) learner.addSet(toValue(set, monthStart(month)), sampleRank(set.key));
    learned.push(...(await learner.learn({ frozen: learned, from: month, to: month })));
  }
  return learned;
}

/** The share of sales since an instant in the range before them, of sets that had sold. */
function coverage(sets: readonly SoldSet[], learned: readonly StoredParameters[], since: number) {
  const inside: boolean[] = [];
  const byMonth = Map.groupBy(
    sets.flatMap((set) => set.sales.slice(1).map((sale) => ({ set, sale }))),
    ({ sale }) => monthOf(sale.soldAt),
  );
  for (const [month, tested] of byMonth) {
    const estimator = valueEngine.makeEstimator(learned.filter((one) => one.month <= month));
    for (const { set, sale } of tested) {
      if (sale.soldAt < since) continue;
      const { sealed } = estimator.prepareSet(toValue(set, sale.soldAt)).valueAt(sale.soldAt);
      const cents = sale.priceCents * usdPerPound;
      if (sealed) inside.push(cents >= sealed.lowCents && cents <= sealed.highCents);
    }
  }
  return { count: inside.length, share: inside.filter(Boolean).length / inside.length };
}

describe.skipIf(!isPresent)('four in five real sales of sets that have sold are in range', () => {
  test('before anything is learned', () => {
    const sets = readSales((day, index) => Date.UTC(2022, 8, day, 12) + index * 1_000);
    const { count, share } = coverage(sets, [], start);
    expect(count).toBeGreaterThan(400);
    expect(share).toBeWithin(0.76, 0.84);
  });

  test('once errors are learned, although all prices are in pounds', async () => {
    const random = new Random(1, 'single sales');
    const sets = readSales(() => end - Math.ceil(random.between(0, 365) * dayMs));
    const learned = await learn(sets, monthOf(end - 365 * dayMs));
    expect(learned.at(-1)?.body).toContain('"set":{"low":');
    const { count, share } = coverage(sets, learned, end - 240 * dayMs);
    expect(count).toBeGreaterThan(300);
    expect(share).toBeWithin(0.76, 0.84);
  });
});
