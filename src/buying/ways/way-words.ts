/** Ways to sell in words, for pages and the command line. */
import type { NoWayReason, WayAssumption, WayName } from './ways.ts';

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
  no_parts_value: 'no source has a recent value for its parts',
};

export const wayAssumptionTexts: Readonly<Record<WayAssumption, string>> = {
  opened_set: 'An opened set sells like a used one.',
  rest_value: 'The set without its minifigs is worth less, the more they are worth.',
  one_of_each_minifig: 'Each minifig is counted once, however many the set has.',
  minifigs_without_value: 'Minifigs without a value count as nothing.',
  minifigs_left_in: 'Minifigs that bring less than their fees and shipping stay with the rest.',
  parts_share: 'Only part of what marketplaces show for the parts ever sells.',
  parts_time: 'Half of that sells in 9 months, nine tenths in 30.',
  parts_orders: 'Parts sell on BrickLink in orders of about $25; buyers pay the shipping.',
  lots: 'The number of lots is estimated from the pieces.',
};
