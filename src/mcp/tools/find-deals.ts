/** `find_deals`: retailer offers that leave a profit. */
import Type from 'typebox';
import type { Deal as DealRow } from '../../../clients/typescript/src/index.ts';
import { exactly } from '../../contract/fields.ts';
import { DealPage, DealsQuery } from '../../contract/plus/deals.ts';
import { percentText } from '../../kernel/format.ts';
import { pagingOf, partFields, partOf, tool } from '../tool.ts';
import { lines, shownText, usdText } from '../words.ts';

const dealsQuery = DealsQuery.properties;
const { items: Deal } = DealPage.properties.deals;

export const findDeals = tool({
  name: 'find_deals',
  title: 'Find deals at retailers',
  description:
    'Find offers of the two tracked retailers at or below the max buy price, highest profit ' +
    'per month first. The max buy price is the most a reseller can pay and keep the margin ' +
    '(margin_pct) after fees and shipping in the given share of sales. Net and profit are ' +
    'expectations, not guarantees: pass warnings on to the user. A null wait_days means that ' +
    'the time to sell is unknown.',
  cost: '1 call',
  input: exactly({
    retailer: dealsQuery.retailer,
    theme: dealsQuery.theme,
    status_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 4,
        description:
          'Only sets with this status: 1 announced, 2 available, 3 retiring soon, 4 retired.',
      }),
    ),
    min_tier: Type.Optional(dealsQuery.min_tier),
    min_profit_usd: dealsQuery.min_profit_usd,
    min_roi_pct: dealsQuery.min_roi_pct,
    max_price_usd: dealsQuery.max_price_usd,
    min_part_out_ratio: dealsQuery.min_part_out_ratio,
    share: Type.Optional(dealsQuery.share),
    margin_pct: Type.Optional(dealsQuery.margin_pct),
    ...partFields({ most: 50, usual: 10 }),
  }),
  output: exactly(partOf(Deal, 'Deals, highest profit per month first.')),
  run: async ({ limit = 10, offset = 0, ...query }, brickmark) => {
    const page = await brickmark.plus.listDeals({ ...query, limit, offset });
    const paging = pagingOf(page);
    const text = lines(page.deals.map(dealLine), shownText(page.deals.length, paging));
    return { data: { items: page.deals, ...paging }, text: text || noDeals };
  },
});

const noDeals = 'No deals match. Try a lower margin_pct, share or min_tier, or fewer filters.';

function dealLine(deal: DealRow): string {
  const warnings = deal.warnings.length > 0 ? `; check: ${deal.warnings.join(', ')}` : '';
  return (
    `- ${deal.set_number} ${deal.title} at ${deal.retailer} for ${usdText(deal.price_usd)} ` +
    `(max buy ${usdText(deal.max_buy_usd)}): sells on ${deal.best_channel}, ` +
    `profit ${usdText(deal.profit_usd)} (${percentText(deal.roi_pct)})${warnings}`
  );
}
