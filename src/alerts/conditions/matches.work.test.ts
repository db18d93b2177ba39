/** The matches of a rule when it is saved, and when its list changes later. */
import { describe, expect, test } from 'bun:test';
import { soldWell } from '../../../test/support/deals.ts';
import { builtInTables } from '../../../test/support/publish-settings.ts';
import { usualSettings } from '../../buying/prices/buying-settings.ts';
import type { EventPage, EventsGone } from '../../market/events/events.ts';
import type { ResaleRecord } from '../../market/published/published-records.ts';
import type { Stake } from '../../portfolio/lots/holdings.ts';
import type { WatchedItem } from '../watchlists/watch-list.ts';
import { type AlertCondition, type AlertRule, type AlertScope, alertLimits } from './alert-rule.ts';
import { findMatches, type RecordDeps, recordMatches } from './matches.work.ts';
import type { NewMatch } from './notification.ts';

const now = Date.UTC(2026, 10, 15, 12);
const atMost50: AlertCondition = { kind: 'price_amount', cents: 50_00 };

/** A set with a price at retailer A, and a value of 100. */
function setOf(key: string, priceUsd: number): ResaleRecord {
  const checked = new Date(now).toISOString();
  const body = {
    title: key,
    theme: 'Town',
    new_value_usd: 100,
    used_value_usd: 60,
    retailers: [{ retailer: 'retailer_a', last_checked_at: checked }],
  };
  const retail = { retailer_a: { price: priceUsd, inStock: true, atLowest: false } };
  const rows = { body: JSON.stringify(body), retail: JSON.stringify(retail) };
  return { key, number: key, evidence: null, ...rows };
}

const manySets = (count: number, priceUsd = 40) =>
  Array.from({ length: count }, (_, index) => setOf(String(10_000 + index), priceUsd));

function watched(key: string, facts: Partial<WatchedItem> = {}): WatchedItem {
  const item = { kind: 'set', key, number: key, targetCents: null, note: '' } as const;
  return { id: Number(key), listId: 1, addedAt: 0, ...item, ...facts };
}

const stakeOf = (key: string, facts: Partial<Stake> = {}) => ({
  kind: 'set' as const,
  key,
  condition: 'sealed' as const,
  units: 1,
  costCents: 10_00,
  brickfolioId: 1,
  grade: null,
  ...facts,
});

const ruleOf = (id: number, facts: Partial<AlertRule> = {}): AlertRule => ({
  id,
  accountId: 5,
  name: 'Rule',
  scope: { kind: 'list', listId: 1 },
  condition: { kind: 'price_target' },
  channelIds: [],
  repeatDays: null,
  digest: 'none',
  dailyCap: 20,
  isOn: true,
  createdAt: 0,
  ...facts,
});

interface World {
  readonly sets?: readonly ResaleRecord[];
  readonly items?: readonly WatchedItem[];
  readonly stakes?: readonly ReturnType<typeof stakeOf>[];
  readonly rules?: readonly AlertRule[];
  /** Earlier reports, as `rule: set`. */
  readonly known?: readonly string[];
  readonly page?: EventPage | EventsGone;
}

function worldOf(world: World) {
  const { sets = [], items = [], stakes = [], rules = [], known = [] } = world;
  const asked: string[] = [];
  const reads: { readonly count: number; readonly turns: number }[] = [];
  let turns = 0;
  const recorded: { readonly ruleId: number; readonly reported: readonly NewMatch[] }[] = [];
  const keys = sets.map(({ key }) => key);
  const deps: RecordDeps = {
    market: {
      listEvents: async (query) => {
        expect(query).toEqual({ after: null, kinds: null, items: null, limit: 1 });
        return world.page ?? { events: [], next: 33, hasMore: false };
      },
      findResaleRecords: async (_, wanted) => {
        // Counts turns of the event loop.
        setImmediate(() => turns++);
        reads.push({ count: wanted.length, turns });
        return new Map(sets.filter(({ key }) => wanted.includes(key)).map((set) => [set.key, set]));
      },
      findSameKeys: async () => new Map(),
      listKeysAfter: async (_, after, limit) => keys.filter((key) => key > after).slice(0, limit),
      listThemeSets: async (theme, { limit, offset }) => {
        asked.push(theme);
        const rows = keys.map((key) => JSON.stringify({ set_number: `${key}-1` }));
        return { rows: rows.slice(offset, offset + limit), total: rows.length };
      },
    },
    accounts: {
      listWatchedItems: async (_, listId, { after, limit }) =>
        items.filter((item) => item.listId === listId && item.id > after).slice(0, limit),
      findHoldings: async () => {
        asked.push('holdings');
        return { brickfolios: [], stakes, purchases: [] };
      },
      findBuyingSettings: async () => usualSettings,
      listAlertRules: async () => [...rules],
      findWatched: async (_, { set }) => {
        asked.push('watched');
        return items.filter(({ key }) => set.includes(key));
      },
      recordReported: async (_, ruleId, { reported }) => {
        recorded.push({ ruleId, reported });
        return reported.filter(({ itemKey }) => !known.includes(`${ruleId}: ${itemKey}`));
      },
    },
    findTables: () => builtInTables,
    readResale: () => soldWell,
  };
  return { deps, asked, reads, recorded };
}

describe('a saved rule matches', () => {
  async function matches(world: World, scope: AlertScope, condition = atMost50) {
    const found = await findMatches(worldOf(world).deps, 5, { scope, condition }, now);
    return found === 'too many' ? found : found.reported.map(({ itemKey }) => itemKey);
  }
  const list = { kind: 'list', listId: 1 } as const;

  test('everything that meets it, at each retailer', async () => {
    const { deps } = worldOf({ sets: [setOf('1', 50), setOf('2', 50.01)] });
    const rule = { scope: { kind: 'all' }, condition: atMost50 } as const;
    expect(await findMatches(deps, 5, rule, now)).toEqual({
      reported: [{ itemKind: 'set', itemKey: '1', retailer: 'retailer_a', baseCents: null }],
      position: 33,
    });
  });

  test('nothing yet if it depends on events, which count from now on', async () => {
    const rule = { scope: { kind: 'all' }, condition: { kind: 'back_in_stock' } } as const;
    const world = { sets: [setOf('1', 40)], page: { oldest: 44 } };
    const { deps, reads } = worldOf(world);
    expect(await findMatches(deps, 5, rule, now)).toEqual({ reported: [], position: 44 });
    expect(reads).toEqual([]);
  });

  test('sets of its list, by their own targets', async () => {
    const sets = ['1', '2', '3', '4'].map((key) => setOf(key, 40));
    const items = [
      watched('1', { targetCents: 40_00 }),
      watched('2', { targetCents: 39_99 }),
      watched('3', { targetCents: 90_00, listId: 2 }),
      watched('4', { targetCents: 90_00, kind: 'minifig' }),
    ];
    expect(await matches({ sets, items }, list, { kind: 'price_target' })).toEqual(['1']);
  });

  test('sets of its theme', async () => {
    const { deps, asked } = worldOf({ sets: [setOf('1', 40)] });
    const scope = { kind: 'theme', theme: 'Space' } as const;
    const found = await findMatches(deps, 5, { scope, condition: atMost50 }, now);
    expect(found).toMatchObject({ reported: [{ itemKey: '1' }] });
    expect(asked).toEqual(['Space', 'Space']);
  });

  test('holdings, by their margin', async () => {
    const sets = [setOf('1', 40), setOf('2', 40), setOf('3', 40)];
    const stakes = [
      stakeOf('1', { costCents: 50_00 }),
      stakeOf('2', { costCents: 50_01 }),
      stakeOf('2', { condition: 'used', units: 0, costCents: 0 }),
    ];
    const holdings = { kind: 'holdings' } as const;
    expect(await matches({ sets, stakes }, holdings)).toEqual(['1', '2']);
    const margin = { kind: 'margin', percent: 100 } as const;
    expect(await matches({ sets, stakes }, holdings, margin)).toEqual(['1']);
  });

  test('a held minifig once, by the margin of the units under all its numbers', async () => {
    const used = { kind: 'minifig', condition: 'used' } as const;
    const stakes = [
      stakeOf('cas001', { ...used, costCents: 3_00 }),
      // As many as are read at once.
      ...Array.from({ length: 200 }, (_, index) => stakeOf(`other${index}`, used)),
      stakeOf('fig-1', { ...used, costCents: 1_00 }),
    ];
    const { deps } = worldOf({ sets: [], stakes });
    const body = JSON.stringify({ name: 'Knight', current_value_usd: 4 });
    const knight = { key: 'cas001', number: 'cas001', body, evidence: null, retail: null };
    const isKnight = (key: string) => key === 'cas001' || key === 'fig-1';
    const findResaleRecords: typeof deps.market.findResaleRecords = async (kind, keys) =>
      new Map(kind === 'minifig' ? keys.filter(isKnight).map((key) => [key, knight]) : []);
    const findSameKeys = async () =>
      new Map([
        ['cas001', ['fig-1', 'fig-2']],
        ['fig-1', ['cas001', 'fig-2']],
      ]);
    const market = { ...deps.market, findResaleRecords, findSameKeys };
    const find = (percent: number) => {
      const condition = { kind: 'margin', percent } as const;
      return findMatches({ ...deps, market }, 5, { scope: { kind: 'holdings' }, condition }, now);
    };
    expect(await find(100)).toMatchObject({
      reported: [{ itemKind: 'minifig', itemKey: 'cas001', retailer: null }],
    });
    expect(await find(101)).toMatchObject({ reported: [] });
  });

  test('max buy prices by the settings of the account', async () => {
    const sets = [setOf('1', 20), setOf('2', 99)];
    const condition = { kind: 'price_of_max_buy', percent: 100 } as const;
    expect(await matches({ sets }, { kind: 'all' }, condition)).toEqual(['1']);
  });

  test.each([
    ['a list', list],
    ['a theme', { kind: 'theme', theme: 'Town' }],
    ['everything', { kind: 'all' }],
    ['the holdings', { kind: 'holdings' }],
  ] as const)('all of %s, read in any number of parts', async (_, scope) => {
    for (const count of [199, 200, 201, 401]) {
      const sets = manySets(count);
      const items = sets.map(({ key }) => watched(key));
      const stakes = sets.map(({ key }) => stakeOf(key));
      expect(await matches({ sets, items, stakes }, scope)).toEqual(sets.map(({ key }) => key));
    }
  });

  test('the event loop gets a turn after each part, and no part is empty', async () => {
    const stakes = manySets(400).map(({ key }) => stakeOf(key));
    const { deps, reads } = worldOf({ stakes });
    await findMatches(deps, 5, { scope: { kind: 'holdings' }, condition: atMost50 }, now);
    expect(reads).toEqual([
      { count: 200, turns: 0 },
      { count: 200, turns: 1 },
    ]);
  });

  test('at most 1,000 sets', async () => {
    const scope = { kind: 'all' } as const;
    expect(await matches({ sets: manySets(alertLimits.matches) }, scope)).toHaveLength(1_000);
    expect(await matches({ sets: manySets(alertLimits.matches + 1) }, scope)).toBe('too many');
  });

  test('holdings are read only for a rule that needs them', async () => {
    const { deps, asked } = worldOf({ sets: [setOf('1', 40)] });
    await findMatches(deps, 5, { scope: { kind: 'all' }, condition: atMost50 }, now);
    expect(asked).toEqual([]);
  });
});

describe('after a list was changed', () => {
  const record = async (world: World, setKeys: readonly string[]) => {
    const { deps, asked, reads, recorded } = worldOf(world);
    const count = await recordMatches(deps, 5, 1, { setKeys, at: now });
    const reported = recorded.map(({ ruleId, reported }) => [
      ruleId,
      ...reported.map(({ itemKey }) => itemKey),
    ]);
    return { count, asked, reads, reported };
  };
  const sets = [setOf('1', 40), setOf('2', 40)];

  test('a raised target that is already met is recorded, and a lowered one that is not met', async () => {
    const rules = [ruleOf(7)];
    const at = (targetCents: number) => ({ sets, rules, items: [watched('1', { targetCents })] });
    expect(await record(at(39_99), ['1'])).toMatchObject({ count: 0, reported: [[7]] });
    expect(await record(at(40_00), ['1'])).toMatchObject({ count: 1, reported: [[7, '1']] });
  });

  test('a set counts once, and not if it was reported before', async () => {
    const items = [watched('1', { targetCents: 40_00 }), watched('2', { targetCents: 40_00 })];
    const rules = [ruleOf(7), ruleOf(8)];
    const known = ['7: 1', '8: 1', '7: 2'];
    const { count, reported } = await record({ sets, items, rules, known }, ['1', '2']);
    expect(reported).toEqual([
      [7, '1', '2'],
      [8, '1', '2'],
    ]);
    expect(count).toBe(1);
  });

  test('items of other lists do not count', async () => {
    const items = [
      watched('1', { listId: 2, targetCents: 90_00 }),
      watched('1', { targetCents: 39_00 }),
      watched('1', { listId: 3, targetCents: 90_00 }),
    ];
    expect(await record({ sets, items, rules: [ruleOf(7)] }, ['1'])).toMatchObject({ count: 0 });
  });

  test.each<[string, Partial<AlertRule>]>([
    ['is off', { isOn: false }],
    ['is about another list', { scope: { kind: 'list', listId: 2 } }],
    ['is about everything', { scope: { kind: 'all' } }],
    ['follows events', { condition: { kind: 'back_in_stock' } }],
  ])('a rule that %s is left unchanged, and nothing is read', async (_, facts) => {
    const items = [watched('1', { targetCents: 90_00 })];
    const rules = [ruleOf(7, facts)];
    expect(await record({ sets, items, rules }, ['1'])).toEqual({
      count: 0,
      asked: [],
      reads: [],
      reported: [],
    });
  });

  test.each([0, 1, 199, 200, 201, 400])('all of %i sets are recorded, each once', async (count) => {
    const many = manySets(count);
    const items = many.map(({ key }) => watched(key, { targetCents: 90_00 }));
    const keys = many.map(({ key }) => key);
    const done = await record({ sets: many, items, rules: [ruleOf(7)] }, keys);
    expect(done.count).toBe(count);
    expect(done.reported.flatMap(([, ...reported]) => reported)).toEqual(keys);
    expect(done.reads.map(({ turns }) => turns)).toEqual(done.reads.map((_, index) => index));
    expect(done.reads).toHaveLength(Math.ceil(count / 200));
  });
});
