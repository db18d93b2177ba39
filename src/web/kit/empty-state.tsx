/** What is shown where there is nothing yet: the reason, and what to do. */
import type { ComponentChildren } from 'preact';

/** Somewhere to go. */
export interface Action {
  readonly href: string;
  readonly text: string;
}

/** Nothing to show; the first action is the one to take. */
export function EmptyState(props: {
  readonly title: string;
  readonly actions?: readonly Action[];
  readonly children?: ComponentChildren;
}) {
  const { title, actions = [], children } = props;
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children && <p class="quiet flush">{children}</p>}
      {actions.length > 0 && (
        <p class="row flush">
          {actions.map(({ href, text }, index) => (
            <a key={href} class={index === 0 ? 'button' : 'button plain'} href={href}>
              {text}
            </a>
          ))}
        </p>
      )}
    </div>
  );
}
