/** The fields of a sale, reading them, and a preview of the proceeds. */

import { type FeeTable, feesOn } from '../../../domain/fees/fee-table.ts';
import { feeText } from '../../../domain/fees/fee-text.ts';
import { feeTotal, saleFees } from '../../../domain/fees/platform-fees.ts';
import { platformChoices, platformNames, platforms } from '../../../domain/fees/platforms.ts';
import { quantityMax } from '../../../domain/portfolio/fields.ts';
import { sumSales } from '../../../domain/portfolio/ledger.ts';
import { type SaleTerms, termFields } from '../../../domain/portfolio/sale-fields.ts';
import { versionOf } from '../../kit/edit-version.tsx';
import { Facts } from '../../kit/facts.tsx';
import { Choice, Field } from '../../kit/fields.tsx';
import { Figure, Figures } from '../../kit/figure.tsx';
import { gainText, inDollars, moneyText, percentText } from '../../kit/format.ts';
import { signClass } from '../../kit/money.tsx';
import { amountText, type TypedFields } from '../../kit/typed-fields.ts';

/** Terms that the form does not have: the payment method, and the share of shipping. */
const unknownTerms = { shippingCents: 0, payment: null };

/** The fields of each sale in a form; a suffix distinguishes the sales. */
const ownFields = ['quantity', 'gross', 'platform_fees', 'payment_fees', 'shipping'] as const;

/** Reads a sale. Empty fees have the value of the preset. */
export function readSaleTerms(fields: TypedFields, table: FeeTable, suffix = ''): SaleTerms {
  const platform = fields.word('platform', platforms);
  const saleDate = fields.pastDay('sale_date');
  const grossCents = fields.cents(`gross${suffix}`);
  const quantity = fields.whole(`quantity${suffix}`, { min: 1, max: quantityMax });
  const preset = saleFees(table, {
    platform,
    day: saleDate,
    paidCents: grossCents,
    quantity: Math.max(quantity, 1),
    ...unknownTerms,
  });
  return {
    platform,
    saleDate,
    grossCents,
    quantity,
    platformFeesCents: fields.centsOrNull(`platform_fees${suffix}`) ?? preset.platformFeesCents,
    paymentFeesCents: fields.centsOrNull(`payment_fees${suffix}`) ?? preset.paymentFeesCents,
    shippingCents: fields.centsOrNull(`shipping${suffix}`) ?? 0,
  };
}

/** Of all fields that the form can change. */
export function saleVersion(sale: SaleTerms & { readonly costCents: number | null }): string {
  return versionOf([...termFields.map(({ field }) => sale[field]), sale.costCents]);
}

/** A sale of a form, and the suffix of its fields. */
export interface TypedSale {
  readonly suffix: string;
  readonly terms: SaleTerms;
  /** The cost of its units; null if it is not known yet. */
  readonly costCents: number | null;
}

/** Texts that follow the input, by name, and the sign that colors them. */
export type LiveTexts = Readonly<Record<string, { readonly text: string; readonly sign?: number }>>;

/** The proceeds of sales, and the presets of empty fees. */
export interface SalePreview {
  readonly live: LiveTexts;
  /** By the name of the field. */
  readonly presets: Readonly<Record<string, string>>;
}

/** The proceeds of the sales of a form, without sales that are incomplete or invalid. */
export function previewOf(fields: TypedFields, sales: readonly TypedSale[]): SalePreview {
  const live: Record<string, { text: string; sign?: number }> = {};
  const presets: Record<string, string> = {};
  const typed = sales.filter(({ suffix }) => isTyped(fields, suffix));
  for (const sale of typed) {
    const { suffix, terms } = sale;
    presets[`platform_fees${suffix}`] = amountText(terms.platformFeesCents);
    presets[`payment_fees${suffix}`] = amountText(terms.paymentFeesCents);
    live[`fees${suffix}`] = { text: moneyText(feeTotal(terms)) };
    Object.assign(live, proceedsTexts([sale], suffix));
  }
  if (sales.length > 1 && typed.length > 0) Object.assign(live, proceedsTexts(typed, '_all'));
  return { live, presets };
}

/** Whether all fields of a sale are valid. */
function isTyped(fields: TypedFields, suffix: string): boolean {
  const { faults } = fields.typed;
  const names = ['platform', 'sale_date', ...ownFields.map((name) => name + suffix)];
  return names.every((name) => faults[name] === undefined);
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

/** The proceeds of one sale, or the total of all. */
export function LiveFigures({ live, suffix = '' }: { live: LiveTexts; suffix?: string }) {
  const names = [
    ['net', 'Net'],
    ['cost', 'Cost basis'],
    ['profit', 'Profit'],
    ['roi', 'ROI'],
  ] as const;
  return (
    <div class="sale-sum" role="status" aria-label="Sale totals">
      <Figures>
        {names.map(([name, title]) => (
          <Figure key={name} name={title} value={<Live name={name + suffix} live={live} />} />
        ))}
      </Figures>
    </div>
  );
}

type StartValues = Readonly<Record<string, string>>;

export function SaleWhere({ values }: { readonly values: StartValues }) {
  return (
    <>
      <Choice
        name="platform"
        label="Platform"
        options={platformChoices}
        value={values.platform ?? 'ebay'}
      />
      <Field
        name="sale_date"
        label="Sale date"
        type="date"
        value={values.sale_date ?? ''}
        isRequired
      />
    </>
  );
}

export function SaleFields(props: {
  readonly values: StartValues;
  readonly presets: SalePreview['presets'];
  readonly hasFocus?: boolean;
}) {
  const { values, presets, hasFocus = false } = props;
  return (
    <>
      <div class="form-grid sale-grid">
        <Field
          name="quantity"
          label="Quantity"
          value={values.quantity ?? '1'}
          inputmode="numeric"
          isRequired
        />
        <Field
          name="gross"
          label="Gross with shipping ($)"
          placeholder="0.00"
          isRequired
          hasFocus={hasFocus}
        />
        <SaleWhere values={values} />
      </div>
      <div class="form-grid sale-grid thirds">
        <Field
          name="platform_fees"
          label="Platform fees ($)"
          placeholder={presets.platform_fees ?? 'Preset'}
        />
        <Field
          name="payment_fees"
          label="Payment fees ($)"
          placeholder={presets.payment_fees ?? 'Preset'}
        />
        <Field name="shipping" label="Shipping cost ($)" placeholder="0.00" />
      </div>
    </>
  );
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
