/** Sets as lists show them, with the way to their page. */

/** The page of a set. */
export function setPath(number: string): string {
  return `/sets/${encodeURIComponent(number)}`;
}

/** A set by its name, with its number below. */
export function SetLink(props: { readonly number: string; readonly title: string }) {
  const { number, title } = props;
  return (
    <span class="set-name">
      <a href={setPath(number)}>{title}</a>
      {title !== number && <span class="quiet"> {number}</span>}
    </span>
  );
}
