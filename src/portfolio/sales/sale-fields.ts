/** The fields of a recorded sale. Forms, lists, files and the feed follow them. */
import { itemKinds } from '../../catalog/items/numbers.ts';
import { platforms } from '../../market/fees/platforms.ts';
import { conditions } from '../../market/source-rows/source-rows.ts';
import type { FactsOf, FieldRow } from '../lots/fields.ts';

/** They are 0 if they are left out. */
const costs = [
  { field: 'platformFeesCents', wire: 'platform_fees_usd', name: 'Platform fees', kind: 'money' },
  { field: 'paymentFeesCents', wire: 'payment_fees_usd', name: 'Payment fees', kind: 'money' },
  { field: 'shippingCents', wire: 'shipping_cost_usd', name: 'Shipping cost', kind: 'money' },
] as const satisfies readonly FieldRow[];

/** The terms of the sale, which its form can change. Amounts are of all units. */
export const termFields = [
  { field: 'platform', wire: 'platform', name: 'Platform', kind: 'choice', choices: platforms },
  { field: 'saleDate', wire: 'sale_date', name: 'Sale date', kind: 'day' },
  { field: 'quantity', wire: 'quantity', name: 'Quantity', kind: 'count' },
  { field: 'grossCents', wire: 'gross_proceeds_usd', name: 'Gross with shipping', kind: 'money' },
  ...costs.map((row) => ({ ...row, default: 0 })),
] as const satisfies readonly FieldRow[];

/** New fields come last, also in files. */
export const saleFields = [
  { field: 'sourceId', wire: 'source_id', name: 'Source ID', kind: 'text', lengthMax: 200 },
  { field: 'kind', wire: 'minifig_number', name: 'Type', kind: 'itemKind', choices: itemKinds },
  { field: 'number', wire: 'set_number', name: 'Number', kind: 'number' },
  ...termFields,
  // The default for minifigs is `used`.
  {
    field: 'condition',
    wire: 'condition',
    name: 'Condition',
    kind: 'choice',
    choices: conditions,
    default: 'sealed',
  },
  // If it is given, no lot is touched.
  { field: 'costCents', wire: 'cost_basis_usd', name: 'Cost basis', kind: 'money', default: null },
  // The source ID of the lot it was sold from.
  { field: 'lot', wire: 'lot', name: 'Lot', kind: 'text', lengthMax: 200, default: null },
] as const satisfies readonly FieldRow[];

/** The fields of its form: the terms, and the cost if it was given. */
export const formFields = [
  ...termFields,
  ...saleFields.filter((row) => row.field === 'costCents'),
] as const;

/** Names in forms and addresses that are not those of files. */
export const saleNames = {
  saleDate: 'date',
  grossCents: 'gross',
  shippingCents: 'shipping',
  costCents: 'cost',
} as const;

export type SaleTerm = (typeof termFields)[number];
export type SaleTerms = FactsOf<SaleTerm>;
export type SaleField = (typeof saleFields)[number];

/** Forms compute fees that are left empty, and lists show their sum. */
export const isFee = (row: SaleField) =>
  row.field === 'platformFeesCents' || row.field === 'paymentFeesCents';
