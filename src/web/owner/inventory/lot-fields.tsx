/** The fields of a lot besides its set. */
import type { Brickfolio } from '../../../domain/portfolio/brickfolio-store.ts';
import { Choice, Field } from '../../kit/fields.tsx';
import { amountText } from '../../kit/typed-fields.ts';
import { brickfolioOptions, conditionChoices, type LotTerms, statusChoices } from './lot-form.ts';

/** The fields, with what stands in them before anybody types. */
export function LotFields(props: {
  readonly quantityLabel: string;
  /** Without a price, none has to be entered; nor a date, where that is empty. */
  readonly lot: LotTerms & { readonly brickfolioId: number | null };
  /** Without any, there is nothing to choose. */
  readonly brickfolios: readonly Brickfolio[];
}) {
  const { quantityLabel, lot, brickfolios } = props;
  const { quantity, priceCents, condition, purchaseDate, brickfolioId, status } = lot;
  return (
    <div class="form-grid lot-grid">
      <Field
        name="quantity"
        label={quantityLabel}
        value={String(quantity)}
        inputmode="numeric"
        isRequired
      />
      <Field
        name="price"
        label="Price per unit ($)"
        value={priceCents === null ? '' : amountText(priceCents)}
        inputmode="decimal"
        isRequired={priceCents !== null}
      />
      <Choice name="condition" label="Condition" options={conditionChoices} value={condition} />
      <Field
        name="purchase_date"
        label="Purchase date"
        type="date"
        value={purchaseDate}
        isRequired={purchaseDate !== ''}
        {...(purchaseDate === '' && { hint: 'Unknown. Leave empty to keep it that way.' })}
      />
      {brickfolios.length > 0 && (
        <Choice
          name="brickfolio"
          label="Collection"
          options={brickfolioOptions(brickfolios)}
          value={String(brickfolioId)}
        />
      )}
      <Choice name="status" label="Status" options={statusChoices} value={status} />
    </div>
  );
}
