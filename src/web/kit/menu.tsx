/** Menus and dialogs. They work without script; with it, Escape or a click outside closes menus. */
import type { ComponentChildren } from 'preact';

/** A menu below its label. Its items are links, or forms with one button. */
export function Menu(props: {
  readonly label: ComponentChildren;
  /** The accessible name, if the label is not enough. */
  readonly name?: string;
  readonly look?: 'button primary' | 'button plain';
  readonly class?: string;
  readonly isLeft?: boolean;
  readonly children: ComponentChildren;
}) {
  const { label, name, look, isLeft = false, children } = props;
  const classes = ['menu', props.class, isLeft && 'left'].filter(Boolean).join(' ');
  return (
    <details class={classes}>
      <summary class={look} aria-label={name}>
        {label}
      </summary>
      <div class="menu-items">{children}</div>
    </details>
  );
}

export function Dialog(props: {
  /** Unique in the page. */
  readonly id: string;
  readonly title: string;
  readonly trigger: ComponentChildren;
  readonly look?: 'plain' | 'link' | 'danger';
  readonly children: ComponentChildren;
}) {
  const { id, title, trigger, look = 'plain', children } = props;
  return (
    <>
      <button type="button" class={look} popovertarget={id}>
        {trigger}
      </button>
      <div id={id} popover="auto" class="dialog" role="dialog" aria-labelledby={`${id}-title`}>
        <div class="heading">
          <h2 id={`${id}-title`}>{title}</h2>
          <button
            type="button"
            class="plain"
            popovertarget={id}
            popovertargetaction="hide"
            aria-label="Close"
          >
            ✕
          </button>
        </div>
        {children}
      </div>
    </>
  );
}
