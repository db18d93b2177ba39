/** A small line chart for a table cell. */
import { signClass } from './money.tsx';

/** The coordinates are small whole numbers to keep paths short; the style sheet scales them. */
const width = 54;
const height = 40;

/** A sparkline; nothing for fewer than two values. */
export function Sparkline(props: {
  readonly values: readonly (number | null)[];
  readonly label: string;
}) {
  const known = props.values.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last || known.length < 2) return null;
  const amounts = known.map(({ value }) => value);
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
  // A change of a percent must not look like a doubling.
  const range = Math.max(most - least, Math.abs(most) * 0.04, 1);
  const points = known.map(({ value, index }) => ({
    x: Math.round(((index - first.index) / (last.index - first.index)) * width),
    y: Math.round(height - ((value - (least + most - range) / 2) / range) * height),
  }));
  const sign = Math.sign(last.value - first.value);
  return (
    <svg class={`spark ${signClass(sign)}`} role="img" aria-label={props.label}>
      <path d={pathOf(points)} />
    </svg>
  );
}

/** A path in relative steps, which are half as long as positions. */
function pathOf(points: readonly { readonly x: number; readonly y: number }[]): string {
  let path = '';
  let at = { x: 0, y: 0 };
  for (const point of points) {
    const [x, y] = [point.x - at.x, point.y - at.y];
    path += `${path === '' ? 'm' : ' '}${x}${y < 0 ? '' : ' '}${y}`;
    at = point;
  }
  return path;
}
