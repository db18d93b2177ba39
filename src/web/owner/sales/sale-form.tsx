/** The fields of a sale, and how they are read. */

import type { SaleTerms } from '../../../accounts/own-sales.ts';
import { type FeeTable, feesOn } from '../../../domain/fees/fee-table.ts';
import { feeText } from '../../../domain/fees/fee-text.ts';
import { saleFees } from '../../../domain/fees/platform-fees.ts';
import { platformChoices, platformNames, platforms } from '../../../domain/fees/platforms.ts';
import { centsMax } from '../../../domain/kernel/money.ts';
import { looseMoney } from '../../../ingest/loose.ts';
import { versionOf } from '../../kit/edit-version.tsx';
import { Choice, Field, type Typed } from '../../kit/fields.tsx';
import { amountText, type TypedFields } from '../../kit/typed-fields.ts';
import { quantityMax } from '../inventory/lot-form.ts';

/** What the form does not ask: how it was paid, and how much of it was for shipping. */
const unknownTerms = { shippingCents: 0, payment: null };

/** Reads a sale. Fees that are left out are those of the presets. */
export function readSaleTerms(fields: TypedFields, table: FeeTable): SaleTerms {
  const platform = fields.word('platform', platforms);
  const saleDate = fields.pastDay('sale_date');
  const grossCents = fields.cents('gross');
  const quantity = fields.whole('quantity', { min: 1, max: quantityMax });
  const preset = saleFees(table, {
    platform,
    day: saleDate,
    paidCents: grossCents,
    quantity: Math.max(quantity, 1),
    ...unknownTerms,
  });
  const terms = {
    platform,
    saleDate,
    grossCents,
    quantity,
    platformFeesCents: fields.centsOrNull('platform_fees') ?? preset.platformFeesCents,
    paymentFeesCents: fields.centsOrNull('payment_fees') ?? preset.paymentFeesCents,
    shippingCents: fields.centsOrNull('shipping') ?? 0,
  };
  return terms;
}

/** The mark of what can be changed in a sale. */
export function saleVersion(sale: SaleTerms & { readonly costCents: number | null }): string {
  const { platform, saleDate, quantity, grossCents, shippingCents, costCents } = sale;
  const { platformFeesCents, paymentFeesCents } = sale;
  return versionOf([
    platform,
    saleDate,
    quantity,
    grossCents,
    platformFeesCents,
    paymentFeesCents,
    shippingCents,
    costCents,
  ]);
}

/** The preset fees of a sale that is being typed; empty while it cannot be told. */
export function typedFees(
  query: URLSearchParams,
  table: FeeTable,
): Readonly<Record<string, string>> {
  const platform = platforms.find((each) => each === query.get('platform'));
  const { cents = -1, currency = null } = looseMoney(query.get('gross') ?? '') ?? {};
  const isPrice = cents >= 0 && cents <= centsMax && (currency ?? 'USD') === 'USD';
  if (!platform || !isPrice) return {};
  const quantity = Number(query.get('quantity'));
  const fees = saleFees(table, {
    platform,
    day: query.get('sale_date') ?? '',
    paidCents: cents,
    quantity: quantity >= 1 && quantity <= quantityMax ? Math.floor(quantity) : 1,
    ...unknownTerms,
  });
  return {
    platform_fees: amountText(fees.platformFeesCents),
    payment_fees: amountText(fees.paymentFeesCents),
  };
}

/** The fields. */
export function SaleFields(props: {
  readonly typed: Typed;
  /** What stands in a field before anybody types. */
  readonly values: Readonly<Record<string, string>>;
}) {
  const { typed, values } = props;
  const common = { typed, inputmode: 'decimal' as const };
  return (
    <div class="form-grid" data-fees="/sales/fees">
      <Field
        name="quantity"
        label="Units sold"
        typed={typed}
        value={values.quantity ?? '1'}
        inputmode="numeric"
        isRequired
      />
      <Choice
        name="platform"
        label="Sold on"
        options={platformChoices}
        typed={typed}
        value={values.platform ?? 'ebay'}
      />
      <Field
        name="sale_date"
        label="Day of the sale"
        type="date"
        typed={typed}
        value={values.sale_date ?? ''}
        isRequired
      />
      <Field
        {...common}
        name="gross"
        label="The buyer paid, $"
        isRequired
        value={values.gross ?? ''}
        hint="For all units together."
      />
      <Field
        {...common}
        name="platform_fees"
        label="Platform fees, $"
        value={values.platform_fees ?? ''}
        hint="Empty: the preset."
      />
      <Field
        {...common}
        name="payment_fees"
        label="Payment fees, $"
        value={values.payment_fees ?? ''}
        hint="Empty: the preset."
      />
      <Field
        {...common}
        name="shipping"
        label="Shipping cost you, $"
        value={values.shipping ?? ''}
        hint="Empty: nothing."
      />
    </div>
  );
}

/** What the presets are, and that they are no more than that. */
export function Presets({ table, day }: { readonly table: FeeTable; readonly day: string }) {
  return (
    <details>
      <summary>What the presets are</summary>
      <p class="quiet">
        Published fees as of {day} for standard sellers in the United States, or your own rates if
        you set any in <a href="/account/buying">Buying settings</a>. If you were charged something
        else, enter that.
      </p>
      <dl class="facts">
        {platforms.map((platform) => (
          <>
            <dt>{platformNames[platform]}</dt>
            <dd>{feeText(feesOn(table, platform, day))}</dd>
          </>
        ))}
      </dl>
    </details>
  );
}
