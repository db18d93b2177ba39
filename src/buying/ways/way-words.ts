/** Ways to sell in words, for pages and the command line. */
import type { NoBestReason, NoWayReason, WayAssumption, WayName } from './ways.ts';

export const wayTexts: Readonly<Record<WayName, string>> = {
  sealed: 'Sealed',
  used: 'Used and complete',
  minifigs: 'Minifigs, rest incomplete',
  parts: 'Part out',
};

export const noWayTexts: Readonly<Record<NoWayReason, string>> = {
  not_sealed: 'the set is not sealed',
  no_value: 'no value yet',
  no_minifigs: 'no minifigs known',
  minifigs_bring_nothing: 'no minifig brings more than its fees and shipping',
  no_parts_value: 'no recent value for its parts, or no count of them',
};

export const noBestTexts: Readonly<Record<NoBestReason, string>> = {
  one_way: 'There is only one way to compare.',
  all_lose: 'It loses money each way.',
  modeled_value: 'No way is named: the highest net rests on a value with too few sales.',
  too_close: 'No clear winner: the differences are smaller than their uncertainty.',
};

export const wayAssumptionTexts: Readonly<Record<WayAssumption, string>> = {
  opened_set: 'An opened set sells like a used one.',
  rest_value:
    'The set without its minifigs is worth less, the more they are worth, and at last nothing.',
  one_of_each_minifig:
    'The set has more or fewer minifigs than are listed: each is counted once, the cheapest first.',
  minifigs_without_value: 'Minifigs without a value count as nothing.',
  minifigs_left_in: 'Minifigs that bring less than their fees and shipping stay with the rest.',
  parts_share: 'Only part of what marketplaces show for the parts sells within three years.',
  parts_time: 'Half of that sells in 9 months, nine tenths in 30.',
  parts_orders:
    'Parts sell on BrickLink in orders of about $25, whose buyers pay $5 for shipping; packing ' +
    'the orders is not counted as work.',
  lots: 'The number of lots is estimated from the pieces.',
};
