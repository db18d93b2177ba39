/** Time zones: the field for one, and that of the browser. */

import { canonicalTimeZone } from '../../kernel/time-zone.ts';
import { Choice, type ChoiceOptions } from '../kit/fields.tsx';

/** Time zones, such as America/New_York, by region. */
export const timeZones: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')];
const groups = [...Map.groupBy(timeZones.slice(1), (name) => name.split('/')[0] ?? '')]
  .filter(([region]) => region !== 'UTC')
  .map(([region, names]) => ({
    label: region,
    options: names.map((name) => [name, name.replaceAll('_', ' ')] as const),
  }));

const utc = ['UTC', 'UTC'] as const;

/** `first` are options before all others; a value that is not listed is one of them. */
export function TimeZoneChoice(props: { readonly value: string; readonly first?: ChoiceOptions }) {
  const { value, first = [] } = props;
  const isListed = timeZones.includes(value) || first.some(([name]) => name === value);
  const options: ChoiceOptions = isListed ? [...first, utc] : [...first, utc, [value, value]];
  return (
    <Choice name="time_zone" label="Time zone" value={value} options={options} groups={groups} />
  );
}

/** Null if unknown. */
export function readTimeZone(cookies: string | null): string | null {
  const [, name = ''] = /(?:^|;\s*)brickmark_zone=([^;]*)/.exec(cookies ?? '') ?? [];
  return canonicalTimeZone(name);
}
