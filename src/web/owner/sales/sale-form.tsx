/** The fields of a sale, reading them, and a preview of the proceeds. */

import { type FeeTable, feesOn } from '../../../market/fees/fee-table.ts';
import { feeText } from '../../../market/fees/fee-text.ts';
import { feeTotal, saleFees } from '../../../market/fees/platform-fees.ts';
import { platformNames, platforms } from '../../../market/fees/platforms.ts';
import { factsOf, nameIn, rowsFirst } from '../../../portfolio/lots/fields.ts';
import { type OwnSale, sumSales } from '../../../portfolio/sales/ledger.ts';
import {
  formFields,
  isFee,
  type SaleTerm,
  type SaleTerms,
  saleNames,
  termFields,
} from '../../../portfolio/sales/sale-fields.ts';
import { Facts, Figures } from '../../kit/card.tsx';
import { amountText, type FormReader, versionOf } from '../../kit/form-reader.ts';
import { gainText, inDollars, moneyText, percentText } from '../../kit/format.ts';
import { signClass } from '../../kit/money.tsx';
import { FieldInput, inputText, readInput } from '../field-kinds.tsx';

/** Terms that the form does not have: the payment method, and the share of shipping. */
const unknownTerms = { shippingCents: 0, payment: null };

type FormField = (typeof formFields)[number];

/** The sales of a form share these; each has its own counts and amounts. */
const isShared = ({ kind }: FormField) => kind !== 'count' && kind !== 'money';

/** The terms of each sale that have an input in a form for several. */
export const cellTerms = termFields.filter((row) => !isShared(row) && !isFee(row));

const feeFields = termFields.filter(isFee);

/** The name of an input; a suffix distinguishes the sales of a form. */
export function inputName(row: FormField, suffix = ''): string {
  return isShared(row) ? row.wire : nameIn(saleNames, row) + suffix;
}

/** Reads a sale. Empty fees have the value of the preset. */
export function readSaleTerms(fields: FormReader, table: FeeTable, suffix = ''): SaleTerms {
  const nameOf = (row: SaleTerm) => inputName(row, suffix);
  const terms = factsOf(termFields, (row) => readInput(fields, row, nameOf(row)));
  const preset = saleFees(table, {
    platform: terms.platform,
    day: terms.saleDate,
    paidCents: terms.grossCents,
    quantity: Math.max(terms.quantity, 1),
    ...unknownTerms,
  });
  const empty = feeFields.filter((row) => fields.isBlank(nameOf(row)));
  return { ...terms, ...factsOf(empty, ({ field }) => preset[field]) };
}

export function storedInput({ facts, costCents }: OwnSale): Readonly<Record<string, string>> {
  const stored = { ...facts, costCents };
  return Object.fromEntries(
    formFields.map((row) => [inputName(row), inputText(row.kind, stored[row.field])]),
  );
}

/** Of all fields that the form can change. */
export function saleVersion(sale: SaleTerms & { readonly costCents: number | null }): string {
  return versionOf(formFields.map(({ field }) => sale[field]));
}

/** Further terms in an import preview, which has columns for the main amounts and the day. */
export function saleWords(terms: SaleTerms): string {
  const rows = termFields.filter((row) => isShared(row) && row.field !== 'saleDate');
  return rows.flatMap(({ field }) => terms[field] ?? []).join(' · ');
}

export interface TypedSale {
  readonly suffix: string;
  readonly terms: SaleTerms;
  /** The cost of its units; null if it is not known yet. */
  readonly costCents: number | null;
}

/** Texts that follow the input, by name, and the sign that colors them. */
export type LiveTexts = Readonly<Record<string, { readonly text: string; readonly sign?: number }>>;

export interface SalePreview {
  readonly live: LiveTexts;
  /** By the name of the field. */
  readonly presets: Readonly<Record<string, string>>;
}

/** The proceeds of the sales of a form, without sales that are incomplete or invalid. */
export function previewOf(fields: FormReader, sales: readonly TypedSale[]): SalePreview {
  const live: Record<string, { text: string; sign?: number }> = {};
  const presets: Record<string, string> = {};
  const typed = sales.filter(({ suffix }) =>
    termFields.every((row) => fields.typed.faults[inputName(row, suffix)] === undefined),
  );
  for (const sale of typed) {
    const { suffix, terms } = sale;
    for (const row of feeFields) presets[inputName(row, suffix)] = amountText(terms[row.field]);
    live[`fees${suffix}`] = { text: moneyText(feeTotal(terms)) };
    Object.assign(live, proceedsTexts([sale], suffix));
  }
  if (sales.length > 1 && typed.length > 0) Object.assign(live, proceedsTexts(typed, '_all'));
  return { live, presets };
}

/** The total of sales; only the net if the cost of one is not known yet. */
function proceedsTexts(sales: readonly TypedSale[], suffix: string): LiveTexts {
  const total = sumSales(
    sales.map(({ terms, costCents }) => ({ ...terms, costCents: costCents ?? 0 })),
  );
  const { netCents, profitCents, roiPct } = total;
  const net = { [`net${suffix}`]: { text: moneyText(netCents) } };
  if (sales.some(({ costCents }) => costCents === null)) return net;
  return {
    ...net,
    [`cost${suffix}`]: { text: moneyText(total.costCents) },
    [`profit${suffix}`]: { text: gainText(profitCents), sign: profitCents },
    [`roi${suffix}`]: { text: percentText(roiPct), sign: profitCents },
  };
}

/** A text that a script updates while the form is filled in. */
export function Live({ name, live }: { readonly name: string; readonly live: LiveTexts }) {
  const { text = '—', sign = 0 } = live[name] ?? {};
  return (
    <span data-live={name} class={signClass(sign)}>
      {text}
    </span>
  );
}

export function LiveFigures({ live, suffix = '' }: { live: LiveTexts; suffix?: string }) {
  const shown = (name: string) => <Live name={name + suffix} live={live} />;
  return (
    <div class="sale-sum" role="status" aria-label="Sale totals">
      <Figures
        figures={[
          ['Net', shown('net')],
          ['Cost basis', shown('cost')],
          ['Profit', shown('profit')],
          ['ROI', shown('roi')],
        ]}
      />
    </div>
  );
}

type StartValues = Readonly<Record<string, string>>;

export function SharedInputs({ values }: { readonly values: StartValues }) {
  return <Inputs rows={termFields.filter(isShared)} values={values} />;
}

export function SaleInputs(props: Omit<InputsProps, 'rows'>) {
  return (
    <>
      <div class="form-grid sale-grid">
        <Inputs {...props} rows={rowsFirst(requiredTerms, ['quantity', 'grossCents'])} />
      </div>
      <div class="form-grid sale-grid thirds">
        <Inputs {...props} rows={termFields.filter((row) => 'default' in row)} />
      </div>
    </>
  );
}

const requiredTerms = termFields.filter((row) => !('default' in row));

interface InputsProps {
  readonly rows: readonly SaleTerm[];
  readonly values: StartValues;
  readonly presets?: SalePreview['presets'];
  readonly hasFocus?: boolean;
}

function Inputs({ rows, values, presets = {}, hasFocus = false }: InputsProps) {
  return rows.map((row) => {
    const name = inputName(row);
    const placeholder = isFee(row) ? (presets[name] ?? 'Preset') : '0.00';
    return (
      <FieldInput
        key={name}
        row={row}
        name={name}
        value={values[name] ?? null}
        hasFocus={hasFocus && row.field === 'grossCents'}
        {...(row.kind === 'money' && { placeholder })}
      />
    );
  });
}

export function Presets({ table, day }: { readonly table: FeeTable; readonly day: string }) {
  return (
    <details>
      <summary>Fee presets</summary>
      <p class="quiet">
        Published fees for standard sellers in the United States, or your own rates from{' '}
        <a href="/account/buying">Buying settings</a>. If you were charged a different amount, enter
        it.
      </p>
      <Facts
        facts={platforms.map((platform) => [
          platformNames[platform],
          inDollars(feeText(feesOn(table, platform, day))),
        ])}
      />
    </details>
  );
}
