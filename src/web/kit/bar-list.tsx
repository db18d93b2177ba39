/** Amounts as horizontal bars, rendered on the server. */
import { Delta } from './money.tsx';

interface BarRow {
  readonly name: string;
  readonly cents: number;
}

/** Gains extend to the right of a common zero, losses to the left. */
export function BarList(props: { readonly label: string; readonly rows: readonly BarRow[] }) {
  const amounts = props.rows.map(({ cents }) => cents);
  const [least, most] = [Math.min(0, ...amounts), Math.max(0, ...amounts)];
  const share = (cents: number) => (cents / (most - least || 1)) * 100;
  return (
    <ul class="bar-list" aria-label={props.label}>
      {props.rows.map(({ name, cents }) => (
        <li key={name}>
          <span class="name">{name}</span>
          <svg aria-hidden="true">
            <rect
              class={cents < 0 ? 'loss' : 'gain'}
              x={`${share(Math.min(0, cents) - least).toFixed(2)}%`}
              width={`${share(Math.abs(cents)).toFixed(2)}%`}
              height="100%"
            />
          </svg>
          <Delta cents={cents} />
        </li>
      ))}
    </ul>
  );
}
