/** `ways_to_sell`: a set sealed, used, without its minifigures, or in parts. */
import Type from 'typebox';
import type { WayToSell as Way } from '../../../clients/typescript/src/index.ts';
import { noBestTexts, wayAssumptionTexts } from '../../buying/ways/way-words.ts';
import { assumedIn } from '../../buying/ways/ways.ts';
import { exactly, identifier } from '../../contract/fields.ts';
import { WaysQuery, WaysToSell } from '../../contract/plus/ways.ts';
import { waitText } from '../../kernel/format.ts';
import { tool } from '../tool.ts';
import { lines, usdText } from '../words.ts';

const waysQuery = WaysQuery.properties;

export const waysToSell = tool({
  name: 'ways_to_sell',
  title: 'Compare ways to sell a set',
  description:
    'Compare what a set brings sealed, used and complete, with its minifigures sold one by one, ' +
    'and parted out, after fees, shipping and work. Use it to answer "should I part this out?". ' +
    'A null best means that no way beats the next by more than their uncertainty. Pass what is ' +
    'assumed on to the user.',
  cost: '1 call',
  input: exactly({
    set: identifier('A set number.', '10482'),
    condition: Type.Optional(waysQuery.condition),
    price_usd: waysQuery.price_usd,
  }),
  output: WaysToSell,
  run: async ({ set, ...query }, brickmark) => {
    const found = await brickmark.plus.getWaysToSell(set, query);
    const { set_number, title, condition, best, ways } = found;
    const text = lines(
      `${set_number} ${title}, ${condition}: ${best ? `best ${best}` : 'no best way'}.`,
      found.no_best_reason === null ? '' : noBestTexts[found.no_best_reason],
      ways.map(wayLine),
      assumedIn(ways).map((each) => `Assumed: ${wayAssumptionTexts[each]}`),
    );
    return { data: found, text };
  },
});

function wayLine({ way, net_usd, uncertainty_usd, profit_usd, hours, half_days }: Way): string {
  const profit = profit_usd === null ? '' : `, profit ${usdText(profit_usd)}`;
  const time = half_days === null ? '' : `, half of the money in ${waitText(half_days)}`;
  return (
    `- ${way}: nets ${usdText(net_usd)} (± ${usdText(uncertainty_usd)})${profit}, ` +
    `${hours} hours of work${time}`
  );
}
