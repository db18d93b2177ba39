/** The search for sets, minifigs, own lots and pages; a script adds suggestions. */
import { Icon } from './icons.tsx';

/** The search form. With `isBrief`, the one in the bar, which `/` and Ctrl-K focus. */
export function SearchBox(props: {
  /** Unique in the page. */
  readonly id: string;
  readonly isBrief?: boolean;
  /** Whether to offer the scanner, which is for signed-in users. */
  readonly hasScanner?: boolean;
}) {
  const { id, isBrief = false, hasScanner = false } = props;
  return (
    <search class={isBrief ? 'find' : 'find wide'}>
      <form action="/market" class="combobox" data-combobox="/search.json" data-go="">
        <label class="visually-hidden" for={id}>
          Search sets, minifigs and pages
        </label>
        <input
          id={id}
          type="search"
          name="q"
          placeholder="Search"
          autocomplete="off"
          aria-keyshortcuts={isBrief ? '/ Control+K' : undefined}
        />
        {isBrief ? (
          <span class="kbd" aria-hidden="true">
            /
          </span>
        ) : (
          <button type="submit">Search</button>
        )}
        {hasScanner && (
          <a class="scan" href="/scan" aria-label="Scan barcodes">
            <Icon name="scan" />
          </a>
        )}
      </form>
    </search>
  );
}
