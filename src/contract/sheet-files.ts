/**
 * The CSV files behind spreadsheet links: their queries and columns. Columns are fields of the
 * API's records, with the same names and meanings.
 */
import Type, { type TObject, type TSchema } from 'typebox';
import type { SheetContent } from '../accounts/sheet-links/sheet-link.ts';
import { HoldingPage, SalePage } from './brickfolio.ts';
import { pageQuery } from './catalog.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { exactly, printablePattern } from './fields.ts';
import { urlLengthMax } from './limits.ts';
import { MinifigRecord } from './minifig.ts';
import { RetailRow } from './retail.ts';
import { SetRecord } from './set.ts';

/** Rows of a list, or numbers sent. */
export const sheetRowsMax = 5_000;
export const sheetNumbersMax = 1_000;

export interface SheetFile {
  /** The scopes that its key needs: those of the calls it is made of. */
  readonly needs: Endpoint['needs'];
  readonly query: TObject;
  readonly columns: readonly string[];
}

/** Comma-separated. */
const list = (description: string) =>
  Type.Optional(
    Type.String({
      maxLength: urlLengthMax,
      pattern: printablePattern,
      'x-expected': 'a list with commas, without control characters',
      description,
    }),
  );

const columns = list('The columns that are wanted, in this order; all when left out.');

const rows = {
  limit: Type.Integer({
    minimum: 1,
    maximum: sheetRowsMax,
    default: sheetRowsMax,
    description: 'Rows at the most.',
  }),
  offset: pageQuery.offset,
  columns,
};

/** By the content of a link. */
export const sheetFiles = {
  values: {
    needs: endpoints.getBatch.needs,
    query: exactly({
      sets: list('Set numbers.'),
      minifigs: list('Minifigure numbers.'),
      columns,
    }),
    columns: [
      ...new Set(['requested', 'found', ...columnsOf(SetRecord), ...columnsOf(MinifigRecord)]),
    ],
  },
  holdings: {
    needs: endpoints.listEntries.needs,
    query: exactly({
      brickfolio_id: endpoints.listEntries.query.properties.brickfolio_id,
      ...rows,
    }),
    columns: columnsOf(HoldingPage.properties.entries.items),
  },
  sales: {
    needs: endpoints.listSales.needs,
    query: exactly(rows),
    columns: columnsOf(SalePage.properties.sales.items),
  },
  'retail-watch': {
    needs: endpoints.listRetailWatch.needs,
    query: exactly(rows),
    columns: columnsOf(RetailRow),
  },
} as const satisfies Record<SheetContent, SheetFile>;

/** The fields of a record. Nested fields have a dot in their name; lists are omitted. */
function columnsOf(schema: TSchema, prefix = ''): string[] {
  const { properties = {} } = schema as Partial<TObject>;
  return Object.entries(properties).flatMap(([name, field]) => {
    const inner = withoutNull(field);
    if ('items' in inner) return [];
    const path = `${prefix}${name}`;
    return 'properties' in inner ? columnsOf(inner, `${path}.`) : [path];
  });
}

function withoutNull(schema: TSchema): TSchema {
  const { anyOf } = schema as { readonly anyOf?: readonly (TSchema & { type?: string })[] };
  return anyOf?.find(({ type }) => type !== 'null') ?? schema;
}
