/** Alerts that fired, sent or not; opening the page marks them as seen. */
import type { AlertRule } from '../../../alerts/conditions/alert-rule.ts';
import {
  type Notification,
  notificationsKeptDays,
} from '../../../alerts/conditions/notification.ts';
import { Badge, Card, EmptyState } from '../../kit/card.tsx';
import { column, dayColumn, mainColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { momentText } from '../../kit/format.ts';
import { Layout, watchlistTabs } from '../../kit/layout.tsx';
import { CursorPager, pageRows, readCursorPage } from '../../kit/list.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { AlertMessage } from './alert-message.tsx';
import { deliveryText, stateText } from './alert-text.ts';

export const firedAlertRoutes = routes('own', { '/alerts/fired': { get: showFired } });

async function showFired({ accounts }: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { accountId, unseenAlerts } = request.who;
  const [found, rules] = await Promise.all([
    readCursorPage(request.query, pageRows, (page) => accounts.listNotifications(accountId, page)),
    accounts.listAlertRules(accountId),
  ]);
  const { rows, isFirst } = found;
  const [latest] = rows;
  if (isFirst && latest && unseenAlerts > 0) await accounts.markAlertsSeen(accountId, latest.id);
  const unseen = new Set(isFirst ? rows.slice(0, unseenAlerts).map(({ id }) => id) : []);
  // The bell follows at once.
  const seen = isFirst ? { ...request, who: { ...request.who, unseenAlerts: 0 } } : request;
  const kept = `Kept for ${notificationsKeptDays} days. Times are in ${request.timeZone}.`;
  return (
    <Layout title="Fired alerts" request={seen} tabs={watchlistTabs}>
      {rows.length === 0 ? (
        <EmptyState
          title={isFirst ? 'No alerts yet' : 'Nothing older'}
          actions={[['/alerts', 'View alerts']]}
        >
          {isFirst ? 'Alerts are listed here when they fire, with or without a channel.' : kept}
        </EmptyState>
      ) : (
        <Card class="sent">
          <DataTable
            label="Fired alerts"
            caption={kept}
            columns={columnsOf(rules, request.timeZone, unseen)}
            rows={rows}
          />
        </Card>
      )}
      <CursorPager path={request.path} page={found} />
    </Layout>
  );
}

function columnsOf(
  rules: readonly AlertRule[],
  timeZone: string,
  unseen: ReadonlySet<number>,
): readonly Column<Notification>[] {
  const ruleOf = ({ ruleId }: Notification) => rules.find(({ id }) => id === ruleId) ?? null;
  return [
    mainColumn('Message', (row) => (
      <>
        {unseen.has(row.id) && <Badge kind="good">New</Badge>} <AlertMessage row={row} />
      </>
    )),
    column('Alert', (row) =>
      ruleOf(row) ? <a href={`/alerts/${row.ruleId}`}>{row.ruleName}</a> : row.ruleName,
    ),
    // Sent messages show the status of each delivery instead.
    column('Status', (row) =>
      row.deliveries.length === 0 ? (
        stateText(row, ruleOf(row), timeZone)
      ) : (
        <span>
          {row.deliveries.map((delivery) => (
            <div key={delivery.channel.id}>{deliveryText(delivery, timeZone)}</div>
          ))}
        </span>
      ),
    ),
    dayColumn('Time', ({ at }) => momentText(at, timeZone)),
  ];
}
