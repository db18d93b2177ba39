/**
 * Max buy prices and boxes can be recomputed from responses alone, to the cent: in TypeScript
 * without any code of the product, and with the Python program of the docs.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import type {
  Evaluation,
  Evidence,
  FeeSchedules,
  MaxBuy,
  Set as SetRecord,
} from '../../clients/typescript/src/index.ts';
import { demoMarket, makeDemoWorld } from '../../simulator/market/demo-world.ts';
import { Random } from '../../simulator/market/random.ts';
import { usualSettings } from '../../src/buying/prices/buying-settings.ts';
import { sellingChannels } from '../../src/buying/prices/selling-channels.ts';
import { plusPrefix } from '../../src/contract/limits.ts';
import { describeWith } from '../support/programs.ts';
import {
  type Asked,
  type AskedItem,
  type BoxAnswer,
  type MaxBuyAnswer,
  recompute,
} from '../support/recompute.ts';
import { importFeed, startWorld, type World } from '../support/world.ts';

const size = { sets: 50, minifigs: 30, years: 3, salesPerSet: 25 };
const counts = { maxBuys: 300, boxes: 40 };
const random = new Random(11);

const grades = {
  sealed: ['perfect', 'light_wear', 'damaged_box'],
  used: ['complete', 'incomplete', 'incomplete_85', 'parts'],
} as const;

let world: World;

interface Case {
  readonly asked: Asked;
  readonly wanted: MaxBuyAnswer | BoxAnswer;
}

const cases: Case[] = [];

interface Caller {
  readonly key: string;
  readonly fees: FeeSchedules;
}

interface Item {
  readonly kind: 'set' | 'minifig';
  readonly number: string;
  readonly evidence: Evidence;
  readonly record: SetRecord | null;
}

beforeAll(async () => {
  world = await startWorld();
  const today = Date.UTC(2026, 10, 15);
  await importFeed(
    world.store,
    [...demoMarket(makeDemoWorld({ seed: 5, today, size }))],
    () => world.now,
  );
  await world.publisher.publishStale();
  const callers = [await addCaller('usual@example.com'), await addCaller('own@example.com', true)];
  const items = await findItems(found(callers[0]));
  for (let index = 0; index < counts.maxBuys; index += 1) {
    cases.push(await askMaxBuy(random.pick(callers), random.pick(items)));
  }
  for (let index = 0; index < counts.boxes; index += 1) {
    const chosen = Array.from({ length: 1 + random.below(8) }, () => random.pick(items));
    cases.push(await askBox(random.pick(callers), [...new Set(chosen)]));
  }
});

afterAll(() => world.close());

function found<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw new Error('Not found.');
  return value;
}

/** With the default settings, or with costs and a rate of its own. */
async function addCaller(email: string, isOwn = false): Promise<Caller> {
  await world.addAccount(email);
  const key = await world.addKey(email, { allowance: 1_000_000 });
  if (isOwn) {
    const { id } = found(await world.store.accounts.findAccount(email, world.now));
    await world.store.accounts.saveBuyingSettings(id, {
      ...usualSettings,
      taxBasisPoints: 825,
      cashbackBasisPoints: 500,
      inboundCents: 1_50,
      moneyBasisPoints: 1_250,
      ownRates: [{ platform: 'ebay', basisPoints: 1_225, feeCents: 30 }],
    });
  }
  return { key, fees: await dataOf<FeeSchedules>(key, `${plusPrefix}/fees`) };
}

async function dataOf<T>(key: string, path: string, body?: object): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  const init = body && { method: 'POST', body: JSON.stringify(body), headers };
  const response = await world.call(path, key, init);
  const { data, error } = (await response.json()) as { data: T; error?: unknown };
  if (error) throw new Error(`${path}: ${JSON.stringify(error)}`);
  return data;
}

async function findItems({ key }: Caller): Promise<Item[]> {
  const items: Item[] = [];
  for (const kind of ['set', 'minifig'] as const) {
    for (const number of await world.store.market.listKeys(kind)) {
      const path = `/${kind}/${number}`;
      const evidence = await dataOf<Evidence>(key, `${plusPrefix}${path}/evidence`);
      const record = kind === 'set' ? await dataOf<SetRecord>(key, path) : null;
      items.push({ kind, number, evidence, record });
    }
  }
  return items;
}

const cents = (usd: number) => Math.round(usd * 100);
const centsOrNull = (usd: number | null) => (usd === null ? null : cents(usd));

function someTerms() {
  const share = random.pick([
    0.5,
    0.55,
    0.8,
    0.8,
    0.9,
    0.95,
    Number(random.between(0.5, 0.95).toFixed(4)),
  ]);
  const margin_pct = random.pick([0, 25, 25, 33.33, Number(random.between(0, 500).toFixed(2))]);
  return { share, margin_pct };
}

function itemOf({ evidence, record }: Item, condition: 'sealed' | 'used', quantity = 1): AskedItem {
  return { condition, quantity, evidence, record };
}

async function askMaxBuy({ key, fees }: Caller, item: Item): Promise<Case> {
  const condition = random.pick(['sealed', 'used'] as const);
  const channel = random.chance(0.2) ? random.pick(sellingChannels) : null;
  const grade = random.chance(0.2) ? random.pick(grades[condition]) : null;
  const terms = someTerms();
  const query = new URLSearchParams({ [item.kind]: item.number, condition });
  for (const [name, value] of Object.entries({ ...terms, channel, grade })) {
    if (value !== null) query.set(name, String(value));
  }
  const answer = await dataOf<MaxBuy>(key, `${plusPrefix}/max-buy?${query}`);
  const items = [{ ...itemOf(item, condition), ...(grade && gradedBy(answer)) }];
  return {
    asked: { type: 'max_buy', fees, items, channel, ...terms },
    wanted: {
      best: answer.best_channel,
      channels: answer.channels.map((each) => ({
        channel: each.channel,
        price: cents(each.price_usd),
        fees: cents(each.fees_usd),
        postage: cents(each.postage_usd),
        net: cents(each.net_usd),
        max_buy: centsOrNull(each.max_buy_usd),
        days: each.wait_days,
      })),
    },
  };
}

/** The effect of a grade, from the max buy price of the unit. */
function gradedBy({ grade_value_pct, channels }: MaxBuy) {
  return {
    grade_value_pct: grade_value_pct ?? 100,
    cheapest: Object.fromEntries(channels.map((each) => [each.channel, each.cheapest])),
  };
}

async function askBox({ key, fees }: Caller, chosen: readonly Item[]): Promise<Case> {
  const units = chosen.map((item) => {
    const quantity = random.pick([1, 1, 2, 7]);
    const condition = random.pick(['sealed', 'used'] as const);
    const grade = random.chance(0.2) ? random.pick(grades[condition]) : null;
    return { item, condition, quantity, grade };
  });
  const isUnknown = random.chance(0.3);
  const cost_usd = random.chance(0.6) ? random.pick([0, 99.99, 500, 1234.56]) : null;
  const terms = someTerms();
  const { items, summary } = await dataOf<Evaluation>(key, `${plusPrefix}/evaluate`, {
    items: [
      ...units.map(({ item: { kind, number }, grade, ...unit }) => {
        return { [kind]: number, ...unit, ...(grade && { grade }) };
      }),
      ...(isUnknown ? [{ set: '404404' }] : []),
    ],
    ...terms,
    ...(cost_usd !== null && { cost_usd }),
  });
  const unknown: AskedItem = { condition: 'sealed', quantity: 1, evidence: null, record: null };
  const asked = await Promise.all(
    units.map(async ({ item, condition, quantity, grade }) => {
      const plain = itemOf(item, condition, quantity);
      if (grade === null) return plain;
      const query = new URLSearchParams({ [item.kind]: item.number, condition, grade });
      const answer = await dataOf<MaxBuy>(key, `${plusPrefix}/max-buy?${query}`);
      return { ...plain, ...gradedBy(answer) };
    }),
  );
  return {
    asked: {
      type: 'box',
      fees,
      items: isUnknown ? [...asked, unknown] : asked,
      cost_usd,
      ...terms,
    },
    wanted: {
      sum: cents(summary.sum_of_values_usd),
      low: centsOrNull(summary.low_usd),
      median: centsOrNull(summary.median_usd),
      high: centsOrNull(summary.high_usd),
      max_bid: centsOrNull(summary.max_bid_usd),
      best: summary.best_channel,
      profit: centsOrNull(summary.profit_usd),
      costs: cost_usd === null ? null : items.map((item) => centsOrNull(item.cost_usd)),
    },
  };
}

/** Waits have one decimal in responses. */
function shown(answer: MaxBuyAnswer | BoxAnswer): MaxBuyAnswer | BoxAnswer {
  if (!('channels' in answer)) return answer;
  const days = (exact: number | null) => (exact === null ? null : Math.round(exact * 10) / 10);
  return {
    ...answer,
    channels: answer.channels.map((each) => ({ ...each, days: days(each.days) })),
  };
}

test('the cases have prices, bids, modeled values, boxes of FBA sizes and unknown items', () => {
  const units = cases.flatMap(({ wanted }) => ('channels' in wanted ? wanted.channels : []));
  expect(units.filter((each) => each.max_buy !== null).length).toBeGreaterThan(500);
  expect(units.filter(({ channel }) => channel === 'fba').length).toBeGreaterThan(30);
  const boxes = cases.flatMap(({ wanted }) => ('max_bid' in wanted ? [wanted] : []));
  expect(boxes.filter((box) => box.max_bid !== null).length).toBeGreaterThan(30);
  expect(boxes.filter((box) => box.costs?.includes(null)).length).toBeGreaterThan(3);
});

test('TypeScript: every case is recomputed to the cent', () => {
  for (const { asked, wanted } of cases) expect(shown(recompute(asked))).toEqual(wanted);
});

describeWith('python3', 'Python', (python) => {
  const program = join(import.meta.dir, '..', '..', 'docs', 'examples', 'recompute.py');

  test('every case is recomputed to the cent', async () => {
    const lines = cases.map(({ asked }) => `${JSON.stringify(asked)}\n`).join('');
    const child = Bun.spawn([python, program, '--stdin'], {
      stdin: new Blob([lines]),
      stdout: 'pipe',
      stderr: 'inherit',
    });
    const printed = (await new Response(child.stdout).text()).trim().split('\n');
    expect(printed).toHaveLength(cases.length);
    for (const [index, line] of printed.entries()) {
      expect(shown(JSON.parse(line))).toEqual(found(cases[index]).wanted);
    }
  });

  test.each(['--help', '--used', '4639 --usde'])('%s prints the usage', (words) => {
    const { exitCode, stderr } = Bun.spawnSync([python, program, ...words.split(' ')]);
    expect([exitCode, stderr.toString()]).toEqual([1, expect.stringContaining('4639 --used')]);
  });
});

describe('one unit', () => {
  test('has the same price at a share of 0.5 as a box of it, and the same bid', async () => {
    const caller = await addCaller('half@example.com');
    let compared = 0;
    for (const number of (await world.store.market.listKeys('set')).slice(0, 30)) {
      const share = random.pick([0.5, 0.8]);
      const unit = await dataOf<MaxBuy>(
        caller.key,
        `${plusPrefix}/max-buy?set=${number}&share=0.5`,
      );
      const bid = await dataOf<MaxBuy>(
        caller.key,
        `${plusPrefix}/max-buy?set=${number}&share=${share}`,
      );
      const body = { items: [{ set: number }], share };
      const { summary } = await dataOf<Evaluation>(caller.key, `${plusPrefix}/evaluate`, body);
      const ebay = unit.channels.find(({ channel }) => channel === 'ebay');
      expect([number, summary.median_usd]).toEqual([number, ebay?.price_usd ?? null]);
      const best = bid.channels.find(({ channel }) => channel === bid.best_channel);
      expect(summary.max_bid_usd).toBe(best?.max_buy_usd ?? null);
      expect(summary.best_channel).toBe(bid.best_channel);
      if (ebay) compared += 1;
    }
    expect(compared).toBeGreaterThan(10);
  });
});
