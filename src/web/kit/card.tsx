/** Cards and badges. */
import type { ComponentChildren } from 'preact';

/** A section of a page; `actions` are next to its heading. */
export function Card(props: {
  readonly title?: string;
  readonly actions?: ComponentChildren;
  readonly id?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  const { title, actions, children } = props;
  return (
    <section id={props.id} class={props.class ? `card ${props.class}` : 'card'}>
      {title && actions ? (
        <div class="heading">
          <h2>{title}</h2>
          {actions}
        </div>
      ) : (
        title && <h2>{title}</h2>
      )}
      {children}
    </section>
  );
}

/** A short label, such as Estimated or Listed. */
export function Badge(props: {
  readonly kind?: 'good' | 'bad' | 'warn';
  /** An explanation, as a tooltip. */
  readonly title?: string;
  readonly children: ComponentChildren;
}) {
  const { kind, title, children } = props;
  return (
    <span class={kind ? `badge ${kind}` : 'badge'} title={title}>
      {children}
    </span>
  );
}
