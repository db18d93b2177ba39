/** Segmented controls and tabs. */

export interface Segment {
  readonly href: string;
  readonly text: string;
  readonly isCurrent: boolean;
  /** The start of a part of a chart, in milliseconds, which a script can show without loading. */
  readonly from?: number;
}

/** A segmented control for views of one thing, such as date ranges. */
export function Segments(props: { readonly label: string; readonly choices: readonly Segment[] }) {
  return <Links {...props} look="segments" current="true" />;
}

export function Tabs(props: { readonly label: string; readonly choices: readonly Segment[] }) {
  return <Links {...props} look="tabs" current="page" />;
}

function Links(props: {
  readonly label: string;
  readonly choices: readonly Segment[];
  readonly look: 'segments' | 'tabs';
  readonly current: 'true' | 'page';
}) {
  const { label, choices, look, current } = props;
  return (
    <nav class={look} aria-label={label}>
      {choices.map(({ href, text, isCurrent, from }) => (
        <a
          key={text}
          href={href}
          aria-current={isCurrent ? current : undefined}
          data-from={from === undefined ? undefined : Math.floor(from / 1000)}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}
