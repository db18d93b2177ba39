/** Sparklines: a series of values in one line of text. */

const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** Drawn if all values are equal. */
const level = '▄';

/** Scaled from the lowest to the highest value; unknown values are gaps. */
export function sparkline(values: readonly (number | null)[], width: number): string {
  const drawn = averaged(values, width);
  const known = drawn.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  return drawn
    .map((value) => {
      if (value === null) return ' ';
      if (high === low) return level;
      return bars[Math.round(((value - low) / (high - low)) * (bars.length - 1))];
    })
    .join('');
}

/** Averages neighboring values if there are more than `count`. */
function averaged(values: readonly (number | null)[], count: number): (number | null)[] {
  if (values.length <= count) return [...values];
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * values.length) / count);
    const to = Math.floor(((index + 1) * values.length) / count);
    const known = values.slice(from, to).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value) / known.length;
  });
}
