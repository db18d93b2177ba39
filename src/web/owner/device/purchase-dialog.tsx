/** The dialog of a purchase that is recorded on a device; its script fills and reads it. */
import { Choice, Field } from '../../kit/fields.tsx';
import { conditionChoices } from '../inventory/lot-form.ts';

/** The date is today in `timeZone`; by default, in that of the device. */
export function PurchaseDialog({ timeZone = '' }: { readonly timeZone?: string }) {
  return (
    <dialog class="dialog" data-buy={timeZone} aria-labelledby="buy-title">
      <form method="dialog" class="stack">
        <h2 id="buy-title">Add a purchase</h2>
        <p class="flush" data-name />
        <div class="form-grid">
          <Field name="quantity" label="Quantity" inputmode="numeric" maxlength={4} isRequired />
          <Field name="price" label="Price per unit ($)" maxlength={12} />
          <Choice name="condition" label="Condition" options={conditionChoices} />
          <Field name="date" label="Purchase date" type="date" isRequired />
        </div>
        <p class="quiet small flush" data-estimated>
          Without a price, the list price is used and marked as estimated.
        </p>
        <p class="fault flush" data-problem role="alert" />
        <p class="row flush">
          <button type="submit" value="add">
            Add purchase
          </button>
          <button type="submit" class="plain" formnovalidate>
            Cancel
          </button>
        </p>
      </form>
    </dialog>
  );
}
