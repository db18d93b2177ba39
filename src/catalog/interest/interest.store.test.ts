/** Interest in items: counts that every process adds to. */
import { expect, test } from 'bun:test';
import { sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import { dayOf } from '../../kernel/time.ts';

const shared = shareStore();

const day = dayOf(now);

test('held and watched items are listed in order, others are not', async () => {
  const { market } = shared.store;
  await market.saveHolders(
    [
      { kind: 'set', key: 'b', held: 1, units: 5 },
      { kind: 'minifig', key: 'b', held: 0, units: 1 },
      { kind: 'set', key: 'a', held: 2, units: 2 },
      { kind: 'set', key: 'none', held: 0, units: 0 },
    ],
    day,
  );
  await market.addLookUps(
    [
      { kind: 'set', key: 'seen', times: 1 },
      { kind: 'minifig', key: 'a', times: 1 },
    ],
    day,
  );
  const [watched, held] = [
    { kind: 'minifig', key: 'b', held: 0, units: 1 } as const,
    { kind: 'set', key: 'a', held: 2, units: 2 } as const,
  ];
  const other = { kind: 'set', key: 'b', held: 1, units: 5 } as const;
  expect(await market.listHolders()).toEqual([watched, held, other]);
  await market.saveHolders([{ kind: 'set', key: 'b', held: 0, units: 0 }], day);
  expect(await market.listHolders()).toEqual([watched, held]);
});

test('repeated look-ups are summed, separately for items of different kinds with the same key', async () => {
  const { market, sync } = shared.store;
  const count = (kind: 'set' | 'minifig', key: string, times: number) => ({ kind, key, times });
  await market.addLookUps([count('set', 'x', 1), count('minifig', 'x', 1)], day);
  const lookedUp = async (kind: 'set' | 'minifig') =>
    (await sync.listWanted(kind)).find(({ key }) => key === 'x')?.lookedUp ?? 0;
  const [once, minifig] = [await lookedUp('set'), await lookedUp('minifig')];
  await market.addLookUps([count('set', 'x', 1), count('set', 'x', 1)], day);
  expect(await lookedUp('set')).toBe(3 * once);
  expect(await lookedUp('minifig')).toBe(minifig);
});
