/** A number that a page begins with, and what it is. */
import type { ComponentChildren } from 'preact';

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
