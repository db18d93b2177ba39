/** `my_portfolio`: holdings of the account and their value. */
import Type from 'typebox';
import type {
  AnalyticsSummary,
  Brickfolio,
  Holding as Lot,
} from '../../../clients/typescript/src/index.ts';
import { Analytics, BrickfolioList, HoldingPage } from '../../contract/brickfolio.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { exactly, listOf, orNull } from '../../contract/fields.ts';
import { idMax } from '../../contract/limits.ts';
import { nounText, percentText } from '../../kernel/format.ts';
import { pagingOf, partFields, partOf, requireCalls, tool } from '../tool.ts';
import { lines, shownText, usdText } from '../words.ts';

/** Collections listed, and points of the chart. */
const collectionsMax = 20;
const pointsMax = 14;

const { items: Collection } = BrickfolioList.properties.brickfolios;
const { items: Holding } = HoldingPage.properties.entries;
const { items: ValuePoint } = Analytics.properties.value_history;

/** The first page has totals and top movers; later ones only holdings. */
export const myPortfolio = tool({
  name: 'my_portfolio',
  title: 'Get my portfolio',
  description:
    "Get the user's portfolio: totals, gain or loss, best and worst set, value over time, " +
    'collections, and holdings (newest purchase first). With an offset, only further holdings ' +
    'are returned; summary, collections and value_history are null. Totals and value_history ' +
    'cover all collections, even if brickfolio_id is set. Amounts are computed values, not ' +
    'offers; units without a market value are counted at cost.',
  missingHint: 'Collection IDs are in `collections` of my_portfolio.',
  cost: '3 calls, or 1 with an offset above 0',
  input: exactly({
    brickfolio_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: idMax,
        description: 'Only holdings in this collection. The IDs are in `collections`.',
      }),
    ),
    period: Type.Optional(endpoints.getAnalytics.query.properties.period),
    ...partFields({ most: 50, usual: 20 }),
  }),
  output: exactly({
    summary: orNull(Analytics.properties.summary),
    collections: orNull(
      listOf(Collection, `Default first, then by name; at most ${collectionsMax}.`, collectionsMax),
    ),
    value_history: orNull(
      listOf(
        ValuePoint,
        'Value and cost over the period, at even steps; the last point is today.',
        pointsMax,
      ),
    ),
    ...partOf(Holding, 'Holdings, newest purchase first.'),
  }),
  run: async ({ brickfolio_id, period, limit = 20, offset = 0 }, brickmark) => {
    if (offset === 0)
      await requireCalls(brickmark, 3, 'With an offset of 1 or more, my_portfolio needs 1.');
    const page = await brickmark.listEntries({ brickfolio_id, limit, offset });
    const paging = pagingOf(page);
    const holdings = lines(page.entries.map(lotLine), shownText(page.entries.length, paging));
    if (offset > 0) {
      const further = { summary: null, collections: null, value_history: null };
      return { data: { ...further, items: page.entries, ...paging }, text: holdings };
    }
    const { summary, value_history } = await brickmark.getAnalytics({ period });
    const { brickfolios } = await brickmark.listBrickfolios();
    const collections = brickfolios.slice(0, collectionsMax);
    const { top_gainer, top_loser } = summary;
    return {
      data: {
        summary: {
          ...summary,
          top_gainer: top_gainer && { ...top_gainer },
          top_loser: top_loser && { ...top_loser },
        },
        collections,
        value_history: thinned(value_history, pointsMax),
        items: page.entries,
        ...paging,
      },
      text: lines(
        summaryLine(summary),
        moverLines(summary),
        brickfolios.length > 1 ? lines('Collections:', collections.map(collectionLine)) : '',
        'Holdings:',
        holdings || 'None.',
      ),
    };
  },
});

/** At most `most` elements at even steps, including the first and the last. */
export function thinned<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list];
  const step = (list.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => list[Math.round(index * step)] as T);
}

function summaryLine(summary: AnalyticsSummary): string {
  const gain = summary.unrealized_gain_loss_usd;
  return (
    `${nounText(summary.total_items, 'unit')} of ${nounText(summary.total_sets, 'set')}, ` +
    `worth ${usdText(summary.total_current_value_usd)}, ` +
    `cost ${usdText(summary.total_cost_basis_usd)}, ` +
    `${gain < 0 ? 'loss' : 'gain'} ${usdText(Math.abs(gain))} ` +
    `(${percentText(summary.unrealized_gain_loss_pct)}).`
  );
}

function moverLines({ top_gainer: up, top_loser: down }: AnalyticsSummary): string[] {
  return [
    up ? `Best: ${up.set_number} ${up.title} (${percentText(up.gain_pct ?? 0)}).` : '',
    down ? `Worst: ${down.set_number} ${down.title} (${percentText(down.loss_pct ?? 0)}).` : '',
  ];
}

function collectionLine(collection: Brickfolio): string {
  const { id, name, owned_item_count, total_current_value_usd } = collection;
  const worth = usdText(total_current_value_usd);
  return `- ${name} (id ${id}): ${nounText(owned_item_count, 'unit')}, ${worth}`;
}

function lotLine(lot: Lot): string {
  const gain = percentText(lot.unrealized_gain_loss_pct);
  return (
    `- ${lot.quantity} × ${lot.set_number} ${lot.title}, ${lot.condition}, ` +
    `bought ${lot.purchase_date} at ${usdText(lot.purchase_price_usd)}, ` +
    `now ${usdText(lot.current_value_usd)} each (${gain})`
  );
}
