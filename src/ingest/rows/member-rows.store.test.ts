/** Minifigs that become parts of others, or separate again. */
import { expect, test } from 'bun:test';
import {
  aPublishedItem,
  aSale,
  aSet,
  minifigRow as minifig,
} from '../../../test/support/builders.ts';
import { sharedNow as now, shareStore } from '../../../test/support/shared-store.ts';
import { onTables } from '../../../test/support/tables.ts';
import { dayMs } from '../../kernel/time.ts';

const shared = shareStore();

test('a part is never due, a minifig that has parts or is separate again stays due', async () => {
  const { market } = shared.store;
  const apply = (...rows: ReturnType<typeof minifig>[]) => market.applyRows(rows, now);
  const publish = async (dueAt: number) => {
    const ids = await market.listStale(0, 9);
    const inputs = await market.loadInputs(ids, { at: now, withSeries: false });
    const items = inputs.map(({ id, version }) => aPublishedItem({ id, version, dueAt }));
    await market.publish(items);
  };
  const due = async (at: number) => {
    const inputs = await market.loadInputs(await market.listDue(at, 9), { at, withSeries: false });
    expect(await market.countDue(at)).toBe(inputs.length);
    return inputs.map(({ key }) => key);
  };
  await apply(minifig('whole'), minifig('part'), minifig('other'));
  await publish(now + dayMs);
  expect(await due(now + dayMs - 1)).toEqual([]);
  expect(await due(now + dayMs)).toEqual(['whole', 'part', 'other']);
  await apply(minifig('whole', ['part']));
  expect(await due(now + dayMs)).toEqual(['whole', 'other']);
  await apply(minifig('whole'));
  expect(await due(now + dayMs)).toEqual(['whole', 'other']);
  await publish(now + 2 * dayMs);
  expect(await due(now + dayMs)).toEqual(['other']);
  expect(await due(now + 2 * dayMs)).toEqual(['other', 'whole', 'part']);
});

test('a minifig that is described after another claimed its number is a part at once', async () => {
  const { market } = shared.store;
  await market.applyRows([minifig('head', ['later'])], now);
  await market.applyRows([minifig('later')], now);
  const ids = await market.listStale(0, 99);
  const inputs = await market.loadInputs(ids, { at: now, withSeries: false });
  expect(inputs.map(({ key, records }) => [key, records.length])).toEqual([['head', 2]]);
});

test('a number that no minifig claims any more is separate once it is described', async () => {
  const { market } = shared.store;
  await market.applyRows([minifig('owner', ['free'])], now);
  await market.applyRows([minifig('owner')], now);
  const ownKeys = async () => {
    const ids = await market.listStale(0, 99);
    const inputs = await market.loadInputs(ids, { at: now, withSeries: false });
    return inputs.map(({ key }) => key).filter((key) => key === 'owner' || key === 'free');
  };
  expect(await ownKeys()).toEqual(['owner']);
  await market.applyRows([minifig('free')], now);
  expect(await ownKeys()).toEqual(['owner', 'free']);
});

test('a set that lists a part affects all months if the whole was sold', async () => {
  const { market } = shared.store;
  const sold = aSale({ itemKind: 'minifig', itemKey: 'whole', condition: 'used' });
  await market.applyRows([minifig('whole', ['part']), { kind: 'sale', sale: sold }], now);
  const changedFrom = async (minifigs: string[]) => {
    await onTables(shared.folder, "DELETE FROM meta WHERE name = 'parameters_changed_from'");
    const facts = aSet({ number: '1', minifigs });
    await market.applyRows([{ kind: 'set', source: 'feed', facts }], now);
    return (await market.findParameterVersions()).changedFrom;
  };
  expect(await changedFrom(['other'])).toBeNull();
  expect(await changedFrom(['other', 'part'])).toBe(0);
});
