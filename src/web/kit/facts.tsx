/** What is known of one thing, name by name. */
import type { ComponentChildren } from 'preact';

/** A name with what it stands for; null or empty where there is nothing to say. */
export type Fact = readonly [name: string, value: ComponentChildren];

/** Facts below each other, or side by side; those without a value are left out. */
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
