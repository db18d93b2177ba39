/** `what_to_pay`: max buy price of an item, or max bid for a box. */
import Type from 'typebox';
import type {
  Evaluation as Box,
  ChannelQuote,
  MaxBuy as Offer,
} from '../../../clients/typescript/src/index.ts';
import { noBuyWords } from '../../buying/prices/what-to-pay.ts';
import { exactly, orNull } from '../../contract/fields.ts';
import { EvaluateBody, Evaluation } from '../../contract/plus/evaluate.ts';
import { MaxBuy } from '../../contract/plus/max-buy.ts';
import { nounText, waitText } from '../../kernel/format.ts';
import { ToolRefusal, tool } from '../tool.ts';
import { lines, usdText } from '../words.ts';

/** Items per box; more would fill a model's context. */
const itemsMax = 50;

const evaluateBody = EvaluateBody.properties;

/** A max buy price by channel for one unit, otherwise a max bid. */
export const whatToPay = tool({
  name: 'what_to_pay',
  title: 'Get a max buy price or max bid',
  description:
    'Get the most a reseller can pay for items and keep a margin (margin_pct) after fees and ' +
    'shipping in the given share of sales. For one item with quantity 1 and no cost_usd, ' +
    'returns the max buy price per sales channel (item). Otherwise returns the value of the ' +
    'box, the max bid for all of it, and, with cost_usd, the profit (box). Use it to answer "is ' +
    'this a good price?". A null max_buy_usd or max_bid_usd means that no price leaves the ' +
    'margin, or that too little is known; see reason of an item. Channels with assumed true ' +
    'have no prices of their own and use those of other channels.',
  cost: '1 call per unique item',
  input: exactly({
    items: Type.Array(evaluateBody.items.items, {
      minItems: 1,
      maxItems: itemsMax,
      description: 'The items for sale. Each has either a set or a minifig.',
    }),
    cost_usd: evaluateBody.cost_usd,
    share: evaluateBody.share,
    margin_pct: evaluateBody.margin_pct,
  }),
  output: exactly({
    item: orNull(MaxBuy),
    box: orNull(Evaluation),
  }),
  run: async ({ items, cost_usd, share, margin_pct }, brickmark) => {
    const wrong = items.findIndex(
      ({ set, minifig }) => (set === undefined) === (minifig === undefined),
    );
    if (wrong >= 0)
      throw new ToolRefusal(`Send either set or minifig in items.${wrong}, not both.`);
    const [first] = items;
    const isOne = items.length === 1 && (first?.quantity ?? 1) === 1 && cost_usd === undefined;
    if (first && isOne) {
      const { set, minifig, condition } = first;
      const query = { set, minifig, condition, share, margin_pct };
      const item = await brickmark.plus.getMaxBuy(query);
      return { data: { item, box: null }, text: itemText(item) };
    }
    const box = await brickmark.plus.evaluateBox({ items, cost_usd, share, margin_pct });
    return { data: { item: null, box }, text: boxText(box) };
  },
});

export function itemText(item: Offer): string {
  const head = `${item.number} ${item.title}, ${item.condition}: value ${usdText(item.value_usd)}.`;
  const best = item.channels.find(({ channel }) => channel === item.best_channel);
  return lines(
    head,
    item.reason === null ? '' : `No max buy price. ${noBuyWords[item.reason]}`,
    best
      ? `Pay at most ${usdText(best.max_buy_usd)} (sold on ${best.channel}) for a margin of ` +
          `${item.margin_pct}% in ${Math.round(item.share * 100)}% of sales.`
      : '',
    item.channels.map(channelLine),
  );
}

function channelLine(quote: ChannelQuote): string {
  const { channel, max_buy_usd, net_usd, wait_days, rivals, assumed } = quote;
  const pay =
    max_buy_usd === null ? 'no price leaves the margin' : `pay at most ${usdText(max_buy_usd)}`;
  const others = rivals === null ? 'competition assumed' : `${nounText(rivals, 'other')} for sale`;
  const wait =
    wait_days === null ? '' : `, median time to sell yours ${waitText(wait_days)} (${others})`;
  const note = assumed ? ' (assumed prices)' : '';
  return `- ${channel}: ${pay}, nets ${usdText(net_usd)}${wait}${note}`;
}

function boxText({ items, summary }: Box): string {
  const missing = items.filter(({ found }) => !found).map(({ number }) => number);
  const { max_bid_usd, best_channel, profit_usd } = summary;
  return lines(
    `${nounText(summary.units, 'unit')}, ${summary.units_valued} with a value; sum of values ` +
      `${usdText(summary.sum_of_values_usd)}.`,
    max_bid_usd === null
      ? 'No max bid: no price leaves the margin, or too little is known.'
      : `Bid at most ${usdText(max_bid_usd)} (sold on ${best_channel}).`,
    profit_usd === null ? '' : `Expected profit at this cost: ${usdText(profit_usd)}.`,
    items
      .filter(({ found }) => found)
      .map((it) => `- ${it.quantity} × ${it.number} ${it.title}: ${usdText(it.total_value_usd)}`),
    missing.length > 0 ? `Not in the catalog: ${missing.join(', ')}.` : '',
  );
}
