/** `explain`: the evidence of a value without source rows, and its verification. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { packPoints, unpackPoints } from '../../src/market/history/history.ts';
import { makeWorkplace, type Workplace } from '../support/cli.ts';
import { stock } from '../support/stocked.ts';
import { onTables } from '../support/tables.ts';

let place: Workplace;

/** The tested part of the output of `explain --json`. */
interface Explained {
  readonly stale: boolean;
  readonly data_tier: string;
  readonly values: Record<'sealed' | 'used', { value_usd: number; sales: object } | null>;
  readonly outcomes: readonly { outcome: string; reason: string | null; count: number }[];
  readonly channels: readonly { channel: string; sales: number }[];
  readonly verify: { value: string; months: { inputs_changed: object[]; differs: object[] } };
}

const day = (index: number) => new Date(Date.UTC(2026, 10, 14) - index * 6 * 86_400_000);

/** Prices that occur nowhere else: 101.13, 103.13 and so on. */
const sale = (index: number, facts: object = {}) => ({
  kind: 'sale',
  source: 'secretsource',
  source_id: `secretid-${index}`,
  item_type: 'set',
  item: '75192',
  condition: 'sealed',
  seller: `secretseller-${index}`,
  channel: 'fixed',
  price: 101.13 + 2 * (index % 7),
  sold_at: day(index).toISOString(),
  ...facts,
});

const feed = [
  {
    kind: 'set',
    set_number: '75192',
    title: 'Grand Castle',
    theme: 'Castle',
    pieces: 1000,
    msrp_usd: 99.99,
    release_date: '2024-03-01',
    retire_date: '2025-12-31',
  },
  { kind: 'set', set_number: '7001', title: 'Mystery Box', theme: 'Gear' },
  { kind: 'minifig', minifig_number: 'cas001', name: 'Knight', aliases: ['fig-000001'] },
  ...Array.from({ length: 24 }, (_, index) => sale(index)),
  sale(30, { completeness: 'incomplete' }),
  sale(31, { completeness: 'damaged_box', channel: 'auction', sold_at: day(3).toISOString() }),
  sale(32, { price: 917.77, sold_at: day(2).toISOString() }),
  sale(33, { condition: 'used', price: 71.13, sold_at: day(5).toISOString() }),
  sale(34, { item: 'cas001', item_type: 'minifig', condition: 'used', price: 8.17 }),
  sale(40),
  { kind: 'retract', source: 'secretsource', source_id: 'secretid-40' },
];

const importLines = (lines: readonly object[], now: string) =>
  place.json(['import', 'feed', '-'], {
    stdin: lines.map((line) => JSON.stringify(line)).join('\n'),
    now,
  });

beforeEach(async () => {
  place = makeWorkplace();
  await stock(place, { lines: feed });
});

afterEach(() => place.close());

const explain = (...words: string[]) => place.json<Explained>(['explain', ...words]);

test('counts, reasons, channels and versions are shown, as text and JSON', async () => {
  const explained = await explain('set', '75192');
  expect(explained).toMatchObject({
    kind: 'set',
    number: '75192',
    name: 'Grand Castle',
    stale: false,
    values: {
      sealed: {
        sales: { ever: 25, days_30: 6, days_90: 16, days_365: 25 },
        first_sale: '2026-06',
        latest_sale: '2026-11',
      },
      used: { sales: { ever: 1 } },
    },
    outcomes: [
      { condition: 'sealed', outcome: 'accepted', reason: null, count: 24 },
      { condition: 'sealed', outcome: 'down_weighted', reason: 'damaged_box', count: 1 },
      { condition: 'sealed', outcome: 'quarantined', reason: 'does_not_fit', count: 1 },
      { condition: 'sealed', outcome: 'rejected', reason: 'incomplete', count: 1 },
      { condition: 'sealed', outcome: 'rejected', reason: 'retracted', count: 1 },
      { condition: 'used', outcome: 'down_weighted', reason: 'completeness_unknown', count: 1 },
    ],
    channels: [
      { channel: 'fixed', sales: 25 },
      { channel: 'auction', sales: 1 },
    ],
    versions: { engine: expect.any(String), parameters: expect.stringMatching(/^2026-11-/) },
  });
  expect(explained).not.toHaveProperty('verify');
  const { stdout, status } = await place.run(['explain', 'set', '75192-1']);
  expect(status).toBe(0);
  expect(stdout).toStartWith('Set 75192, Grand Castle\n');
  for (const words of [
    `$${explained.values.sealed?.value_usd.toFixed(2)}`,
    `Data tier ${explained.data_tier}: `,
    /Counted at lower weight +Sealed +1 +damaged box/,
    /Set aside +Sealed +1 +out of line/,
    /Excluded +Sealed +1 +withdrawn by the source/,
    /Auction +1 /,
    'Without sales, the estimate would be $',
    'parameters 2026-11-',
  ]) {
    expect(stdout).toMatch(words);
  }
});

test('no source row is shown: no price, seller, source or ID of a single sale', async () => {
  const secrets = /secret|917\.77|917,77|10[1-9]\.13|11[0-9]\.13|71\.13/;
  for (const words of [[], ['--verify'], ['--json'], ['--json', '--verify']]) {
    const { stdout, stderr } = await place.run(['explain', 'set', '75192', ...words]);
    expect(stdout.length).toBeGreaterThan(500);
    expect(`${stdout}${stderr}`).not.toMatch(secrets);
  }
});

test('a minifig is found by its other numbers; an item without data has no value', async () => {
  const minifig = await explain('minifig', 'FIG-000001', '--verify');
  expect(minifig).toMatchObject({
    kind: 'minifig',
    number: 'cas001',
    name: 'Knight',
    values: { used: { sales: { ever: 1 } } },
    verify: { value: 'matches', months: { checked: 0, matches: 0 } },
  });
  const { stdout } = await place.run(['explain', 'set', '7001']);
  expect(stdout).toContain('No sales recorded.');
});

test('the kind is detected by the number; sets come before minifigs', async () => {
  const explain = async (...words: string[]) => (await place.run(['explain', ...words])).stdout;
  expect(await explain('75192')).toBe(await explain('set', '75192'));
  expect(await explain('75192-1')).toBe(await explain('set', '75192'));
  expect(await explain('cas001')).toBe(await explain('minifig', 'cas001'));
  expect(await explain('fig-000001')).toContain('Minifig cas001');
  await importLines(
    [{ kind: 'minifig', minifig_number: '75192', name: 'Guard' }],
    '2026-11-15T13:00:00Z',
  );
  expect(await explain('75192')).toContain('Set 75192');
  expect(await explain('minifig', '75192')).toContain('Minifig 75192');
});

test('a missing, unvalued or mistyped item is an error with a next step', async () => {
  const ran = async (...words: string[]) => {
    const { status, stdout, stderr } = await place.run(['explain', ...words]);
    expect(stdout).toBe('');
    return [status, stderr.trim()];
  };
  expect(await ran('set', '75129')).toEqual([
    1,
    "No set '75129'; did you mean 'brickmark explain set 75192'?",
  ]);
  await place.json(['import', 'feed', '-', '--no-value'], {
    stdin: JSON.stringify({ kind: 'set', set_number: '8001', title: 'New', theme: 'Gear' }),
  });
  expect(await ran('set', '8001')).toEqual([
    1,
    "No value yet for set 8001. Run 'brickmark value' first.",
  ]);
  expect(await ran('75129')).toEqual([
    1,
    "No set or minifig '75129'; did you mean 'brickmark explain set 75192'?",
  ]);
  expect(await ran('set')).toEqual([2, "NUMBER is missing. See 'brickmark explain --help'."]);
  expect(await ran('sets', '8001')).toEqual([
    2,
    "'sets' must be set or minifig. See 'brickmark explain --help'.",
  ]);
});

test('a sealed value and its months verify, even after late rows', async () => {
  await place.json(['history', 'seal'], { now: '2026-11-15T13:00:00Z' });
  await importLines([sale(50, { sold_at: '2026-09-10T00:00:00Z' })], '2026-11-16T12:00:00Z');
  const { status, stdout } = await place.run(['explain', 'set', '75192', '--verify']);
  expect(stdout).toContain('Verified: recomputing gives the same value.');
  expect(stdout).toMatch(/(\d+) of \1 stored months match\./);
  expect(status).toBe(0);
});

test('after a correction the inputs have changed, which is not a failure', async () => {
  await place.json(['history', 'seal'], { now: '2026-11-15T13:00:00Z' });
  const corrected = sale(8, { price: 140 });
  await place.json(['import', 'feed', '-', '--no-value'], {
    stdin: JSON.stringify(corrected),
    now: '2026-11-16T12:00:00Z',
  });
  const ran = await place.run(['explain', 'set', '75192', '--verify']);
  expect(ran.status).toBe(0);
  expect(ran.stdout).toContain('The inputs have changed');
  expect(ran.stdout).toContain('sealed Sep 2026');
  expect(ran.stderr).toContain("Run 'brickmark value' to include them");
  const { verify, stale } = await explain('set', '75192', '--verify');
  expect(stale).toBe(true);
  expect(verify.value).toBe('inputs_changed');
  expect(verify.months.inputs_changed).toContainEqual({ condition: 'sealed', month: '2026-09' });
  expect(verify.months.inputs_changed).not.toContainEqual({
    condition: 'sealed',
    month: '2026-08',
  });
  expect(verify.months.differs).toEqual([]);
});

test('a manipulated month is detected, and is a failure', async () => {
  const [row] = await onTables<{ points: Uint8Array }>(
    place.data,
    "SELECT points FROM series WHERE condition = 'sealed'",
  );
  const points = row?.points ?? new Uint8Array();
  const changed = unpackPoints(points).map((point) =>
    point.salesCount > 0 && point.valueCents
      ? { ...point, valueCents: point.valueCents + 1, highCents: (point.highCents ?? 0) + 1 }
      : point,
  );
  const update = "UPDATE series SET points = ? WHERE condition = 'sealed'";
  await onTables(place.data, update, [packPoints(changed)]);
  const ran = await place.run(['explain', 'set', '75192', '--verify', '--json']);
  expect(ran.status).toBe(1);
  expect(ran.stderr.trim()).toBe('A stored month of set 75192 does not match its inputs.');
  const { verify } = JSON.parse(ran.stdout) as Explained;
  expect(verify).toMatchObject({ value: 'matches', months: { inputs_changed: [] } });
  expect(verify.months.differs).toContainEqual({ condition: 'sealed', month: '2026-10' });
});

test('a value of another engine version is shown, but must be recomputed to be verified', async () => {
  const rows = await onTables<{ id: number; body: string }>(
    place.data,
    'SELECT item_id AS id, body FROM evidence',
  );
  for (const { id, body } of rows) {
    const older = JSON.stringify({ ...JSON.parse(body), engine: 'older-0' });
    await onTables(place.data, 'UPDATE evidence SET body = ? WHERE item_id = ?', [older, id]);
  }
  const shown = await place.run(['explain', 'set', '75192']);
  expect(shown.status).toBe(0);
  expect(shown.stderr).toContain(
    "computed by older-0, and this is brickmark-7. Run 'brickmark value' to recompute it.",
  );
  const refused = await place.run(['explain', 'set', '75192', '--verify']);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain("Run 'brickmark value' first, then verify.");
});
