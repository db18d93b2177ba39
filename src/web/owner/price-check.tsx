/** Asks whether a price that is far from the market value is right. */
import { findPriceQuestions } from '../../accounts/price-questions.ts';
import type { UnitPrice } from '../../domain/portfolio/price-question.ts';
import type { WebDeps } from '../deps.ts';
import { useTyped } from '../kit/fields.tsx';
import { inDollars } from '../kit/format.ts';
import type { TypedFields } from '../kit/typed-fields.ts';

/** A price of a form, and the name of its field. */
export interface FieldPrice extends UnitPrice {
  readonly name: string;
}

const sureName = 'sure';

/**
 * Sets errors for prices that are far from the market value, unless exactly these were confirmed.
 * Returns the value that confirms them; null if there are none.
 */
export async function checkPrices(
  { portfolio }: Pick<WebDeps, 'portfolio'>,
  fields: TypedFields,
  prices: readonly FieldPrice[],
): Promise<string | null> {
  const questions = await findPriceQuestions(portfolio.market, prices);
  const open = prices.filter((_, index) => questions[index] !== null);
  if (open.length === 0) return null;
  const sure = open.map(({ name, cents }) => `${name}=${cents}`).join();
  if (fields.form.text(sureName) === sure) return sure;
  prices.forEach(({ name }, index) => {
    const question = questions[index];
    if (question) fields.fail(name, `${inDollars(question)}. Is it right?`);
  });
  return sure;
}

/** Confirms the questioned prices of a form. */
export function SurePrice({ sure }: { readonly sure: string | null }) {
  const isTicked = useTyped().values[sureName] === sure;
  if (sure === null) return null;
  const text = sure.includes(',') ? 'These prices are right' : 'The price is right';
  return (
    <label class="tick">
      <input type="checkbox" name={sureName} value={sure} checked={isTicked} />
      {text}
    </label>
  );
}
