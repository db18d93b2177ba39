/** Cards, badges, and what is shown instead of an empty list. */
import type { ComponentChildren } from 'preact';
import type { Tab } from './layout.tsx';

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

/** An empty state; its first action is the main one. */
export function EmptyState(props: {
  readonly title: string;
  readonly actions?: readonly Tab[];
  readonly children?: ComponentChildren;
}) {
  const { title, actions = [], children } = props;
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children && <p class="quiet flush">{children}</p>}
      {actions.length > 0 && (
        <p class="row flush">
          {actions.map(([href, text], index) => (
            <a key={href} class={index === 0 ? 'button' : 'button plain'} href={href}>
              {text}
            </a>
          ))}
        </p>
      )}
    </div>
  );
}
