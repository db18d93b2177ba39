/** The form that filters a list, from a table of its filters. */
import type { ComponentChildren } from 'preact';
import { Choice, type ChoiceOptions, Field, isGood, QueryForm, type Typed } from './fields.tsx';

/** A filter: a select if it has options, otherwise a text field. */
export interface Filter {
  /** Its parameter in the address. */
  readonly name: string;
  readonly label: string;
  readonly options?: ChoiceOptions;
  /** A search field comes first, and is never folded away. */
  readonly type?: 'search' | 'date';
  readonly inputmode?: 'decimal' | 'numeric';
  readonly placeholder?: string;
  readonly maxlength?: number;
  /** The value that is used if there is none in the address. */
  readonly value?: string;
  /** Whether it is used rarely, and therefore under "More filters". */
  readonly isRare?: boolean;
  /** Whether it changes how the list is shown, not what is on it. */
  readonly isSetting?: boolean;
  /** Whether only tables have it: phones have a menu for it. */
  readonly isForTables?: boolean;
}

/** The form. On a phone, all but the search is folded away. */
export function FilterForm(props: {
  readonly action: string;
  readonly typed: Typed;
  readonly filters: readonly Filter[];
  /** Where filters are cleared; null if none is in use. */
  readonly clear: string | null;
  /** Parameters of the address that the form keeps. */
  readonly kept?: Readonly<Record<string, string | null>>;
  /** A description for screen readers. */
  readonly label?: string;
  readonly class?: string;
  /** Further fields under "More filters". */
  readonly children?: ComponentChildren;
}) {
  const { action, typed, filters, clear, kept = {}, label, children } = props;
  const searches = filters.filter(({ type }) => type === 'search');
  const common = filters.filter((filter) => !filter.isRare && filter.type !== 'search');
  const rare = filters.filter(({ isRare }) => isRare);
  const shown = [...searches, ...common].map(({ name }) => name);
  const isRareWrong = Object.keys(typed.faults).some((name) => !shown.includes(name));
  const rareCount = countUsed(typed, rare);
  return (
    <QueryForm
      action={action}
      class={props.class ? `filters ${props.class}` : 'filters'}
      label={label}
      typed={typed}
    >
      {Object.entries(kept).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <Fields filters={searches} />
      <details class="fold" open={!isGood(typed)}>
        <summary class="button plain">
          {countedText('Filters', countUsed(typed, common) + rareCount)}
        </summary>
        <Fields filters={common} />
        {(rare.length > 0 || children) && (
          <details class="more" open={isRareWrong || rareCount > 0}>
            <summary class="button plain">{countedText('More filters', rareCount)}</summary>
            <Fields filters={rare} />
            {children}
          </details>
        )}
      </details>
      <button type="submit" class="plain">
        Apply
      </button>
      {clear !== null && (
        <a class="clear" href={clear}>
          Clear filters
        </a>
      )}
    </QueryForm>
  );
}

function Fields({ filters }: { readonly filters: readonly Filter[] }) {
  return (
    <>
      {filters.map(({ isRare, isSetting, isForTables, options, ...filter }) => {
        const field = options ? <Choice {...filter} options={options} /> : <Field {...filter} />;
        return isForTables ? <div class="for-tables">{field}</div> : field;
      })}
    </>
  );
}

export function isFiltered(typed: Typed, filters: readonly Filter[]): boolean {
  return countUsed(typed, filters) > 0;
}

function countUsed({ values }: Typed, filters: readonly Filter[]): number {
  return filters.filter(
    ({ name, value = '', isSetting }) => !isSetting && (values[name] || value) !== value,
  ).length;
}

function countedText(label: string, count: number): string {
  return count > 0 ? `${label} (${count})` : label;
}
