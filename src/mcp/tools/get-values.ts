/** `get_values`: values of sets and minifigs. */
import Type from 'typebox';
import type { FoundMinifig, FoundSet } from '../../../clients/typescript/src/index.ts';
import { statusName, statusNames } from '../../catalog/items/status.ts';
import { count, exactly, identifier, listOf, oneOf, record, text } from '../../contract/fields.ts';
import { minifigFields } from '../../contract/minifig.ts';
import { setFields } from '../../contract/set.ts';
import { nounText, rangeText } from '../../kernel/format.ts';
import { tierWords } from '../../market/values/tier-words.ts';
import { ToolRefusal, tool } from '../tool.ts';
import { lines, usdText } from '../words.ts';

/** Items per call; more would fill a model's context. */
const itemsMax = 50;

/** Numbers listed in an item, next to their count. */
const numbersMax = 25;

const statusWords = statusNames.map((name) => name.toLowerCase());

const SetValues = record('SetValues', 'A set with its computed values.', {
  set_number: setFields.set_number,
  title: setFields.title,
  theme: setFields.theme,
  pieces: setFields.pieces,
  msrp_usd: setFields.msrp_usd,
  release_date: setFields.release_date,
  retire_date: setFields.retire_date,
  status: oneOf(statusWords, '`retiring soon` is within 90 days.'),
  new_value_usd: setFields.new_value_usd,
  value_range: setFields.value_range,
  data_tier: setFields.data_tier,
  tier_meaning: text('`data_tier` in words; like the range, for new condition.'),
  used_value_usd: setFields.used_value_usd,
  minifigs_count: setFields.minifigs_count,
  minifigs: listOf(
    text('A minifigure number.'),
    `Numbers of its minifigures, at most ${numbersMax}.`,
    numbersMax,
  ),
});

const MinifigValues = record('MinifigValues', 'A minifigure with its computed value.', {
  minifig_number: minifigFields.minifig_number,
  name: minifigFields.name,
  category: minifigFields.category,
  year_released: minifigFields.year_released,
  current_value_usd: minifigFields.current_value_usd,
  value_range: minifigFields.value_range,
  set_count: minifigFields.set_count,
  sets: listOf(
    text('A set number.'),
    `Numbers of sets it appears in, at most ${numbersMax} of \`set_count\`.`,
    numbersMax,
  ),
});

const numbers = (kind: string, example: string) =>
  Type.Optional(listOf(identifier(`A ${kind} number.`, example), `Numbers of ${kind}s.`, itemsMax));

export const getValues = tool({
  name: 'get_values',
  title: 'Get market values',
  description:
    `Get the market values of 1 to ${itemsMax} sets and minifigures today, in US dollars, new ` +
    'and used, with the expected range of the next ordinary sale. Values are computed from ' +
    'sales of complete items, including shipping; they are not quotes or offers. data_tier ' +
    'shows how well sales support a value: high, medium, low, or modeled (mostly an estimate; ' +
    'sales are too few or too old). For sets, value_range and data_tier are for new condition. ' +
    'A null value means that too little is known. Request all items in one call.',
  cost: '1 call per unique item',
  input: exactly({ sets: numbers('set', '75192'), minifigs: numbers('minifigure', 'sw0001a') }),
  output: exactly({
    sets: listOf(SetValues, 'Sets that exist, in the requested order.'),
    minifigs: listOf(MinifigValues, 'Minifigures that exist, in the requested order.'),
    not_found: listOf(
      text('The number as you sent it.'),
      'Numbers that are not in the catalog; find_items searches by name.',
    ),
    total: count('Number of unique items requested.'),
  }),
  run: async ({ sets = [], minifigs = [] }, brickmark) => {
    const itemCount = sets.length + minifigs.length;
    if (itemCount === 0 || itemCount > itemsMax) {
      throw new ToolRefusal(
        `Send 1 to ${itemsMax} items in sets and minifigs together; got ${itemCount}.`,
      );
    }
    const batch = await brickmark.getBatch({ sets, minifigs });
    const foundSets = batch.sets.filter((set): set is FoundSet => set.found).map(setValues);
    const foundMinifigs = batch.minifigs.filter((fig): fig is FoundMinifig => fig.found);
    const missing = [
      ...batch.sets.filter((set) => !set.found).map((set) => set.set_number),
      ...batch.minifigs.filter((fig) => !fig.found).map((fig) => fig.minifig_number),
    ];
    const data = {
      sets: foundSets,
      minifigs: foundMinifigs.map(minifigValues),
      not_found: missing,
      total: batch.summary.requested,
    };
    return {
      data,
      text: lines(
        foundSets.map(setLine),
        data.minifigs.map(minifigLine),
        missing.length > 0 ? `Not in the catalog: ${missing.join(', ')}.` : '',
      ),
    };
  },
});

function setValues(set: FoundSet) {
  return {
    set_number: set.set_number,
    title: set.title,
    theme: set.theme,
    pieces: set.pieces,
    msrp_usd: set.msrp_usd,
    release_date: set.release_date,
    retire_date: set.retire_date,
    status: (statusName(set.status_id) ?? '').toLowerCase(),
    new_value_usd: set.new_value_usd,
    value_range: set.value_range,
    data_tier: set.data_tier,
    tier_meaning: tierWords[set.data_tier],
    used_value_usd: set.used_value_usd,
    minifigs_count: set.minifigs_count,
    minifigs: set.minifigs.slice(0, numbersMax),
  };
}

function minifigValues(fig: FoundMinifig) {
  return {
    minifig_number: fig.minifig_number,
    name: fig.name,
    category: fig.category,
    year_released: fig.year_released,
    current_value_usd: fig.current_value_usd,
    value_range: fig.value_range,
    set_count: fig.set_count,
    sets: fig.sets.slice(0, numbersMax),
  };
}

function setLine(set: ReturnType<typeof setValues>): string {
  const facts = `${set.theme}, ${set.status}, MSRP ${usdText(set.msrp_usd)}`;
  const support = [
    ...(set.value_range ? [`range ${rangeText(set.value_range)}`] : []),
    `data_tier ${set.data_tier}: ${set.tier_meaning}`,
  ].join('; ');
  return (
    `- ${set.set_number} ${set.title} (${facts}): ` +
    `new ${usdText(set.new_value_usd)} (${support}); used ${usdText(set.used_value_usd)}`
  );
}

function minifigLine(fig: ReturnType<typeof minifigValues>): string {
  const { minifig_number, name, current_value_usd, value_range, set_count } = fig;
  const range = value_range === null ? '' : ` (range ${rangeText(value_range)})`;
  const value = `${usdText(current_value_usd)}${range}`;
  return `- ${minifig_number} ${name}: ${value}; in ${nounText(set_count, 'set')}`;
}
