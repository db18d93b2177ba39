/** Sent alerts, and those that were not sent, with the reason. */
import type { AlertRule, AlertSettings } from '../../../domain/alerts/alert-rule.ts';
import { type Notification, notificationsKeptDays } from '../../../domain/alerts/notification.ts';
import { momentText } from '../../../domain/kernel/format.ts';
import type { WebDeps } from '../../deps.ts';
import { Card } from '../../kit/card.tsx';
import { column, dayColumn, mainColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { Layout, watchlistTabs } from '../../kit/layout.tsx';
import { itemPath } from '../../kit/links.tsx';
import { CursorPager, pageRows, readCursorPage } from '../../kit/pager.tsx';
import type { OwnRequest, PageAnswer } from '../../page.ts';
import { ownPages } from '../../page-table.ts';
import { deliveryText, stateText } from './alert-text.ts';

export const alertsSentRoutes = ownPages({ '/alerts/sent': { get: showSent } });

async function showSent({ accounts }: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { accountId } = request.who;
  const [found, rules, settings] = await Promise.all([
    readCursorPage(request.query, pageRows, (page) => accounts.listNotifications(accountId, page)),
    accounts.listAlertRules(accountId),
    accounts.findAlertSettings(accountId),
  ]);
  const { rows, isFirst } = found;
  const kept = `Kept for ${notificationsKeptDays} days. Times are in ${settings.timeZone}.`;
  return (
    <Layout title="Sent alerts" request={request} tabs={watchlistTabs}>
      {rows.length === 0 ? (
        <EmptyState
          title={isFirst ? 'No alerts sent yet' : 'Nothing older'}
          actions={[{ href: '/alerts', text: 'View alerts' }]}
        >
          {isFirst ? 'Alerts are listed here when they trigger.' : kept}
        </EmptyState>
      ) : (
        <Card class="sent">
          <DataTable
            label="Sent alerts"
            caption={kept}
            columns={columnsOf(rules, settings)}
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
  settings: AlertSettings,
): readonly Column<Notification>[] {
  const ruleOf = ({ ruleId }: Notification) => rules.find(({ id }) => id === ruleId) ?? null;
  return [
    mainColumn('Message', (row) => <What row={row} />),
    column('Alert', (row) =>
      ruleOf(row) ? <a href={`/alerts/${row.ruleId}`}>{row.ruleName}</a> : row.ruleName,
    ),
    // Sent messages show the status of each delivery instead.
    column('Status', (row) =>
      row.deliveries.length === 0 ? (
        stateText(row, ruleOf(row), settings)
      ) : (
        <span>
          {row.deliveries.map((delivery) => (
            <div key={delivery.channel.id}>{deliveryText(delivery, settings)}</div>
          ))}
        </span>
      ),
    ),
    dayColumn('Time', ({ at }) => momentText(at, settings.timeZone)),
  ];
}

/** The message with its item as a link; before the message if that does not name the item. */
function What({ row: { itemKind, number, title, reason } }: { readonly row: Notification }) {
  const item = `${number} ${title}`;
  const [before = '', ...after] = reason.split(item);
  const link = <a href={itemPath(itemKind, number)}>{item}</a>;
  return (
    <span>
      {after.length > 0 && before}
      {link}
      {after.length > 0 ? after.join(item) : `: ${reason}`}
    </span>
  );
}
