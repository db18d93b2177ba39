/** A number that a page begins with, and what it is. */
import type { ComponentChildren } from 'preact';
import { gainText, moneyText } from '../../domain/kernel/format.ts';
import type { Gain } from '../../domain/portfolio/holdings.ts';
import { gainPercentText } from './format.ts';

/** One number in a card of its own. */
export function Figure(props: {
  readonly name: string;
  readonly value: string;
  /** Colours it as a gain or a loss, by its sign. */
  readonly sign?: number;
  readonly children?: ComponentChildren;
}) {
  const { name, value, sign = 0, children } = props;
  return (
    <section class="card">
      <div class="figure-name">{name}</div>
      <div class={`figure ${signClass(sign)}`}>{value}</div>
      {children}
    </section>
  );
}

/** The class of a gain, a loss, or neither. */
export function signClass(sign: number): string {
  return sign > 0 ? 'gain' : sign < 0 ? 'loss' : '';
}

/** What something cost, what it is worth, and the difference. */
export function ValueFigures({ gain }: { readonly gain: Gain }) {
  const { costCents, valueCents, gainCents } = gain;
  return (
    <div class="grid figures">
      <Figure name="Cost" value={moneyText(costCents)} />
      <Figure name="Value now" value={moneyText(valueCents)} />
      <Figure name="Gain" value={gainText(gainCents)} sign={gainCents} />
      <Figure name="Gain in percent" value={gainPercentText(gain)} sign={gainCents} />
    </div>
  );
}
