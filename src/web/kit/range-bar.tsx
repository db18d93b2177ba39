/** Where a value lies in its range, and other amounts beside it. */
import { moneyText } from '../../domain/kernel/format.ts';

/** An amount to compare with, such as the list price. */
export interface RangeMark {
  readonly cents: number;
  readonly name: string;
}

/** A bar from the low to the high end of a range, with the value and marks on it. */
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
  const at = (cents: number) =>
    `${(((cents - least + room) / (most - least + 2 * room)) * 100).toFixed(1)}%`;
  const width = `${(((highCents - lowCents) / (most - least + 2 * room)) * 100).toFixed(1)}%`;
  const label = [
    `${moneyText(lowCents)} to ${moneyText(highCents)}, value ${moneyText(valueCents)}`,
    ...marks.map(({ name, cents }) => `${name} ${moneyText(cents)}`),
  ].join('; ');
  return (
    <svg class="range-bar" role="img" aria-label={label}>
      <rect class="whole" x="0" y="18" width="100%" height="8" rx="4" />
      <rect class="span" x={at(lowCents)} y="18" width={width} height="8" rx="4" />
      <circle class="value" cx={at(valueCents)} cy="22" r="7" />
      <text x={at(lowCents)} y="40" text-anchor="middle">
        {moneyText(lowCents)}
      </text>
      <text x={at(highCents)} y="40" text-anchor="middle">
        {moneyText(highCents)}
      </text>
      {marks.map(({ cents, name }) => (
        <g key={name}>
          <title>{`${name} ${moneyText(cents)}`}</title>
          <line class="mark" x1={at(cents)} x2={at(cents)} y1="14" y2="30" />
          <text x={at(cents)} y="10" text-anchor="middle">
            {name}
          </text>
        </g>
      ))}
    </svg>
  );
}
