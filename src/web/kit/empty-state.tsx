/** Shown instead of an empty list: the reason and what to do. */
import type { ComponentChildren } from 'preact';
import type { Tab } from './layout.tsx';

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
