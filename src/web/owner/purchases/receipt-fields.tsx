/** The receipt of a purchase: its inputs, and how they are read. */

import { firstBrickfolio } from '../../../accounts/people/account.ts';
import type { Allotment } from '../../../buying/boxes/allot-cost.ts';
import type { Brickfolio } from '../../../portfolio/lots/brickfolios.ts';
import { type OwnerAction, pageSourceId } from '../../../portfolio/lots/own-lots.work.ts';
import { type PurchaseFacts, purchaseLimits } from '../../../portfolio/purchases/purchases.ts';
import { Choice, Field } from '../../kit/fields.tsx';
import { amountText, type FormReader } from '../../kit/form-reader.ts';
import type { OwnRequest, WebDeps } from '../../page.ts';
import { brickfolioOptions, readBrickfolio } from '../inventory/lot-form.ts';

/** The total is null if it is that of the prices. */
export type TypedReceipt = Pick<
  PurchaseFacts,
  'store' | 'purchaseDate' | 'taxCents' | 'shippingCents'
> & { readonly totalCents: number | null };

export function newReceipt({ today }: Pick<OwnRequest, 'today'>): TypedReceipt {
  return { store: null, purchaseDate: today, totalCents: null, taxCents: 0, shippingCents: 0 };
}

export function ReceiptFields(props: {
  readonly receipt: TypedReceipt;
  /** Null if the collection cannot be chosen. */
  readonly brickfolios: readonly Brickfolio[] | null;
}) {
  const { receipt, brickfolios } = props;
  const { store, purchaseDate, totalCents, taxCents, shippingCents } = receipt;
  return (
    <div class="form-grid">
      <Field
        name="store"
        label="Store or seller"
        value={store ?? ''}
        maxlength={purchaseLimits.store}
        placeholder="Optional"
      />
      <Field
        name="purchase_date"
        label="Purchase date"
        type="date"
        value={purchaseDate}
        isRequired
      />
      <Field
        name="total"
        label="Total paid ($)"
        value={amountText(totalCents)}
        hint="With tax and shipping. Not needed if every item has a price."
      />
      <Field
        name="tax"
        label="Sales tax in it ($)"
        value={amountText(taxCents || null)}
        placeholder="0.00"
      />
      <Field
        name="shipping"
        label="Shipping in it ($)"
        value={amountText(shippingCents || null)}
        placeholder="0.00"
      />
      {brickfolios && (
        <Choice
          name="brickfolio"
          label="Collection"
          value={String(brickfolios.find((each) => each.isDefault)?.id ?? '')}
          options={
            brickfolios.length === 0
              ? [['', `${firstBrickfolio} (new)`]]
              : brickfolioOptions(brickfolios)
          }
        />
      )}
    </div>
  );
}

export function readReceipt(fields: FormReader): TypedReceipt {
  return {
    store: fields.textOrNull('store', purchaseLimits.store),
    purchaseDate: fields.pastDay('purchase_date'),
    totalCents: fields.centsOrNull('total'),
    taxCents: fields.centsOrNull('tax') ?? 0,
    shippingCents: fields.centsOrNull('shipping') ?? 0,
  };
}

const problemTexts: Readonly<Record<Extract<Allotment, { problem: string }>['problem'], string>> = {
  'no total': 'Enter the total, or a price for every item.',
  'prices above total': 'The prices of single items leave nothing of the total for the others.',
  'tax above total': 'Tax and shipping are more than the total.',
};

export function refusedReceipt(problem: keyof typeof problemTexts) {
  return { refused: problemTexts[problem], field: 'total' };
}

/** The chosen or default collection, which may have to be created. */
export async function readPlace(deps: WebDeps, accountId: number, fields: FormReader) {
  const brickfolios = await deps.accounts.listBrickfolios(accountId);
  if (!fields.isBlank('brickfolio')) {
    return { name: readBrickfolio(fields, 'brickfolio', brickfolios)?.name ?? '', isNew: false };
  }
  const usual = brickfolios.find(({ isDefault }) => isDefault);
  return { name: usual?.name ?? firstBrickfolio, isNew: !usual };
}

/** Leads to a purchase that was just added. */
export async function goToPurchase({ accounts, accountId, formId }: OwnerAction) {
  const id = await accounts.findPurchaseId(accountId, pageSourceId(formId));
  return { goTo: id === null ? '/purchases' : `/purchases/${id}?did=added` };
}
