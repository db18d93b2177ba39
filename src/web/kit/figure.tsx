/** Figures: large numbers with their names. */
import type { ComponentChildren } from 'preact';

export function Figure(props: {
  readonly name: string;
  readonly value: ComponentChildren;
  /** One line of detail. */
  readonly note?: ComponentChildren;
}) {
  const { name, value, note } = props;
  return (
    <div>
      <div class="quiet small">{name}</div>
      <div class="figure">{value}</div>
      {note && <div class="quiet small">{note}</div>}
    </div>
  );
}

export function Figures({ children }: { readonly children: ComponentChildren }) {
  return <div class="figures">{children}</div>;
}
