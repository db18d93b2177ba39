/** The parts of a page: cards, badges, facts, figures, and what stands for an empty list. */
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
