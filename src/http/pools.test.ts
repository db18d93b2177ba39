/** Every pool has limits per account and per network, a reserve and a least rate. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countText } from '../domain/kernel/format.ts';
import { type Pool, pools } from './pools.ts';
import { Slots, type Taker } from './slots.ts';

const root = join(import.meta.dir, '../..');
const rows = Object.entries<Pool>(pools);
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
    expect(taken).toBe(pool.perNetwork);
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
    const { perAccount, perNetwork, all, reserved, least } = pool;
    const numbers = [perAccount, perNetwork, all, reserved].map((count) => countText(count));
    const rate =
      'msMax' in least
        ? `${least.msMax / 1000} s`
        : `${least.bytesPerSecond / 1024} KiB/s after ${least.afterMs / 1000} s`;
    const docs = readFileSync(join(root, 'docs/reference.md'), 'utf8');
    expect(docs).toContain(`| \`${name}\` | `);
    expect(docs).toContain(` | ${[...numbers, rate].join(' | ')} |`);
  });
});

test('the pages of one account include those that wait for it in the page process', () => {
  const { pages, ownPages }: Record<string, Pool | undefined> = pools;
  expect(pages?.perAccount).toBe((ownPages?.perAccount ?? 0) + (ownPages?.waitingEach ?? 0));
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
