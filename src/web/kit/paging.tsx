/** Long lists, page by page. */

/** The page that is asked for, from 1 on; anything else is the first. */
export function pageOf(query: URLSearchParams): number {
  const text = query.get('page') ?? '';
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}

/** Where in the list one is, with the ways on. Nothing when there is one page. */
export function Paging(props: {
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  /** The address of a page. */
  readonly to: (page: number) => string;
}) {
  const { page, pageSize, total, to } = props;
  const last = Math.ceil(total / pageSize);
  if (last <= 1) return null;
  return (
    <nav class="paging" aria-label="Parts of the list">
      {page > 1 && (
        <a class="button plain" href={to(page - 1)} rel="prev">
          Back
        </a>
      )}
      <span>{`Page ${page} of ${last}`}</span>
      {page < last && (
        <a class="button plain" href={to(page + 1)} rel="next">
          On
        </a>
      )}
    </nav>
  );
}
