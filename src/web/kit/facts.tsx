/** Facts and figures about one thing: names with their values. */
import type { ComponentChildren } from 'preact';

/** Null, false or empty if unknown. */
export type Fact = readonly [name: string, value: ComponentChildren];

/** A large number; the note is one line of detail. */
export type Figure = readonly [name: string, value: ComponentChildren, note?: ComponentChildren];

/** Facts as a list or a grid; those without a value are left out. */
export function Facts(props: { readonly facts: readonly Fact[]; readonly isGrid?: boolean }) {
  const { facts, isGrid = false } = props;
  return (
    <dl class={isGrid ? 'facts in-grid' : 'facts'}>
      {facts
        .filter(([, value]) => value || value === 0)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Figures; what is not there is left out. */
export function Figures(props: {
  readonly figures: readonly (Figure | false | null | undefined)[];
}) {
  const figures = props.figures.flatMap((figure) => (figure ? [figure] : []));
  return (
    <div class="figures">
      {figures.map(([name, value, note]) => (
        <div key={name}>
          <div class="quiet small">{name}</div>
          <div class="figure">{value}</div>
          {note && <div class="quiet small">{note}</div>}
        </div>
      ))}
    </div>
  );
}
