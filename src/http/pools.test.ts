/** Every pool has limits per account and per network, a reserve and a least rate. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countText } from '../kernel/format.ts';
import { type Pool, pools } from './pools.ts';
import { Slots, type Taker } from './slots.ts';

const root = join(import.meta.dir, '../..');
const rows = Object.entries<Pool>(pools);
/** Of these, accounts are not known when a slot is taken. */
const networksOnly = ['pages', 'linkPages', 'forms'];
/** The slots of a network, which has none of those for newcomers. */
const ofNetwork = ({ perNetwork, all, reserved }: Pool) => Math.min(perNetwork, all - reserved);
const newcomer: Taker = { account: 0, network: 'newcomer' };

/** Takes slots until there are none for the next taker; returns how many. */
function fill(slots: Slots, next: (index: number) => Taker): number {
  let taken = 0;
  while (slots.findLimit(next(taken)) === null) slots.admit(next(taken++));
  return taken;
}

describe.each(rows)('%s', (name, pool) => {
  test('one account in any number of networks leaves slots for others', () => {
    const slots = new Slots(pool);
    const taken = fill(slots, (index) => ({ account: 1, network: `n${index}` }));
    expect(taken).toBe(pool.perAccount);
    expect(slots.findLimit(newcomer)).toBeNull();
  });

  test('one network with any number of accounts leaves slots for others', () => {
    const slots = new Slots(pool);
    const taken = fill(slots, (index) => ({ account: index + 1, network: 'n' }));
    expect(taken).toBe(ofNetwork(pool));
    expect(slots.findLimit(newcomer)).toBeNull();
  });

  test('accounts and networks that have slots leave the reserve to those that have none', () => {
    const slots = new Slots(pool);
    // Enough of both that none of their own limits matters; each takes a first slot.
    const groups = Math.floor((pool.all - pool.reserved) / 2);
    const next = (index: number) => ({
      account: index % groups || 1,
      network: `n${index % groups}`,
    });
    if (groups > 1) fill(slots, next);
    expect(slots.findLimit(newcomer)).toBeNull();
    expect(pool.reserved).toBeGreaterThan(0);
  });

  test('has a least rate', () => {
    const { least } = pool;
    if ('msMax' in least) expect(least.msMax).toBeGreaterThan(0);
    else expect(Math.min(least.bytesPerSecond, least.afterMs)).toBeGreaterThan(0);
  });

  test('is documented', () => {
    const { perAccount, all, reserved, least } = pool;
    const counts = [ofNetwork(pool), all, reserved].map((count) => countText(count));
    const numbers = [networksOnly.includes(name) ? '-' : perAccount, ...counts];
    const rate =
      'msMax' in least
        ? `${least.msMax / 1000} s`
        : `${least.bytesPerSecond / 1024} KiB/s after ${least.afterMs / 1000} s`;
    const docs = readFileSync(join(root, 'docs/reference.md'), 'utf8');
    expect(docs).toContain(`| \`${name}\` | `);
    expect(docs).toContain(` | ${[...numbers, rate].join(' | ')} |`);
  });
});

test('a network has the slots of three accounts, and newcomers a quarter', () => {
  const exceptions: Readonly<Record<string, number>> = { streams: 1_000, uploads: 2 };
  for (const [name, { perAccount, perNetwork, all, reserved }] of rows) {
    const network = exceptions[name] ?? 3 * perAccount;
    expect([name, perNetwork, reserved]).toEqual([name, network, Math.ceil(all / 4)]);
  }
});

test('pages of one account that wait in the page process leave slots for others', () => {
  const { pages, ownPages } = pools;
  const most = ownPages.perAccount + ownPages.waitingEach;
  expect(most).toBe(10);
  expect(most).toBeLessThan(pages.all - pages.reserved);
});

test('there are no other pools, and each is used', async () => {
  const used = new Set<string>();
  for await (const path of new Bun.Glob('src/**/*.{ts,tsx}').scan(root)) {
    if (path.endsWith('.test.ts')) continue;
    const code = readFileSync(join(root, path), 'utf8');
    for (const [made, name] of code.matchAll(/new Slots\((?:\{ \.\.\.)?(?:pools\.(\w+))?/g)) {
      expect([path, made]).toEqual([path, expect.stringContaining('pools.')]);
      used.add(name ?? '');
    }
  }
  expect([...used].toSorted()).toEqual(rows.map(([name]) => name).toSorted());
});
