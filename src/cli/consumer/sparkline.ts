/** A line of small bars: how a value moved, in the height of one line of text. */

const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** What is drawn where all values are the same, which is neither low nor high. */
const level = '▄';

/**
 * Values from the first to the last, the lowest as the lowest bar, the highest as the highest.
 * What is not known is a gap. More values than the line is wide are averaged, several to a bar.
 */
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

/** At most so many values; each stands for about as many as any other. */
function averaged(values: readonly (number | null)[], count: number): (number | null)[] {
  if (values.length <= count) return [...values];
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * values.length) / count);
    const to = Math.floor(((index + 1) * values.length) / count);
    const known = values.slice(from, to).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value) / known.length;
  });
}
