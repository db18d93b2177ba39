/** The head of a table whose rows can be opened: words, then numbers, then the way in. */

/** The names of the columns. */
export function TableHead({
  words,
  numbers,
}: {
  readonly words: readonly string[];
  readonly numbers: readonly string[];
}) {
  return (
    <thead>
      <tr>
        {words.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
        {numbers.map((name) => (
          <th key={name} scope="col" class="number">
            {name}
          </th>
        ))}
        <th scope="col">
          <span class="visually-hidden">Open</span>
        </th>
      </tr>
    </thead>
  );
}
