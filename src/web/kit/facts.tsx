/** Facts about one thing. */
import type { ComponentChildren } from 'preact';

/** A name with its value; null or empty if unknown. */
export type Fact = readonly [name: string, value: ComponentChildren];

/** Facts as a list or a grid; those without a value are left out. */
export function Facts(props: { readonly facts: readonly Fact[]; readonly isGrid?: boolean }) {
  const { facts, isGrid = false } = props;
  return (
    <dl class={isGrid ? 'facts in-grid' : 'facts'}>
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
