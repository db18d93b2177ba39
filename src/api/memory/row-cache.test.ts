/** Cached rows are read once, and then only after they were published again. */
import { expect, test } from 'bun:test';
import { countTurns } from '../../../test/support/turns.ts';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import { RowCache } from './row-cache.ts';

type Changes = readonly { readonly kind: ItemKind; readonly key: string }[] | null;

interface Row {
  readonly key: string;
  readonly text: string;
}

/** A cache of sets on a store that records its reads. */
function makeRows(kinds: readonly ItemKind[] = ['set']) {
  const stored = new Map<string, string>();
  const rowsOf = (keys: readonly string[]): Row[] =>
    keys.flatMap((key) => {
      const text = stored.get(key);
      return text === undefined ? [] : [{ key, text }];
    });
  const place = {
    stored,
    reads: [] as (string | readonly string[])[],
    /** Called during a read. */
    whileReading: () => {},
    publish: (_: Changes) => {},
    /** Called to find out what was published. */
    refresh: async () => {},
  };
  const kept = new RowCache<Row>(
    {
      kinds,
      nameOf: ({ key }) => key,
      namesOf: (_, key) => [key],
      readAll: async function* () {
        place.reads.push('all');
        yield rowsOf([...stored.keys()]);
        place.whileReading();
      },
      readSome: async (_, keys) => {
        place.reads.push(keys);
        place.whileReading();
        return rowsOf(keys);
      },
    },
    {
      follow: (listener) => {
        // The cache uses no other field of a change.
        place.publish = (changes) => listener(changes as never);
      },
      refresh: () => place.refresh(),
    },
  );
  const current = async () => {
    const { rows, version } = await kept.current();
    return { texts: [...rows.values()].map(({ text }) => text), version };
  };
  return { place, kept, current };
}

const changed = (keys: readonly string[], kind: ItemKind = 'set') =>
  keys.map((key) => ({ kind, key }));

test('all rows are read once, and then only the changed ones', async () => {
  const { place, current } = makeRows();
  place.stored.set('1', 'one').set('2', 'two');
  expect(await current()).toEqual({ texts: ['one', 'two'], version: 1 });
  expect(await current()).toEqual({ texts: ['one', 'two'], version: 1 });
  place.stored.set('1', 'new').set('3', 'three').delete('2');
  place.publish(changed(['1', '2', '3']));
  expect(await current()).toEqual({ texts: ['new', 'three'], version: 2 });
  expect(await current()).toEqual({ texts: ['new', 'three'], version: 2 });
  expect(place.reads).toEqual(['all', ['1', '2', '3']]);
});

test('changes of several kinds are counted together', async () => {
  const { place, current } = makeRows(['set', 'minifig']);
  await current();
  place.stored.set('1', 'one').set('2', 'two');
  place.publish([...changed(['1']), ...changed(['2'], 'minifig')]);
  expect((await current()).texts).toEqual(['one', 'two']);
  expect(place.reads).toEqual(['all', ['1'], ['2']]);
  const keys = Array.from({ length: 2_501 }, (_, index) => String(index));
  place.publish([...changed(keys), ...changed(keys, 'minifig')]);
  await current();
  expect(place.reads.slice(3)).toEqual(['all']);
});

test('other requests get a turn after each part of a read', async () => {
  expect(await countTurns(makeRows().current)).toBe(1);
});

test('what was published is found out before each use', async () => {
  const { place, current } = makeRows();
  await current();
  place.refresh = async () => {
    await Bun.sleep(0);
    place.stored.set('1', 'one');
    place.publish(changed(['1']));
  };
  expect((await current()).texts).toEqual(['one']);
});

test('items of other kinds are ignored', async () => {
  const { place, current } = makeRows();
  await current();
  place.publish(changed(['1'], 'minifig'));
  expect((await current()).version).toBe(1);
  expect(place.reads).toEqual(['all']);
});

test('all rows are read again after more than 5,000 changes, or unknown ones', async () => {
  const { place, current } = makeRows();
  await current();
  const keys = Array.from({ length: 5_000 }, (_, index) => String(index));
  place.publish(changed(keys));
  await current();
  expect(place.reads).toEqual(['all', keys]);
  place.publish(changed(keys));
  place.publish(changed(['more']));
  await current();
  place.publish(null);
  await current();
  await current();
  expect(place.reads.slice(2)).toEqual(['all', 'all']);
});

test('concurrent callers share a read', async () => {
  const { place, current } = makeRows();
  await Promise.all([current(), current(), current()]);
  expect(place.reads).toEqual(['all']);
  place.publish(changed(['1']));
  await Promise.all([current(), current(), current()]);
  expect(place.reads).toEqual(['all', ['1']]);
});

test('rows published during a read are read after it for later callers', async () => {
  const { place, current } = makeRows();
  let later: ReturnType<typeof current> | null = null;
  place.whileReading = () => {
    place.whileReading = () => {};
    place.stored.set('1', 'one');
    place.publish(changed(['1']));
    later = current();
  };
  await current();
  expect(await later).toMatchObject({ texts: ['one'] });
});

test('during endless publications, the result of the second read is returned', async () => {
  const { place, current } = makeRows();
  place.whileReading = () => {
    place.stored.set(String(place.reads.length), `read ${place.reads.length}`);
    place.publish(null);
  };
  expect(await current()).toEqual({ texts: ['read 1'], version: 2 });
  expect(place.reads).toEqual(['all', 'all']);
});

test('all rows are read again after a failed read', async () => {
  const { place, current } = makeRows();
  await current();
  place.stored.set('1', 'one');
  place.publish(changed(['1']));
  place.whileReading = () => {
    throw new Error('away');
  };
  await expect(current()).rejects.toThrow('away');
  place.whileReading = () => {};
  expect((await current()).texts).toEqual(['one']);
  expect(place.reads).toEqual(['all', ['1'], 'all']);
});
