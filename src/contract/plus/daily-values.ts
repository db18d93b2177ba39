/** The values of an item at the ends of the days that are in no final month yet. */
import Type, { type Static } from 'typebox';
import { type Condition, conditions } from '../../market/source-rows/source-rows.ts';
import { choice, day, exactly, listOf, oneOf, orNull, record, text, usd } from '../fields.ts';

const condition = (usual: Condition) =>
  exactly({ condition: choice(conditions, 'The condition to return values for.', { usual }) });

export const SetDaysQuery = condition('sealed');
export const MinifigDaysQuery = condition('used');

/** Days of a month, and those of the month before until it is final. */
const daysMax = 31 + 8;

const daily = {
  condition: oneOf(conditions, 'Condition of the values.'),
  final: Type.Literal(false, {
    description: 'Always false: the month is computed again when it becomes final.',
  }),
  days: listOf(
    record('DailyValue', 'One day.', {
      date: day('The day, in UTC.'),
      value_usd: orNull(
        usd('Value published at the end of the day, or now if it is today; null if none was.'),
      ),
    }),
    'Oldest first, from the first day with a value until today.',
    daysMax,
  ),
};

export const SetDailyValues = record('SetDailyValues', {
  set_number: text('The set number.'),
  ...daily,
});

export const MinifigDailyValues = record('MinifigDailyValues', {
  minifig_number: text('The minifigure number.'),
  ...daily,
});

/** Examples for the OpenAPI document. */
const days = [
  { date: '2026-11-14', value_usd: 167.9 },
  { date: '2026-11-15', value_usd: 168.4 },
];
export const setDailyValuesExample: Static<typeof SetDailyValues> = {
  set_number: '10482',
  condition: 'sealed',
  final: false,
  days,
};
export const minifigDailyValuesExample: Static<typeof MinifigDailyValues> = {
  minifig_number: 'coa0007',
  condition: 'used',
  final: false,
  days: [{ date: '2026-11-15', value_usd: 6.35 }],
};
