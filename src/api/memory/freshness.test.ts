/** Caches are used only while nothing was published since. */
import { describe, expect, test } from 'bun:test';
import type { ListedEntry } from '../../market/published/published-records.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import { Freshness } from './freshness.ts';

const entry = { kind: 'set', key: '101' } as ListedEntry;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A market with only a stamp and changes, and a listener. */
function follow(stamp: number | Promise<number>) {
  const asked: [after: number, limit: number][] = [];
  const heard: (readonly ListedEntry[] | null)[] = [];
  const market = {
    stamp,
    looks: 0,
    publishStamp() {
      this.looks++;
      return this.stamp;
    },
    listChanges: async (after: number, limit: number) => {
      asked.push([after, limit]);
      return [entry];
    },
  };
  const freshness = new Freshness(market as unknown as MarketReading);
  freshness.follow((changes) => heard.push(changes));
  return { market, freshness, asked, heard };
}

describe('memory', () => {
  test('is not fresh before the first check, which clears everything', async () => {
    const { freshness, heard, asked } = follow(7);
    expect([freshness.stamp, freshness.isFresh()]).toEqual([-1, false]);
    await freshness.refresh();
    expect([freshness.stamp, freshness.isFresh()]).toEqual([7, true]);
    expect([heard, asked]).toEqual([[null], []]);
  });

  test('lists what was published since, and nothing otherwise', async () => {
    const { market, freshness, heard, asked } = follow(0);
    await freshness.refresh();
    await freshness.refresh();
    expect(heard).toEqual([null]);
    market.stamp = 1;
    await freshness.refresh();
    expect(heard).toEqual([null, [entry]]);
    expect(asked).toEqual([[0, 5_000]]);
    expect(freshness.stamp).toBe(1);
  });

  test('clears everything when the stamp goes back, as for another database', async () => {
    const { market, freshness, heard } = follow(9);
    await freshness.refresh();
    market.stamp = 8;
    expect(freshness.isFresh()).toBe(false);
    await freshness.refresh();
    expect(heard).toEqual([null, null]);
    expect(freshness.stamp).toBe(8);
  });

  test('compares once per turn', async () => {
    const { market, freshness } = follow(3);
    await freshness.refresh();
    market.looks = 0;
    expect([freshness.isFresh(), freshness.isFresh(), market.looks]).toEqual([true, true, 1]);
    await nextTurn();
    market.stamp = 4;
    expect([freshness.isFresh(), market.looks]).toEqual([false, 2]);
  });

  test('is not fresh until the stamp has been read', async () => {
    const { market, freshness } = follow(Promise.resolve(3));
    await freshness.refresh();
    expect(freshness.stamp).toBe(3);
    expect(freshness.isFresh()).toBe(false);
    market.stamp = 3;
    expect(freshness.isFresh()).toBe(true);
  });

  test('refreshes once for concurrent callers, and again for later ones', async () => {
    const { market, freshness } = follow(3);
    await Promise.all([freshness.refresh(), freshness.refresh()]);
    expect(market.looks).toBe(1);
    await freshness.refresh();
    expect(market.looks).toBe(2);
  });
});
