/** A line so small that it stands in a row of a table. */
import { signClass } from './money.tsx';

/** How something went; nothing where there are fewer than two values. */
export function Sparkline(props: {
  readonly values: readonly (number | null)[];
  readonly label: string;
}) {
  const { values, label } = props;
  const known = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last || known.length < 2) return null;
  const amounts = known.map(({ value }) => value);
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
  // What moves by a percent is not drawn as if it had doubled.
  const height = Math.max(most - least, Math.abs(most) * 0.04, 1);
  const x = (index: number) => ((index - first.index) / (last.index - first.index)) * 96;
  const y = (value: number) => 22 - ((value - (least + most - height) / 2) / height) * 20;
  const points = known.map(({ value, index }) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`);
  const sign = Math.sign(last.value - first.value);
  return (
    <svg
      class={`sparkline ${signClass(sign)}`}
      viewBox="0 0 96 24"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={`M${points.join('L')}`} />
    </svg>
  );
}
