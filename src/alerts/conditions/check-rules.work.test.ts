/** Which rules check which items, and what they report. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too

import { describe, expect, test } from 'bun:test';
import { ruleFacts } from '../../../test/support/alerts.ts';
import { soldWell } from '../../../test/support/deals.ts';
import { builtInTables } from '../../../test/support/publish-settings.ts';
import { usualSettings } from '../../buying/prices/buying-settings.ts';
import type { EventItems } from '../../market/events/events.ts';
import type { ListedItem, ResaleRecord } from '../../market/published/published-records.ts';
import type { Concerned, HeldUnits, WatchingRule } from './alert-evaluation.ts';
import type { AlertCondition, AlertScope, AlertSettings } from './alert-rule.ts';
import { type CheckDeps, type CheckedItem, checkRules, heldFacts } from './check-rules.work.ts';

const now = Date.UTC(2026, 10, 15, 12);
const everything: AlertScope = { kind: 'all' };
const atMost50: AlertCondition = { kind: 'price_amount', cents: 50_00 };

/** A set in the theme Town with a price and a value. */
function setOf(key: string, priceUsd: number, valueUsd: number | null = 100): ResaleRecord {
  const checked = new Date(now).toISOString();
  const retail = { price: priceUsd, inStock: true, atLowest: false };
  const body = {
    title: `Set ${key}`,
    theme: 'Town',
    new_value_usd: valueUsd,
    used_value_usd: 60,
    retailers: [{ retailer: 'retailer_a', last_checked_at: checked }],
  };
  return {
    key,
    number: key,
    body: JSON.stringify(body),
    evidence: null,
    retail: JSON.stringify({ retailer_a: retail }),
  };
}

function minifigOf(key: string, valueUsd: number): ResaleRecord {
  const body = JSON.stringify({ name: `Minifig ${key}`, current_value_usd: valueUsd });
  return { key, number: key, body, evidence: null, retail: null };
}

function ruleOf(id: number, facts: Partial<WatchingRule> = {}): WatchingRule {
  const { channelIds: _, ...rule } = ruleFacts({ scope: everything, condition: atMost50 });
  return { ...rule, id, accountId: 1, since: id, position: 0, ...facts };
}

interface World {
  readonly sets?: readonly ResaleRecord[];
  /** Each with every number it is known by. */
  readonly minifigs?: readonly (readonly [ResaleRecord, ...string[]])[];
  readonly found?: Partial<Concerned>;
}

/** A market and accounts in memory; `asked` records their queries. */
function worldOf({ sets = [], minifigs = [], found = {} }: World) {
  const asked: unknown[] = [];
  const listing = (key: string): ListedItem => ({
    number: key,
    title: key,
    theme: 'Town',
    newCents: null,
    usedCents: null,
    newTier: null,
    usedTier: null,
  });
  const deps: CheckDeps = {
    market: {
      findListedItems: async (_, keys) => new Map(keys.map((key) => [key, listing(key)])),
      findAllKeys: async (keys) => {
        asked.push('all keys');
        const names = minifigs.filter(([, ...names]) =>
          names.some((n) => keys.minifig.includes(n)),
        );
        return { set: [], minifig: names.flatMap(([, ...all]) => all) };
      },
      findResaleRecords: async (kind, keys) => {
        asked.push([kind, ...keys]);
        const named =
          kind === 'set'
            ? sets.map((record) => [record.key, record] as const)
            : minifigs.flatMap(([record, ...names]) => names.map((n) => [n, record] as const));
        return new Map(named.filter(([key]) => keys.includes(key)));
      },
    },
    accounts: {
      findConcerned: async (items: EventItems, themes: readonly string[]) => {
        asked.push({ ...items, themes });
        const nothing = { rules: [], listed: [], held: [], reported: [] };
        return { ...nothing, settings: new Map(), buying: new Map(), ...found };
      },
    },
    retailerNames: { retailer_a: 'Shop A', retailer_b: 'Shop B' },
    findTables: () => {
      asked.push('tables');
      return builtInTables;
    },
    readResale: () => soldWell,
  };
  return { deps, asked };
}

const priced = (key: string): CheckedItem => ({
  kind: 'set',
  key,
  events: [{ position: 5, kind: 'retail.price', retailer: 'retailer_a', before: {}, after: {} }],
});
const moved = (kind: 'set' | 'minifig', key: string, beforeCents: number): CheckedItem => ({
  kind,
  key,
  events: [
    {
      position: 5,
      kind: 'value.move',
      retailer: null,
      before: kind === 'set' ? { newCents: beforeCents } : { usedCents: beforeCents },
      after: {},
    },
  ],
});
const lookedAt = (kind: 'set' | 'minifig', key: string): CheckedItem => ({
  kind,
  key,
  events: null,
});

const reportedOf = (
  ruleId: number,
  itemKey: string,
  facts: Partial<Concerned['reported'][number]> = {},
) => ({
  ruleId,
  itemKind: 'set' as const,
  itemKey,
  retailer: 'retailer_a' as const,
  reportedAt: now - 1_000,
  baseCents: null,
  since: 77,
  ...facts,
});

/** The reported items, with their rules. */
async function tell(world: World, ...items: readonly CheckedItem[]) {
  const { notifications } = await checkRules(worldOf(world).deps, items, now);
  return notifications.map(({ ruleId, itemKey }) => `${ruleId}: ${itemKey}`);
}

describe('a rule about all items', () => {
  const sets = [setOf('1', 40), setOf('2', 60)];

  test('reports what meets its condition, with the message', async () => {
    const { deps } = worldOf({ sets, found: { rules: [ruleOf(7)] } });
    const result = await checkRules(deps, [priced('1'), priced('2')], now);
    expect(result.rules).toEqual([{ id: 7, since: 7 }]);
    expect(result.ended).toEqual([]);
    expect(result.reported).toEqual([
      {
        ruleId: 7,
        itemKind: 'set',
        itemKey: '1',
        retailer: 'retailer_a',
        reportedAt: now,
        baseCents: null,
      },
    ]);
    const [first, ...others] = result.notifications;
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      ruleId: 7,
      itemKind: 'set',
      itemKey: '1',
      number: '1',
      title: 'Set 1',
      retailer: 'retailer_a',
      at: now,
      dueAt: now,
      heldFor: null,
      dayStart: Date.UTC(2026, 10, 15),
    });
    const { reason, facts } = first?.say() ?? { reason: '', facts: '{}' };
    expect(reason).toBe('1 Set 1 is $40.00 at Shop A, 20% below your limit of $50.00');
    expect(JSON.parse(facts)).toEqual({ price_usd: 40, value_usd: 100 });
  });

  test('neither repeats nor forgets what it reported', async () => {
    const { deps } = worldOf({
      sets,
      found: { rules: [ruleOf(7)], reported: [reportedOf(7, '1')] },
    });
    const { rules, ...rest } = await checkRules(deps, [priced('1')], now);
    expect(rest).toEqual({ notifications: [], reported: [], ended: [] });
    expect(rules).toEqual([{ id: 7, since: 7 }]);
  });

  test('forgets what is no longer true', async () => {
    const { deps } = worldOf({
      sets,
      found: { rules: [ruleOf(7)], reported: [reportedOf(7, '2')] },
    });
    const { ended } = await checkRules(deps, [priced('2')], now);
    const of = { ruleId: 7, itemKind: 'set', itemKey: '2' } as const;
    expect(ended).toEqual([{ ...of, retailer: 'retailer_a' }]);
  });
});

test("an item that left a list, a theme or the holdings is forgotten, with the rule's state", async () => {
  const stays = ruleOf(7, { scope: { kind: 'theme', theme: 'Town' } });
  const other = { ...stays, id: 6, since: 6 };
  const found = {
    rules: [stays, other],
    reported: [reportedOf(7, '1'), reportedOf(8, '1'), reportedOf(9, '2')],
  };
  const { deps } = worldOf({ sets: [setOf('1', 40)], found });
  const { ended, rules } = await checkRules(deps, [priced('1')], now);
  expect(ended).toEqual([{ ruleId: 8, itemKind: 'set', itemKey: '1', retailer: 'retailer_a' }]);
  expect(rules).toEqual([
    { id: 7, since: 7 },
    { id: 6, since: 6 },
    { id: 8, since: 77 },
  ]);
});

describe('a scope', () => {
  const sets = [setOf('1', 40), setOf('2', 40)];
  const list = ruleOf(3, { scope: { kind: 'list', listId: 1 } });
  const held = (ruleId: number, itemKey: string): HeldUnits => ({
    ruleId,
    itemKind: 'set',
    itemKey,
    condition: 'sealed',
    units: 1,
    costCents: 10_00,
  });
  const listed = (itemKey: string, targetCents: number | null) => ({
    ruleId: 3,
    itemKind: 'set' as const,
    itemKey,
    targetCents,
  });

  test('of a theme has only its sets', async () => {
    const rules = ['Town', 'Space'].map((theme, id) =>
      ruleOf(id, { scope: { kind: 'theme', theme } }),
    );
    expect(await tell({ sets, found: { rules } }, priced('1'))).toEqual(['0: 1']);
  });

  test('of a list has the items of the list', async () => {
    const found = {
      rules: [list],
      listed: [listed('1', null), { ...listed('2', null), ruleId: 99 }],
    };
    expect(await tell({ sets, found }, priced('1'), priced('2'))).toEqual(['3: 1']);
  });

  test('of the holdings has the items held, once', async () => {
    const holdings = ruleOf(4, { scope: { kind: 'holdings' } });
    const units = [held(4, '1'), { ...held(4, '1'), condition: 'used' as const }, held(3, '2')];
    const found = { rules: [list, holdings], held: units };
    expect(await tell({ sets, found }, priced('1'), priced('2'))).toEqual(['4: 1']);
  });

  test('of a list uses the target of each item', async () => {
    const rule = { ...list, condition: { kind: 'price_target' } as const };
    const found = { rules: [rule], listed: [listed('1', 40_00), listed('2', 39_99)] };
    expect(await tell({ sets, found }, priced('1'), priced('2'))).toEqual(['3: 1']);
    const raised = { rules: [rule], listed: [listed('1', null), listed('2', 40_00)] };
    expect(await tell({ sets, found: raised }, priced('1'), priced('2'))).toEqual(['3: 2']);
  });
});

describe('without an event', () => {
  const world = (condition: AlertCondition, reported: Concerned['reported'] = []): World => ({
    sets: [setOf('1', 40)],
    found: { rules: [ruleOf(7, { condition })], reported },
  });

  test.each<AlertCondition>([atMost50, { kind: 'price_of_value', percent: 50 }])(
    'a level is reported: %p',
    async (condition) => {
      expect(await tell(world(condition), lookedAt('set', '1'))).toEqual(['7: 1']);
    },
  );

  test.each<AlertCondition>([
    { kind: 'flip', to: 'retailer' },
    { kind: 'back_in_stock' },
    { kind: 'value_up', percent: 1 },
    { kind: 'value_down', percent: 1 },
  ])('nothing is read for conditions on events: %p', async (condition) => {
    const { deps, asked } = worldOf(world(condition));
    await checkRules(deps, [lookedAt('set', '1')], now);
    expect(asked).toEqual([{ set: ['1'], minifig: [], themes: ['Town'] }]);
  });

  test.each([
    ['value_up', 80_00],
    ['value_down', 120_00],
  ] as const)('%s is measured from a known base', async (kind, baseCents) => {
    const base = reportedOf(7, '1', { retailer: null, baseCents });
    expect(await tell(world({ kind, percent: 10 }, [base]), lookedAt('set', '1'))).toEqual([
      '7: 1',
    ]);
  });
});

test('an event that cannot change a condition causes no check', async () => {
  const sets = [setOf('1', 40)];
  const { deps, asked } = worldOf({ sets, found: { rules: [ruleOf(7)] } });
  expect((await checkRules(deps, [moved('set', '1', 10_00)], now)).notifications).toEqual([]);
  expect(asked).toHaveLength(1);
  const both: CheckedItem = {
    ...priced('1'),
    events: [moved('set', '1', 1), priced('1')].flatMap((i) => i.events ?? []),
  };
  expect(await tell({ sets, found: { rules: [ruleOf(7)] } }, both)).toEqual(['7: 1']);
});

describe('a minifig', () => {
  const minifigs = [[minifigOf('f1', 15), 'f1', 'f2']] as const;
  const up = ruleOf(7, {
    scope: { kind: 'list', listId: 1 },
    condition: { kind: 'value_up', percent: 50 },
  });
  const listed = [{ ruleId: 7, itemKind: 'minifig', itemKey: 'f2', targetCents: null }] as const;

  test('is watched and remembered under any of its numbers', async () => {
    const { deps, asked } = worldOf({ minifigs, found: { rules: [up], listed } });
    const { notifications, reported } = await checkRules(
      deps,
      [moved('minifig', 'f1', 10_00)],
      now,
    );
    expect(notifications.map((each) => [each.itemKind, each.itemKey])).toEqual([['minifig', 'f1']]);
    expect(reported).toMatchObject([{ itemKind: 'minifig', itemKey: 'f1', baseCents: 15_00 }]);
    expect(asked).toContainEqual({ set: [], minifig: ['f1', 'f2'], themes: [] });
    const before = reportedOf(7, 'f2', { itemKind: 'minifig', retailer: null, baseCents: 15_00 });
    const found = { rules: [up], listed, reported: [before] };
    expect(await tell({ minifigs, found }, moved('minifig', 'f1', 10_00))).toEqual([]);
  });

  test('is never checked for retail prices', async () => {
    const kinds: AlertCondition[] = [atMost50, { kind: 'price_of_value', percent: 1 }];
    const rules = kinds.map((condition, id) => ruleOf(id, { condition }));
    const unread = Object.defineProperty({ ...minifigOf('f1', 15) }, 'body', {
      get: () => {
        throw new Error('It was looked at.');
      },
    });
    const world = { minifigs: [[unread, 'f1']] as const, found: { rules } };
    expect(await tell(world, moved('minifig', 'f1', 1))).toEqual([]);
  });

  test('is not looked up if there is none', async () => {
    const { deps, asked } = worldOf({ sets: [setOf('1', 40)], found: { rules: [ruleOf(7)] } });
    await checkRules(deps, [priced('1')], now);
    expect(asked).toEqual([{ set: ['1'], minifig: [], themes: ['Town'] }, ['set', '1']]);
  });

  test('with the number of a set is another item', async () => {
    const rules = [ruleOf(7), ruleOf(8, { condition: { kind: 'value_up', percent: 50 } })];
    const same = [[minifigOf('1', 30), '1']] as const;
    const world = { sets: [setOf('1', 40)], minifigs: same, found: { rules } };
    expect(await tell(world, priced('1'), moved('minifig', '1', 10_00))).toEqual(['7: 1', '8: 1']);
  });
});

describe('a holding', () => {
  const margin = ruleOf(7, { condition: { kind: 'margin', percent: 50 } });
  const units = {
    ruleId: 7,
    itemKind: 'set',
    itemKey: '1',
    condition: 'sealed',
    units: 2,
  } as const;

  test('decides on its margin, and only that is reported', async () => {
    const held = [{ ...units, costCents: 120_00 }];
    const { deps } = worldOf({ sets: [setOf('1', 40)], found: { rules: [margin], held } });
    const { notifications } = await checkRules(deps, [moved('set', '1', 10_00)], now);
    const [said] = notifications.map((each) => JSON.parse(each.say().facts));
    expect(said).toEqual({ held_value_usd: 200, cost_basis_usd: 120 });
  });

  test('of another rule, or below the margin, is not reported', async () => {
    const sets = [setOf('1', 40)];
    for (const other of [
      { ...units, ruleId: 8, costCents: 1 },
      { ...units, costCents: 134_00 },
    ]) {
      const found = { rules: [margin], held: [other] };
      expect(await tell({ sets, found }, moved('set', '1', 10_00))).toEqual([]);
    }
  });

  test('has the value of its units, unknown if that of one is unknown', () => {
    const values = { sealed: 10_00, used: 4_00 };
    const sealed = { condition: 'sealed', units: 3, costCents: 20_00 } as const;
    const used = { condition: 'used', units: 2, costCents: 1_00 } as const;
    expect(heldFacts([], { values })).toBeNull();
    expect(heldFacts([sealed, used], { values })).toEqual({ valueCents: 38_00, costCents: 21_00 });
    expect(heldFacts([sealed, used], { values: { ...values, used: null } })).toBeNull();
    const free = { values: { sealed: 0, used: 0 } };
    expect(heldFacts([sealed], free)).toEqual({ valueCents: 0, costCents: 20_00 });
  });
});

test("max buy prices are the rule owner's, and computed only if needed", async () => {
  const condition = { kind: 'price_of_max_buy', percent: 100 } as const;
  const rules = [1, 2].map((id) => ruleOf(id, { accountId: id, condition }));
  const world = { sets: [setOf('1', 20)], found: { rules, buying: new Map([[2, usualSettings]]) } };
  const { deps, asked } = worldOf(world);
  const { notifications } = await checkRules(deps, [priced('1')], now);
  expect(notifications.map(({ ruleId }) => ruleId)).toEqual([2]);
  expect(notifications.map((each) => Object.keys(JSON.parse(each.say().facts)))).toEqual([
    ['price_usd', 'value_usd', 'max_buy_usd'],
  ]);
  expect(asked).toContain('tables');
  const without = worldOf({ ...world, found: { rules } });
  await checkRules(without.deps, [priced('1')], now);
  expect(without.asked).not.toContain('tables');
});

test('each account has its own quiet hours and time zone', async () => {
  const quiet = { from: 11 * 60, until: 13 * 60 };
  const settings = new Map([
    [2, { timeZone: 'Asia/Tokyo', quiet: null }],
    [3, { timeZone: 'UTC', quiet }],
  ]);
  const rules = [1, 2, 3].map((id) => ruleOf(id, { accountId: id }));
  const { deps } = worldOf({ sets: [setOf('1', 40)], found: { rules, settings } });
  const { notifications } = await checkRules(deps, [priced('1')], now);
  expect(notifications.map(({ dueAt, dayStart }) => [dueAt, dayStart])).toEqual([
    [now, Date.UTC(2026, 10, 15)],
    [now, Date.UTC(2026, 10, 14, 15)],
    [Date.UTC(2026, 10, 15, 13), Date.UTC(2026, 10, 15)],
  ]);
});

test('an item that is no longer published is skipped', async () => {
  expect(await tell({ found: { rules: [ruleOf(7)] } }, priced('1'))).toEqual([]);
});

test('the time zone of an account is converted once for all reports of its rule', async () => {
  const asked: number[] = [];
  class Settings extends Map<number, AlertSettings> {
    override get(id: number) {
      asked.push(id);
      return super.get(id);
    }
  }
  const sets = ['1', '2', '3'].map((key) => setOf(key, 40));
  const found = { rules: [ruleOf(7, { accountId: 4 })], settings: new Settings() };
  expect(await tell({ sets, found }, ...sets.map(({ key }) => priced(key)))).toHaveLength(3);
  expect(asked).toEqual([4]);
});

test('the event loop gets a turn after every 20,000 rules', async () => {
  const keys = ['1', '2', '3'];
  const unmet = { kind: 'price_amount', cents: 1 } as const;
  const rules = Array.from({ length: 10_000 }, (_, id) =>
    ruleOf(id, { condition: id === 0 ? { kind: 'price_of_max_buy', percent: 100 } : unmet }),
  );
  const found = { rules, buying: new Map([[1, usualSettings]]) };
  const { deps } = worldOf({ sets: keys.map((key) => setOf(key, 40)), found });
  let turns = 0;
  const turnsAt: number[] = [];
  const readResale = () => {
    // Counts turns of the event loop.
    setImmediate(() => turns++);
    turnsAt.push(turns);
    return null;
  };
  await checkRules({ ...deps, readResale }, keys.map(priced), now);
  expect(turnsAt).toEqual([0, 0, 2]);
});
