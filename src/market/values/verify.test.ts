/** Published values can be recomputed, and changed inputs are distinguished from errors. */
import { afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { aPublishedItem } from '../../../test/support/builders.ts';
import { smallWorld, smallWorldItems } from '../../../test/support/small-world.ts';
import { prepareWorld, type StoredWorld } from '../../../test/support/stored-world.ts';
import { dayMs, parseMonth } from '../../kernel/time.ts';
import { valueEngine } from './engine.ts';
import type { Verification } from './verify.ts';

const market = smallWorld(Date.parse('2026-11-15'));
const sales = market.rows.filter(({ kind }) => kind === 'sale');
const retract = ({ source, source_id }: (typeof sales)[number]) => ({
  kind: 'retract',
  source,
  source_id,
});

let startFull: () => Promise<StoredWorld>;
let world: StoredWorld;

beforeAll(async () => {
  const lines = [...market.catalog, ...market.rows, ...market.retractions];
  startFull = await prepareWorld((filled) => filled.load(lines), undefined, valueEngine);
});

beforeEach(async () => {
  world = await startFull();
});

afterEach(() => world.close());

/** The sums of the verification of all items. */
async function verifyAll() {
  const found: Verification[] = [];
  // Some are aliases, which are not published.
  for (let id = 1; id <= 40; id++) {
    const verification = await world.publisher.verify(id);
    if (verification) found.push(verification);
  }
  const sum = (count: (of: Verification['months']) => number) =>
    found.reduce((total, { months }) => total + count(months), 0);
  return {
    items: found.length,
    values: [...new Set(found.map(({ value }) => value))].sort(),
    checked: sum(({ checked }) => checked),
    matches: sum(({ matches }) => matches),
    changed: sum(({ inputsChanged }) => inputsChanged.length),
    differs: sum(({ differs }) => differs.length),
  };
}

const fine = { items: smallWorldItems, values: ['matches'], changed: 0, differs: 0 };

test('everything matches before sealing, after it, in later months and for the past', async () => {
  const before = await verifyAll();
  expect(before).toMatchObject({ ...fine, matches: before.checked });
  expect(before.checked).toBeGreaterThan(300);
  await world.store.market.sealHistory(world.now);
  expect(await verifyAll()).toEqual(before);
  world.now = Date.parse('2026-12-20');
  while ((await world.publisher.publishDue(60)) > 0);
  const later = await verifyAll();
  expect(later).toMatchObject({ ...fine, matches: later.checked });
  expect(later.checked).toBeGreaterThan(before.checked);
  await world.publisher.publishAll(Date.parse('2026-12-01'));
  expect(await verifyAll()).toMatchObject({ ...fine, matches: later.checked });
});

test('late rows and retractions after sealing do not change months', async () => {
  await world.store.market.sealHistory(world.now);
  const before = await verifyAll();
  world.now += dayMs;
  const late = sales.slice(0, 100).map((sale) => ({ ...sale, source: 'late' }));
  await world.load([...late, ...sales.slice(200, 300).map(retract)]);
  expect(await verifyAll()).toEqual(before);
});

test('sales that wait for a rate until history is sealed do not change months either', async () => {
  const waiting = sales.slice(0, 100).map((sale) => {
    return { ...sale, source: 'abroad', currency: 'CHF', price: 4_000 };
  });
  await world.load(waiting);
  expect((await world.store.market.listWaiting())[0]?.count).toBe(100);
  await world.store.market.sealHistory(world.now);
  const before = await verifyAll();
  expect(before).toMatchObject({ ...fine, matches: before.checked });
  world.now += dayMs;
  const days = [...new Set(sales.map(({ sold_at }) => String(sold_at).slice(0, 10)))];
  await world.load(days.map((date) => ({ kind: 'fx', date, currency: 'CHF', usd_per_unit: 1.1 })));
  expect(await world.store.market.listWaiting()).toEqual([]);
  expect(await verifyAll()).toEqual(before);
});

test('restated months match with the rows of the restatement', async () => {
  await world.store.market.sealHistory(world.now);
  const before = await verifyAll();
  world.now += dayMs;
  await world.load(sales.slice(200, 400).map(retract));
  world.now += dayMs;
  const fromMonth = parseMonth('2026-03') ?? 0;
  await world.store.market.restateHistory({ fromMonth, reason: 'A source', at: world.now });
  // Recorded, but not applied yet, so stored months are unchanged.
  expect(await verifyAll()).toEqual(before);
  await world.publisher.publishStale();
  const after = await verifyAll();
  expect(after).toMatchObject({ ...fine, matches: after.checked });
  world.now += dayMs;
  await world.load(sales.slice(400, 500).map(retract));
  expect(await verifyAll()).toEqual(after);
});

test('rows since the last publication are reported as changed inputs, not as a difference', async () => {
  await world.ingest(sales.slice(0, 300).map(retract));
  const { values, changed, differs } = await verifyAll();
  expect(values).toContain('inputs_changed');
  expect(values).not.toContain('differs');
  expect(changed).toBeGreaterThan(0);
  expect(differs).toBe(0);
});

test('a stored month that differs with the same inputs is reported as a difference', async () => {
  const inputs = { at: world.now, withSeries: true };
  const [item] = await world.store.market.loadInputs([20], inputs);
  const sealed = item?.series.sealed;
  const [point, ...points] = sealed?.points ?? [];
  if (!item?.evidence || !sealed || !point) throw new Error('There is no such item.');
  const changed = {
    ...sealed,
    points: [{ ...point, salesCount: point.salesCount + 1 }, ...points],
  };
  const { version, evidence, series } = item;
  const published = aPublishedItem({ id: 20, version, at: world.now, evidence });
  const { publish } = world.store.market;
  await publish([{ ...published, series: { ...series, sealed: changed } }]);
  const months = (await world.publisher.verify(20))?.months;
  expect(months?.differs).toEqual([{ condition: 'sealed', month: sealed.firstMonth }]);
  expect(months?.inputsChanged).toEqual([]);
});

test('an unknown number is not verified', async () => {
  expect(await world.publisher.verify(999)).toBeNull();
});
