/** `sources`: the data of each source about an item, and the source used for each field. */

import type { MinifigFacts, SetDescription } from '../catalog/items/catalog.ts';
import { fieldsOf, minifigDeciders, setDeciders, setValue } from '../catalog/items/merge.ts';
import { type ItemKind, itemKey } from '../catalog/items/numbers.ts';
import { minifigPrecedence, setPrecedence } from '../catalog/items/precedence.ts';
import { dayText } from '../kernel/format.ts';
import { toUsd } from '../kernel/money.ts';
import { snakeKey } from '../kernel/snake-key.ts';
import { formatDay, formatInstantOrNull } from '../kernel/time.ts';
import type { ItemSources, StoredRecord } from '../market/evidence/evidence.ts';
import type { Store } from '../store/store.ts';
import { CommandError, command } from './command.ts';
import { itemCallsJson, itemCallsText, listItemCalls } from './sync/item-calls.ts';
import { table } from './table.ts';
import { unknownItem } from './unknown-item.ts';

export const sourcesCommand = command({
  name: 'sources',
  operands: { number: { label: 'NUMBER' } },
  summary:
    'Show what each source has for a set or minifig, which source is used for each field, ' +
    'and when it is next fetched',
  flags: { minifig: { help: 'NUMBER is a minifig number' } },
  needs: 'store to read',
  run: async ({ number, minifig }, { store, config, result }) => {
    const kind = minifig ? 'minifig' : 'set';
    const found = await store.market.findSources(kind, itemKey(kind, number));
    if (!found) throw await nothingFound(store, kind, number);
    const fields = kind === 'set' ? setFields(found) : minifigFields(found);
    const key = itemKey(kind, found.number);
    const sources = found.records.map(({ source }) => source);
    const calls = await listItemCalls(store, { kind, key, sources }, config);
    result(
      { ...asJson(kind, found, fields), asked: itemCallsJson(calls) },
      [asText(kind, found, fields), ...itemCallsText(calls, config.clock())].join('\n'),
    );
  },
});

/** Only sources that have a value for the field. */
interface Field {
  readonly name: string;
  readonly values: readonly {
    readonly record: StoredRecord;
    readonly value: unknown;
    readonly decides: boolean;
  }[];
}

function setFields({ records }: ItemSources): Field[] {
  const typed = records as readonly (StoredRecord & { readonly facts: SetDescription })[];
  const deciders = setDeciders(typed);
  return fieldsOf(setPrecedence).map((name) =>
    field(name, typed, {
      value: (facts) => setValue(facts, name),
      decides: (record) => deciders.get(name) === record,
    }),
  );
}

function minifigFields({ records }: ItemSources): Field[] {
  const typed = records as readonly (StoredRecord & { readonly facts: MinifigFacts })[];
  const deciders = minifigDeciders(typed);
  const ranked = fieldsOf(minifigPrecedence).map((name) =>
    field(name, typed, {
      value: (facts) => facts[name],
      decides: (record) => deciders.get(name) === record,
    }),
  );
  // Aliases of all sources are used.
  const value = ({ aliases }: MinifigFacts) => (aliases.length > 0 ? aliases : null);
  return [...ranked, field('aliases', typed, { value, decides: () => true })];
}

function field<Facts>(
  name: string,
  records: readonly (StoredRecord & { readonly facts: Facts })[],
  of: { value(facts: Facts): unknown; decides(record: object): boolean },
): Field {
  const values = records.flatMap((record) => {
    const value = of.value(record.facts);
    if (value === null) return [];
    const shown = name === 'msrpCents' ? toUsd(Number(value)) : value;
    return [{ record, value: shown, decides: of.decides(record) }];
  });
  return { name: name === 'msrpCents' ? 'msrp_usd' : snakeKey(name), values };
}

function asJson(kind: ItemKind, { number, records }: ItemSources, fields: readonly Field[]) {
  return {
    kind,
    number,
    sources: records.map(({ source, number: by, goneAt }) => ({
      source,
      number: by,
      gone_at: formatInstantOrNull(goneAt),
    })),
    fields: fields.map(({ name, values }) => ({
      field: name,
      said: values.map(({ record, value, decides }) => ({
        source: record.source,
        number: record.number,
        value,
        decides,
      })),
    })),
  };
}

function asText(kind: ItemKind, { number, records }: ItemSources, fields: readonly Field[]) {
  const named = (record: StoredRecord) =>
    record.number === number ? record.source : `${record.source} ${record.number}`;
  const rows = fields.flatMap(({ name, values }) =>
    values.map(({ record, value, decides }) => [
      name,
      decides ? '*' : '',
      named(record),
      Array.isArray(value) ? value.join(' ') : String(value),
    ]),
  );
  const gone = records.flatMap((record) =>
    record.goneAt === null
      ? []
      : [`${named(record)}: removed ${dayText(formatDay(record.goneAt))}.`],
  );
  return [
    `Source data for ${kind} ${number}; * marks the source used.`,
    '',
    table(['field', '', 'source', 'says'], rows),
    ...(gone.length > 0 ? ['', ...gone] : []),
  ].join('\n');
}

async function nothingFound(store: Store, kind: ItemKind, number: string): Promise<CommandError> {
  const typed = (word: string, of: ItemKind) =>
    `brickmark sources ${word}${of === 'minifig' ? ' --minifig' : ''}`;
  const other = kind === 'set' ? 'minifig' : 'set';
  if (await store.market.findSources(other, itemKey(other, number))) {
    return new CommandError(
      `No ${kind} '${number}', but there is a ${other}. Try '${typed(number, other)}'.`,
    );
  }
  return unknownItem(store, { kinds: [kind], number }, typed);
}
