/** The terms on which somebody buys: how they are read, and the fields they are typed in. */

import type { BuyTerms } from '../domain/buying/resale.ts';
import { Field, type Typed } from './fields.tsx';
import { amountText, type TypedFields } from './typed-fields.ts';

/** What the terms may be, in percent. */
const limits = {
  share: { min: 50, max: 95 },
  margin: { min: 0, max: 500 },
  tax: { min: 0, max: 30 },
  cashback: { min: 0, max: 90 },
};

/** The names of the fields, to keep them from one page to the next. */
export const termNames = ['share', 'margin', 'tax', 'cashback', 'inbound'] as const;

/** Reads the terms. What is left empty is as at the start; all of it, where a field is wrong. */
export function readBuyTerms(fields: TypedFields, start: BuyTerms): BuyTerms {
  const terms = readFields(fields, start);
  return fields.isGood ? terms : start;
}

function readFields(fields: TypedFields, start: BuyTerms): BuyTerms {
  const { costs } = start;
  const share = (name: keyof typeof limits, otherwise: number) =>
    fields.isBlank(name) ? otherwise : fields.basisPoints(name, limits[name]);
  return {
    ...start,
    share: share('share', Math.round(start.share * 10_000)) / 10_000,
    marginBasisPoints: share('margin', start.marginBasisPoints),
    costs: {
      taxBasisPoints: share('tax', costs.taxBasisPoints),
      cashbackBasisPoints: share('cashback', costs.cashbackBasisPoints),
      inboundCents: fields.centsOrNull('inbound') ?? costs.inboundCents,
    },
  };
}

/** The fields of the terms. */
export function BuyTermsFields(props: {
  readonly typed: Typed;
  /** What holds where nothing was typed. */
  readonly terms: BuyTerms;
}) {
  const { typed, terms } = props;
  const { costs } = terms;
  const common = { typed, inputmode: 'decimal' as const };
  return (
    <>
      <Field
        {...common}
        name="share"
        label="Confidence, %"
        value={String(Math.round(terms.share * 10_000) / 100)}
        hint="50 to 95: higher is safer."
      />
      <Field
        {...common}
        name="margin"
        label="Margin on cost, %"
        value={String(terms.marginBasisPoints / 100)}
      />
      <Field
        {...common}
        name="tax"
        label="Sales tax you pay, %"
        value={String(costs.taxBasisPoints / 100)}
        hint="0 with a resale certificate."
      />
      <Field
        {...common}
        name="cashback"
        label="Cashback, %"
        value={String(costs.cashbackBasisPoints / 100)}
      />
      <Field
        {...common}
        name="inbound"
        label="Inbound shipping, $"
        value={amountText(costs.inboundCents)}
        hint="Per unit, to you."
      />
    </>
  );
}
