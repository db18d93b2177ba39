/** Deals as CSV, with the field names of the API. */
import type { Deal } from '../../domain/buying/deal.ts';
import { csvCell, usdCell } from '../../domain/kernel/csv-cell.ts';
import { formatInstant } from '../../domain/kernel/time.ts';

/** The columns. */
const columns: readonly (readonly [name: string, cell: (deal: Deal) => string])[] = [
  ['set_number', ({ setNumber }) => csvCell(setNumber)],
  ['title', ({ title }) => csvCell(title)],
  ['theme', ({ theme }) => csvCell(theme)],
  ['retailer', ({ offer }) => offer.retailer],
  ['price_usd', ({ offer }) => usdCell(offer.priceCents)],
  ['max_buy_usd', ({ maxBuyCents }) => usdCell(maxBuyCents)],
  ['best_channel', ({ channel }) => channel],
  ['net_usd', ({ medianNetCents }) => usdCell(medianNetCents)],
  ['profit_usd', ({ profitCents }) => usdCell(profitCents)],
  ['roi_pct', ({ roiPercent }) => roiPercent.toFixed(2)],
  ['wait_days', ({ waitDays }) => (waitDays === null ? '' : waitDays.toFixed(1))],
  ['profit_per_month_usd', ({ profitPerMonthCents }) => usdCell(profitPerMonthCents)],
  ['warnings', ({ warnings }) => warnings.join(' ')],
  ['observed_at', ({ offer }) => formatInstant(offer.observedAt)],
  ['product_url', ({ offer }) => csvCell(offer.productUrl)],
];

/** The CSV, in the order of the list. */
export function dealsCsv(deals: readonly Deal[]): string {
  const head = columns.map(([name]) => name).join(',');
  const lines = deals.map((deal) => columns.map(([, cell]) => cell(deal)).join(','));
  return `${[head, ...lines].join('\r\n')}\r\n`;
}
