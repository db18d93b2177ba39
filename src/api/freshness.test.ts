/** What is in memory is used only while the store says that nothing was published since. */
import { describe, expect, test } from 'bun:test';
import type { ListedEntry, MarketReading } from '../domain/market/market-reading.ts';
import { Freshness } from './freshness.ts';

const entry = { kind: 'set', key: '101' } as ListedEntry;
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A market of which only the stamp and the changes are asked, and a listener to them. */
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
  test('is not fresh before the first look, after which it is all to be forgotten', async () => {
    const { freshness, heard, asked } = follow(7);
    expect([freshness.stamp, freshness.isFresh()]).toEqual([-1, false]);
    await freshness.refresh();
    expect([freshness.stamp, freshness.isFresh()]).toEqual([7, true]);
    expect([heard, asked]).toEqual([[null], []]);
  });

  test('is told what was published since, and nothing when nothing was', async () => {
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

  test('is all forgotten when the stamp goes back: it is another database', async () => {
    const { market, freshness, heard } = follow(9);
    await freshness.refresh();
    market.stamp = 8;
    expect(freshness.isFresh()).toBe(false);
    await freshness.refresh();
    expect(heard).toEqual([null, null]);
    expect(freshness.stamp).toBe(8);
  });

  test('is compared once a turn, and again in the next', async () => {
    const { market, freshness } = follow(3);
    await freshness.refresh();
    market.looks = 0;
    expect([freshness.isFresh(), freshness.isFresh(), market.looks]).toEqual([true, true, 1]);
    await nextTurn();
    market.stamp = 4;
    expect([freshness.isFresh(), market.looks]).toEqual([false, 2]);
  });

  test('is not fresh where the stamp has to be waited for, until it was', async () => {
    const { market, freshness } = follow(Promise.resolve(3));
    await freshness.refresh();
    expect(freshness.stamp).toBe(3);
    expect(freshness.isFresh()).toBe(false);
    market.stamp = 3;
    expect(freshness.isFresh()).toBe(true);
  });

  test('is made current once for all who wait, and once more for those who come later', async () => {
    const { market, freshness } = follow(3);
    await Promise.all([freshness.refresh(), freshness.refresh()]);
    expect(market.looks).toBe(1);
    await freshness.refresh();
    expect(market.looks).toBe(2);
  });
});
