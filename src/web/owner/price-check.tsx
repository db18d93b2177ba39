/** Asks whether a price that is far from the market value is right. */

import type { UnitPrice } from '../../portfolio/lots/price-question.ts';
import { findPriceQuestions } from '../../portfolio/lots/price-questions.work.ts';
import { useTyped } from '../kit/fields.tsx';
import { type FormReader, versionOf } from '../kit/form-reader.ts';
import { inDollars, nounText } from '../kit/format.ts';
import type { WebDeps } from '../page.ts';

export interface FieldPrice extends UnitPrice {
  readonly name: string;
  /** The item, if the field is not about one alone. */
  readonly of?: string;
}

const sureName = 'sure';

/**
 * Sets errors for prices that are far from the market value, unless exactly these were confirmed.
 * Returns the value that confirms them; null if there are none.
 */
export async function checkPrices(
  { portfolio }: Pick<WebDeps, 'portfolio'>,
  fields: FormReader,
  prices: readonly FieldPrice[],
): Promise<string | null> {
  const questions = await findPriceQuestions(portfolio.market, prices);
  const open = prices.filter((_, index) => questions[index] !== null);
  if (open.length === 0) return null;
  const sure = sureOf(open);
  if (fields.form.text(sureName) === sure) return sure;
  const texts = prices.flatMap(({ name, of }, index) => {
    const question = questions[index];
    if (!question) return [];
    const text = inDollars(question);
    return [{ name, text: of === undefined ? text : `${of}: ${text}` }];
  });
  for (const [name, about] of Map.groupBy(texts, (each) => each.name)) {
    fields.fail(name, questionText(about.map(({ text }) => text)));
  }
  return sure;
}

/** The maximum length of a confirmation that contains the prices themselves. */
const sureLengthMax = 200;

function sureOf(prices: readonly FieldPrice[]): string {
  const text = prices.map(({ name, cents }) => `${name}=${cents}`).join();
  return text.length <= sureLengthMax ? text : `${prices.length},${versionOf([text])}`;
}

/** The maximum number of questions about one field that are asked in full. */
const questionsMax = 3;

function questionText(questions: readonly string[]): string {
  const more = questions.length - questionsMax;
  const texts = questions.slice(0, questionsMax);
  const rest = more > 0 ? ` So are ${nounText(more, 'other item')}.` : '';
  const isIt = questions.length === 1 ? 'Is it right?' : 'Are they right?';
  return `${texts.join('. ')}.${rest} ${isIt}`;
}

export function SurePrice({ sure }: { readonly sure: string | null }) {
  const isTicked = useTyped().values[sureName] === sure;
  if (sure === null) return null;
  return (
    <label class="tick">
      <input type="checkbox" name={sureName} value={sure} checked={isTicked} />
      {sure.includes(',') ? 'These prices are right' : 'The price is right'}
    </label>
  );
}
