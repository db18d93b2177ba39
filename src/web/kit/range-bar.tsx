/** A value in its range, with other amounts to compare. */
import { moneyText } from './format.ts';

/** An amount to compare with, such as the list price. */
export interface RangeMark {
  readonly cents: number;
  readonly name: string;
}

export function RangeBar(props: {
  readonly lowCents: number;
  readonly valueCents: number;
  readonly highCents: number;
  readonly marks?: readonly RangeMark[];
}) {
  const { lowCents, valueCents, highCents, marks = [] } = props;
  const all = [lowCents, valueCents, highCents, ...marks.map(({ cents }) => cents)];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const room = (most - least) * 0.08 || 1;
  const share = (cents: number) => (cents / (most - least + 2 * room)) * 100;
  const at = (cents: number) => `${share(cents - least + room).toFixed(1)}%`;
  const width = `${share(highCents - lowCents).toFixed(1)}%`;
  const word = (cents: number, y: number, text: string) => (
    <text key={text} x={at(cents)} y={y} text-anchor={anchorOf(share(cents - least + room), text)}>
      {text}
    </text>
  );
  const label = [
    `${moneyText(lowCents)} to ${moneyText(highCents)}, value ${moneyText(valueCents)}`,
    ...marks.map(({ name, cents }) => `${name} ${moneyText(cents)}`),
  ].join('; ');
  return (
    <svg class="range-bar" role="img" aria-label={label}>
      <rect class="whole" x="0" y="18" width="100%" height="8" rx="4" />
      <rect class="span" x={at(lowCents)} y="18" width={width} height="8" rx="4" />
      <circle class="value" cx={at(valueCents)} cy="22" r="7" />
      {word(lowCents, 40, moneyText(lowCents))}
      {word(highCents, 40, moneyText(highCents))}
      {marks.map(({ cents, name }) => (
        <g key={name}>
          <title>{`${name} ${moneyText(cents)}`}</title>
          <line class="mark" x1={at(cents)} x2={at(cents)} y1="14" y2="30" />
        </g>
      ))}
      {labelsOf(marks, (cents) => share(cents) < closeShare).map(({ cents, name }) =>
        word(cents, 10, name),
      )}
    </svg>
  );
}

/** The width of a letter and the least distance between two labels on a phone, in percent. */
const letterShare = 1.8;
const closeShare = 18;

/** Labels near an end of the bar stay inside of it. */
function anchorOf(share: number, text: string): 'start' | 'middle' | 'end' {
  const half = (text.length * letterShare) / 2;
  if (share < half) return 'start';
  return share > 100 - half ? 'end' : 'middle';
}

/** The labels of marks from left to right; labels that would overlap are merged. */
function labelsOf(marks: readonly RangeMark[], isClose: (cents: number) => boolean) {
  const labels: RangeMark[] = [];
  for (const mark of marks.toSorted((a, b) => a.cents - b.cents)) {
    const last = labels.at(-1);
    if (last === undefined || !isClose(mark.cents - last.cents)) labels.push(mark);
    else {
      const name = `${last.name}, ${mark.name.toLowerCase()}`;
      labels.splice(-1, 1, { cents: (last.cents + mark.cents) / 2, name });
    }
  }
  return labels;
}
