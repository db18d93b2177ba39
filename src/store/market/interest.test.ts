/** How much items are wanted: counts that every process adds to. */
import { expect, test } from 'bun:test';
import { sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import { dayOf } from '../../domain/kernel/time.ts';

const shared = shareStore();

const day = dayOf(now);

test('sets that are held are listed in order, and no others', async () => {
  const { market } = shared.store;
  await market.saveHolders(
    [
      { key: 'b', held: 1, units: 5 },
      { key: 'a', held: 2, units: 2 },
      { key: 'none', held: 0, units: 0 },
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
  const first = { key: 'a', held: 2, units: 2 };
  expect(await market.listHolders()).toEqual([first, { key: 'b', held: 1, units: 5 }]);
  await market.saveHolders([{ key: 'b', held: 0, units: 0 }], day);
  expect(await market.listHolders()).toEqual([first]);
});

test('what is looked up several times is counted together, and apart from others of its name', async () => {
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
