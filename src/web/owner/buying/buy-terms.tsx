/** Buying terms: their fields, and reading them. */

import type { BuyTerms } from '../../../buying/boxes/quotes.ts';
import { Field } from '../../kit/fields.tsx';
import { amountText, type FormReader } from '../../kit/form-reader.ts';

/** The limits of the terms, in percent. */
export const termLimits = {
  share: { min: 50, max: 95 },
  margin: { min: 0, max: 500 },
  tax: { min: 0, max: 30 },
  cashback: { min: 0, max: 90 },
  money: { min: 0, max: 100 },
} as const;

export const termNames = ['share', 'margin', 'tax', 'cashback', 'inbound', 'money'] as const;

/** Empty fields have the value of `start`; if a field is invalid, all of them have. */
export function readBuyTerms(fields: FormReader, start: BuyTerms): BuyTerms {
  const terms = readFields(fields, start);
  return fields.isGood ? terms : start;
}

function readFields(fields: FormReader, start: BuyTerms): BuyTerms {
  const { costs } = start;
  const share = (name: keyof typeof termLimits, otherwise: number) =>
    fields.basisPointsOrNull(name, termLimits[name]) ?? otherwise;
  return {
    share: share('share', Math.round(start.share * 10_000)) / 10_000,
    marginBasisPoints: share('margin', start.marginBasisPoints),
    moneyBasisPoints: share('money', start.moneyBasisPoints),
    costs: {
      taxBasisPoints: share('tax', costs.taxBasisPoints),
      cashbackBasisPoints: share('cashback', costs.cashbackBasisPoints),
      inboundCents: fields.centsOrNull('inbound') ?? costs.inboundCents,
    },
  };
}

type TermField = Readonly<Record<'label' | 'value' | 'hint', string>>;

export function BuyTermsFields(props: { readonly terms: BuyTerms; readonly inboundHint?: string }) {
  const { terms, inboundHint = 'Per unit received.' } = props;
  const { costs } = terms;
  const fields: Readonly<Record<(typeof termNames)[number], TermField>> = {
    share: {
      label: 'Chance of margin (%)',
      value: percentField(Math.round(terms.share * 10_000)),
      hint: 'Share of sales that earn it, 50 to 95.',
    },
    margin: {
      label: 'Margin on cost (%)',
      value: percentField(terms.marginBasisPoints),
      hint: '25% is $25 of profit on $100.',
    },
    tax: {
      label: 'Sales tax you pay (%)',
      value: percentField(costs.taxBasisPoints),
      hint: '0 with a resale certificate.',
    },
    cashback: {
      label: 'Cashback (%)',
      value: percentField(costs.cashbackBasisPoints),
      hint: 'On the price before tax.',
    },
    inbound: {
      label: 'Inbound shipping ($)',
      value: amountText(costs.inboundCents),
      hint: inboundHint,
    },
    money: {
      label: 'Cost of capital (%/yr)',
      value: percentField(terms.moneyBasisPoints),
      hint: 'On your cost, until it sells.',
    },
  };
  return (
    <>
      {termNames.map((name) => (
        <Field key={name} name={name} inputmode="decimal" {...fields[name]} />
      ))}
    </>
  );
}

export function percentField(basisPoints: number): string {
  return String(basisPoints / 100);
}
