/** The fields of a lot. Forms, pages, the inventory, filters, files and the feed follow them. */
import { itemKinds } from '../../catalog/items/numbers.ts';
import { conditions } from '../../market/source-rows/source-rows.ts';
import { type FactsOf, type FieldRow, factsOf } from './fields.ts';
import { detailLimits } from './lot-details.ts';

export const holdingStatuses = ['owned', 'listed'] as const;

/**
 * How the purchase date is known. `assumed`: the release date is used instead. `unknown`: the lot
 * is left out of returns, although it has a `purchaseDate`.
 */
export const dateBases = ['known', 'assumed', 'unknown'] as const;

/** The purchase. The price is per unit. */
export const purchaseFields = [
  { field: 'sourceId', wire: 'source_id', name: 'Source ID', kind: 'text', lengthMax: 200 },
  { field: 'brickfolio', wire: 'brickfolio', name: 'Collection', kind: 'text', lengthMax: 100 },
  { field: 'kind', wire: 'minifig_number', name: 'Type', kind: 'itemKind', choices: itemKinds },
  // As it was entered, in its canonical spelling; a minifig may have several numbers.
  { field: 'number', wire: 'set_number', name: 'Number', kind: 'number' },
  { field: 'quantity', wire: 'quantity', name: 'Quantity', kind: 'count' },
  { field: 'condition', wire: 'condition', name: 'Condition', kind: 'choice', choices: conditions },
  { field: 'priceCents', wire: 'purchase_price_usd', name: 'Purchase price', kind: 'money' },
  { field: 'purchaseDate', wire: 'purchase_date', name: 'Purchase date', kind: 'day' },
  {
    field: 'status',
    wire: 'status',
    name: 'Status',
    kind: 'choice',
    choices: holdingStatuses,
    default: 'owned',
  },
] as const satisfies readonly FieldRow[];

/** What the form of a lot can change about its purchase. */
export const lotTermFields = purchaseFields.filter(
  (row) => row.field !== 'sourceId' && row.field !== 'kind' && row.field !== 'number',
);

/** Assumptions about the purchase. The export has them, the feed does not. */
export const assumedFields = [
  { field: 'isEstimated', wire: 'is_estimated', name: 'Cost', kind: 'flag', default: false },
  {
    field: 'dateBasis',
    wire: 'date_basis',
    name: 'Purchase date',
    kind: 'choice',
    choices: dateBases,
    default: 'known',
  },
] as const satisfies readonly FieldRow[];

/** Details of the units. Prices are per unit. New ones come last, also in files. */
const details = [
  { field: 'grade', wire: 'grade', name: 'Grade', kind: 'grade' },
  { field: 'notes', wire: 'notes', name: 'Notes', kind: 'lines', lengthMax: detailLimits.notes },
  { field: 'tags', wire: 'tags', name: 'Tags', kind: 'tags' },
  { field: 'place', wire: 'place', name: 'Place', kind: 'place' },
  {
    field: 'boughtAt',
    wire: 'bought_at',
    name: 'Bought at',
    kind: 'text',
    lengthMax: detailLimits.boughtAt,
  },
  { field: 'askingCents', wire: 'asking_price_usd', name: 'Asking price', kind: 'money' },
  { field: 'listedAt', wire: 'listed_at', name: 'Listed on', kind: 'day' },
  { field: 'listingUrl', wire: 'listing_url', name: 'Listing link', kind: 'url' },
  { field: 'ownFields', wire: 'own_fields', name: 'Own fields', kind: 'own' },
] as const satisfies readonly FieldRow[];

/** A line of the feed without a detail leaves it as it is. */
export const detailFields = details.map((row) => ({ ...row, default: null }));

export const lotFields = [...purchaseFields, ...assumedFields, ...detailFields] as const;

export type DetailField = (typeof detailFields)[number];
export type LotField = (typeof lotFields)[number];
type FixedDetail = Exclude<DetailField, { readonly kind: 'own' }>;

/** The details that all accounts have. */
export const fixedDetails = detailFields.filter((row): row is FixedDetail => row.kind !== 'own');

/** Fields that may be left out. The inventory has a column, an order and a search of their kind. */
export const optionalFields = [...lotTermFields.filter((row) => 'default' in row), ...fixedDetails];

/** Null: not known. Texts are stored tidied, so that equal ones are the same. */
export type LotDetails = FactsOf<DetailField>;

export const noDetails: LotDetails = factsOf(detailFields, () => null);

/** The details of a lot alone. */
export function lotDetails(lot: LotDetails): LotDetails {
  return factsOf(detailFields, ({ field }) => lot[field]);
}
