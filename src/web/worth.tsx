/** Cost, value and gain, as figures at the top of a page. */
import type { Gain } from '../domain/portfolio/holdings.ts';
import { Figure } from './figure.tsx';
import { gainPercentText, gainText, moneyText } from './show.ts';

/** What something cost, what it is worth, and the difference. */
export function WorthFigures({ worth }: { readonly worth: Gain }) {
  const { costCents, valueCents, gainCents } = worth;
  return (
    <div class="grid figures">
      <Figure name="Cost" value={moneyText(costCents)} />
      <Figure name="Value now" value={moneyText(valueCents)} />
      <Figure name="Gain" value={gainText(gainCents)} sign={gainCents} />
      <Figure name="Gain in percent" value={gainPercentText(worth)} sign={gainCents} />
    </div>
  );
}
