/** The fixed items of test keys, and the numbers that force an error or a delay. */

import { itemKey } from '../../catalog/items/numbers.ts';
import { type MinifigRecord, minifigExample } from '../../contract/minifig.ts';
import { type SetRecord, setExample } from '../../contract/set.ts';
import { secondMs } from '../../kernel/time.ts';

/** A retired set with all fields, one that is on sale, and one about which little is known. */
export const testSets: readonly SetRecord[] = [
  setExample,
  {
    ...setExample,
    set_number: '10483',
    title: 'Harbour Ferry',
    pieces: 642,
    minifigs_count: 1,
    minifigs: ['coa0012'],
    barcodes: { upc: '673419000024', ean: '5702000000022' },
    msrp_usd: 59.99,
    release_date: '2026-01-01',
    retire_date: null,
    status_id: 2,
    data_tier: 'medium',
    image_url: null,
    new_value_usd: 58.1,
    used_value_usd: 41.5,
    value_range: { low: 49.3, high: 66.9, calculated_at: '2026-11-15T06:00:00.000Z' },
    retailers: [],
  },
  {
    ...setExample,
    set_number: '10484',
    title: 'Harbour Keychain',
    subtheme: null,
    pieces: null,
    minifigs_count: 0,
    minifigs: [],
    barcodes: { upc: null, ean: null },
    msrp_usd: null,
    release_date: null,
    retire_date: null,
    status_id: 2,
    data_tier: 'modeled',
    image_url: null,
    new_value_usd: null,
    used_value_usd: null,
    value_range: null,
    retailers: [],
    box: { width_in: null, height_in: null, depth_in: null, weight_lbs: null },
  },
];

/** One with a value, and one without. */
export const testMinifigs: readonly MinifigRecord[] = [
  minifigExample,
  {
    ...minifigExample,
    minifig_number: 'coa0012',
    name: 'Ferry Captain',
    current_value_usd: null,
    value_range: null,
    set_count: 2,
    sets: ['10482', '10483'],
  },
];

export function findTestSet(number: string): SetRecord | null {
  const key = itemKey('set', number);
  // The slow number is another name of the first set.
  if (key === forcedNumbers.slow) return testSets[0] ?? null;
  return testSets.find(({ set_number }) => itemKey('set', set_number) === key) ?? null;
}

export function findTestMinifig(number: string): MinifigRecord | null {
  const key = itemKey('minifig', number);
  return testMinifigs.find((row) => itemKey('minifig', row.minifig_number) === key) ?? null;
}

/** Sent anywhere in a request, each forces its outcome. */
export const forcedNumbers = { quota: '99429', failure: '99500', slow: '99010' } as const;

export const slowMs: number = 10 * secondMs;

/** The outcome that an input forces; null: none. */
export function forcedBy(input: unknown): keyof typeof forcedNumbers | null {
  const sent = new Set(textsIn(input));
  const names = Object.keys(forcedNumbers) as (keyof typeof forcedNumbers)[];
  return names.find((name) => sent.has(forcedNumbers[name])) ?? null;
}

/** All texts and numbers in an input, without the `-1` of set numbers, and lists by element. */
function textsIn(input: unknown): string[] {
  if (typeof input === 'object' && input !== null) return Object.values(input).flatMap(textsIn);
  return String(input)
    .split(',')
    .map((text) => text.trim().replace(/-1$/, ''));
}
