/** The dialog of a purchase that is recorded on a device; its script fills and reads it. */
import { Choice, Field } from '../../kit/fields.tsx';
import { conditionChoices } from '../inventory/lot-form.ts';

/** The dialog of the scanner has the other names. */
export function PurchaseDialog() {
  return (
    <dialog class="dialog" data-buy aria-labelledby="buy-title">
      <form method="dialog" class="stack">
        <h2 id="buy-title">Add a purchase</h2>
        <p class="flush" data-name />
        <div class="form-grid">
          <Field name="bought_quantity" label="Quantity" inputmode="numeric" isRequired />
          <Field name="bought_price" label="Price per unit ($)" inputmode="decimal" isRequired />
          <Choice name="bought_condition" label="Condition" options={conditionChoices} />
          <Field name="bought_date" label="Purchase date" type="date" isRequired />
        </div>
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
