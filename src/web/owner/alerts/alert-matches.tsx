/** The current matches of an alert, on its page. */

import type { AlertCondition, AlertRule } from '../../../alerts/conditions/alert-rule.ts';
import { itemFacts } from '../../../alerts/conditions/item-facts.ts';
import { isLevel } from '../../../alerts/conditions/next-notifications.ts';
import type { ReportedMatch } from '../../../alerts/conditions/notification.ts';
import { Card } from '../../kit/card.tsx';
import { column, mainColumn, moneyColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { countText, momentText, nounText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import type { OwnRequest, SiteFacts, WebDeps } from '../../page.ts';

const shownMax = 50;

interface Match extends Pick<ReportedMatch, 'retailer' | 'reportedAt'> {
  readonly key: string;
  readonly number: string;
  readonly title: string;
  readonly priceCents: number | null;
}

export interface ShownMatches {
  readonly rule: AlertRule;
  readonly rows: readonly Match[];
  readonly total: number;
  readonly timeZone: string;
  readonly retailerNames: SiteFacts['retailerNames'];
}

/** Null if the alert is off, or if its condition is about changes, which have no current state. */
export async function readMatches(
  { accounts, market, site }: WebDeps,
  { at, timeZone }: OwnRequest,
  rule: AlertRule,
): Promise<ShownMatches | null> {
  if (!rule.isOn || !isLevel(rule.condition)) return null;
  const matched = await accounts.listReported(rule.accountId, rule.id, shownMax);
  const keys = [...new Set(matched.rows.map(({ itemKey }) => itemKey))];
  const records = await market.findResaleRecords('set', keys);
  const rows = matched.rows.flatMap(({ itemKey: key, retailer, reportedAt }): Match[] => {
    const record = records.get(key);
    if (!record) return [];
    const { number, title, offers } = itemFacts('set', record, at);
    const offer = offers.find((each) => each.retailer === retailer);
    return [{ key, number, title, retailer, reportedAt, priceCents: offer?.priceCents ?? null }];
  });
  return { rule, rows, total: matched.total, timeZone, retailerNames: site.retailerNames };
}

export function MatchesNow({ rule, rows, total, timeZone, retailerNames }: ShownMatches) {
  const ofOffers: readonly Column<Match>[] = [
    column('Retailer', ({ retailer }) => retailer && retailerNames[retailer]),
    moneyColumn('Price', ({ priceCents }) => priceCents, { missing: 'No offer' }),
  ];
  const columns: readonly Column<Match>[] = [
    mainColumn('Set', ({ number, title }) => <ItemCell kind="set" number={number} name={title} />),
    ...(rule.condition.kind === 'margin' ? [] : ofOffers),
    column('Since', ({ reportedAt }) => momentText(reportedAt, timeZone)),
  ];
  return (
    <Card title="Matches now">
      {total === 0 ? (
        <p>Nothing matches yet.</p>
      ) : (
        <>
          <p>{resetText(rule)}</p>
          <DataTable label="Matches now" columns={columns} rows={rows} />
          {total > rows.length && (
            <p class="quiet">{`And ${countText(total - rows.length)} more.`}</p>
          )}
        </>
      )}
    </Card>
  );
}

function resetText({ condition, repeatDays }: AlertRule): string {
  const repeat = repeatDays === null ? '' : `, or after ${nounText(repeatDays, 'day')}`;
  return `You’ll be alerted again after ${endText(condition)}${repeat}.`;
}

function endText(condition: AlertCondition): string {
  switch (condition.kind) {
    case 'price_target':
      return 'the price has risen above the target';
    case 'all_time_low':
      return 'the price has risen above its low';
    case 'margin':
      return `the gain has fallen below ${condition.percent}%`;
    default:
      return 'the price has risen above the limit';
  }
}
