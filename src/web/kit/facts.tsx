/** What is known of one thing, name by name. */
import { type ComponentChildren, Fragment } from 'preact';

/** A name with what it stands for; null where there is nothing to say. */
export type Fact = readonly [name: string, value: ComponentChildren];

/** Facts below each other; those without a value are left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
