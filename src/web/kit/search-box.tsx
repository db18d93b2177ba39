/** The field that sets and minifigs are searched with; suggestions come with a script. */

/** A form that searches. With `isBrief` its button is only there for those who need it. */
export function SearchBox(props: {
  /** Unique in the page. */
  readonly id: string;
  readonly typed?: string;
  readonly isBrief?: boolean;
}) {
  const { id, typed = '', isBrief = false } = props;
  return (
    <search class={isBrief ? 'find' : 'find wide'}>
      <form action="/search">
        <label class="visually-hidden" for={id}>
          Search sets and minifigs
        </label>
        <input
          id={id}
          type="search"
          name="q"
          value={typed}
          placeholder="Set, minifig or barcode"
          autocomplete="off"
          data-suggest="/search.json"
        />
        {!isBrief && <button type="submit">Search</button>}
      </form>
    </search>
  );
}
