/** The head of a table. */

/** The names of the columns; those of numbers stand at the right. */
export function TableHead(props: {
  readonly columns: readonly string[];
  /** Which of them hold numbers. */
  readonly numbers?: readonly string[];
  /** What the end of each row is for, said to those who cannot see it. */
  readonly action?: string;
}) {
  const { columns, numbers = [], action } = props;
  return (
    <thead>
      <tr>
        {columns.map((name) => (
          <th key={name} scope="col" class={numbers.includes(name) ? 'number' : undefined}>
            {name}
          </th>
        ))}
        {action && (
          <th scope="col">
            <span class="visually-hidden">{action}</span>
          </th>
        )}
      </tr>
    </thead>
  );
}
