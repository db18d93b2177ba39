/** The catalog as a list. */

import type { ItemKind } from '../../catalog/items/numbers.ts';
import type { StatusId } from '../../catalog/items/status.ts';
import type { EndpointInput } from '../../contract/all-endpoints.ts';
import { bad, unknownName } from '../../contract/input-messages.ts';
import {
  freeFields,
  listedMinifigFields,
  listedSetFields,
  type SetOrder,
} from '../../contract/plus/catalog-list.ts';
import { toUsdOrNull } from '../../kernel/money.ts';
import {
  type MarketFilters,
  type MarketNumber,
  type NumberRange,
  noFilters,
} from '../../market/lists/market-filters.ts';
import { belowValueOf, type MarketItem, pricePerPieceOf } from '../../market/lists/market-item.ts';
import type { CursorQuestion } from '../../market/lists/market-pages.ts';
import { dataOf } from '../answer-data.ts';
import { roundTo } from '../buying-terms.ts';
import type { Handlers, LaterWork, PricedWork } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { listMark, readCursor, writeCursor } from '../list-cursor.ts';

export function catalogListHandlers(deps: HandlerDeps) {
  return {
    listSets: ({ query }) => listWork(deps, 'set', query),
    listMinifigs: ({ query }) => listWork(deps, 'minifig', query),
  } satisfies Partial<Handlers>;
}

/** A minifigure has some of the filters of a set. */
type ListQuery = Partial<Omit<EndpointInput<'listSets'>['query'], 'limit' | 'sort'>> & {
  readonly limit: number;
  readonly sort: `${'' | '-'}${SetOrder}`;
};

function listWork(deps: HandlerDeps, kind: ItemKind, query: ListQuery): LaterWork<PricedWork> {
  const fields = readFields(kind, query.fields);
  const { filters, mark, ...order } = readList(kind, query);
  const after = query.after === undefined ? null : readCursor(mark, query.after);
  const { market } = deps;
  const isFree = fields.every((field) => freeFields[kind].includes(field));
  const isPerItem = !isFree || tellsAmounts(filters, order);
  return {
    begin: async (_caller, _spent, left) => {
      const list = await market.list.find();
      const limit = isPerItem ? Math.min(query.limit, Math.max(1, left)) : query.limit;
      const { rows, total, next } = list.findAfter({ kind, filters, ...order, after, limit });
      const shown: Shown = { kind, fields, rows };
      return {
        isExpensive: true,
        cost: isPerItem ? Math.max(1, rows.length) : 1,
        read: async () => {
          const items = await (isFree ? readSearchRows : readDocuments)(deps, shown);
          const cursor = next && writeCursor(mark, next);
          return dataOf({ [`${kind}s`]: items, total, next: cursor });
        },
      };
    },
  };
}

const allFields: Readonly<Record<ItemKind, readonly string[]>> = {
  set: Object.keys(listedSetFields),
  minifig: Object.keys(listedMinifigFields),
};

/** The names of the chosen fields, the number first. */
function readFields(kind: ItemKind, chosen: string | undefined): readonly string[] {
  if (chosen === undefined) return freeFields[kind];
  const names = chosen.split(',').map((name) => name.trim());
  const known = allFields[kind];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const where = " in the query parameter 'fields'";
    throw unknownName(unknown, { what: 'field', where, names: known });
  }
  return [...new Set([`${kind}_number`, ...names])];
}

type Order = Pick<CursorQuestion, 'sort' | 'isDescending'>;

function readList(
  kind: ItemKind,
  query: ListQuery,
): Order & { readonly filters: MarketFilters; readonly mark: string } {
  const filters: MarketFilters = {
    ...noFilters,
    theme: query.theme?.normalize() ?? null,
    subtheme: query.subtheme?.normalize() ?? null,
    // Validated by the schema.
    statusId: (query.status_id as StatusId | undefined) ?? null,
    minTier: query.min_tier ?? null,
    ranges: readRanges(query),
  };
  const isDescending = query.sort.startsWith('-');
  const name = query.sort.slice(isDescending ? 1 : 0) as SetOrder;
  const sort = name === 'number' ? null : sortNumbers[name];
  const mark = listMark({ kind, filters, sort, isDescending });
  return { filters, sort, isDescending, mark };
}

const sortNumbers: Readonly<Record<Exclude<SetOrder, 'number'>, MarketNumber>> = {
  year: 'year',
  pieces: 'pieces',
  value: 'value',
  change_30d: 'change30',
  change_90d: 'change90',
  change_365d: 'change365',
  price_per_piece: 'pricePerPiece',
  below_value: 'belowValue',
  sell_through: 'sellThrough',
};

/** The parameters of each range, and how many of the list's units are one of theirs. */
const rangeParameters: readonly {
  readonly number: MarketNumber;
  readonly name: string;
  readonly units?: number;
}[] = [
  { number: 'year', name: 'year' },
  { number: 'pieces', name: 'pieces' },
  { number: 'value', name: 'value_usd', units: 100 },
  { number: 'change30', name: 'change_30d_pct' },
  { number: 'change90', name: 'change_90d_pct' },
  { number: 'change365', name: 'change_365d_pct' },
  { number: 'pricePerPiece', name: 'price_per_piece_usd', units: 100 },
  { number: 'belowValue', name: 'below_value_pct' },
  { number: 'sellThrough', name: 'sell_through_pct' },
];

function readRanges(query: ListQuery): MarketFilters['ranges'] {
  const ranges: Partial<Record<MarketNumber, NumberRange>> = {};
  const read = (name: string) => {
    const value = (query as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'number' ? value : undefined;
  };
  for (const { number, name, units = 1 } of rangeParameters) {
    const [least, most] = [read(`min_${name}`), read(`max_${name}`)];
    if (least === undefined && most === undefined) continue;
    if (least !== undefined && most !== undefined && least > most) {
      throw bad(
        `The query parameter 'min_${name}' must be at most 'max_${name}', which is ${most}; ` +
          `got ${least}.`,
      );
    }
    const limit = (value: number | undefined) =>
      value === undefined ? null : roundTo(value * units, limitDecimals);
    ranges[number] = { from: limit(least), to: limit(most) };
  }
  return ranges;
}

/** Decimals of a limit in the list's units, which undoes the errors of binary fractions. */
const limitDecimals = 4;

/** Numbers that are, or are computed from, a value, a list price or sales. */
const chargedNumbers: ReadonlySet<MarketNumber> = new Set([
  'value',
  'change30',
  'change90',
  'change365',
  'pricePerPiece',
  'belowValue',
  'sellThrough',
]);

/** Whether a page tells amounts by what is on it: narrow limits would tell them exactly. */
function tellsAmounts({ tier, minTier, ranges }: MarketFilters, { sort }: Order): boolean {
  const used = [...(Object.keys(ranges) as MarketNumber[]), ...(sort === null ? [] : [sort])];
  return tier !== null || minTier !== null || used.some((number) => chargedNumbers.has(number));
}

interface Shown {
  readonly kind: ItemKind;
  readonly fields: readonly string[];
  readonly rows: readonly MarketItem[];
}

type ReadField = (item: MarketItem) => unknown;

const liquidityFields: Readonly<Record<string, ReadField>> = {
  sell_through_pct: ({ sellThrough }) => sellThrough,
  units_per_month: ({ soldPerMonth }) => soldPerMonth,
  sellers_90d: ({ sellers }) => sellers,
};

/** Fields that are not in documents. */
const computedFields: Readonly<Record<ItemKind, Readonly<Record<string, ReadField>>>> = {
  set: {
    year: ({ year }) => year,
    retired: ({ statusId }) => statusId === 4,
    change_30d_pct: ({ change30 }) => change30,
    change_90d_pct: ({ change90 }) => change90,
    change_365d_pct: ({ change365 }) => change365,
    price_per_piece_usd: (item) => {
      const cents = pricePerPieceOf(item);
      return cents === null ? null : roundTo(cents / 100, 4);
    },
    retail_price_usd: ({ priceCents }) => toUsdOrNull(priceCents),
    below_value_pct: belowValueOf,
    ...liquidityFields,
  },
  minifig: { data_tier: ({ tier }) => tier, ...liquidityFields },
};

/**
 * The chosen fields of items, in the chosen order. An item that was removed since the page was
 * counted is left out.
 */
type ReadItems = (deps: HandlerDeps, shown: Shown) => Promise<object[]>;

const readSearchRows: ReadItems = async ({ market: { store } }, { kind, fields, rows }) => {
  const keys = rows.map(({ key }) => key);
  const found = await store.findSearchRows(kind, keys);
  return found.map((text) => {
    const row: Readonly<Record<string, unknown>> = JSON.parse(text);
    return pick(fields, (field) => row[field]);
  });
};

const readDocuments: ReadItems = async ({ market: { documents } }, { kind, fields, rows }) => {
  const items: object[] = [];
  const computed = computedFields[kind];
  for (const item of rows) {
    const found = documents.peek(kind, item.key) ?? (await documents.find(kind, item.key));
    if (found === null) continue;
    const document: Readonly<Record<string, unknown>> = JSON.parse(found.json);
    items.push(
      pick(fields, (field) => (computed[field] ? computed[field](item) : document[field])),
    );
  }
  return items;
};

function pick(fields: readonly string[], read: (field: string) => unknown): object {
  return Object.fromEntries(fields.map((field) => [field, read(field)]));
}
