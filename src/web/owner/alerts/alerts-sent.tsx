/** Everything that alerts have sent or held back, and why. */
import type { AlertRule, AlertSettings } from '../../../domain/alerts/alert-rule.ts';
import { type Notification, notificationsKeptDays } from '../../../domain/alerts/alert-store.ts';
import type { WebDeps } from '../../deps.ts';
import { CursorPager, cursorOf, cursorPage } from '../../kit/cursor-pager.tsx';
import { Layout } from '../../kit/layout.tsx';
import { itemPath } from '../../kit/links.tsx';
import { pageRows } from '../../kit/pager.tsx';
import { TableHead } from '../../kit/table-head.tsx';
import type { OwnRequest, PageAnswer, PageRoute } from '../../page.ts';
import { dayTimeText, deliveryText, stateText } from './alert-text.ts';
import { AlertsNav } from './alerts-nav.tsx';

/** The page of what was sent. */
export function alertsSentRoutes(deps: WebDeps): readonly PageRoute[] {
  return [{ access: 'own', path: '/alerts/sent', get: (request) => showSent(deps, request) }];
}

async function showSent({ accounts }: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { accountId } = request.who;
  const before = cursorOf(request);
  const [page, rules, settings] = await Promise.all([
    cursorPage(pageRows, (limit) => accounts.listNotifications(accountId, { before, limit })),
    accounts.listAlertRules(accountId),
    accounts.findAlertSettings(accountId),
  ]);
  return { page: <SentPage request={request} {...page} rules={rules} settings={settings} /> };
}

interface SentProps {
  readonly request: OwnRequest;
  readonly rows: readonly Notification[];
  readonly hasMore: boolean;
  readonly rules: readonly AlertRule[];
  readonly settings: AlertSettings;
}

function SentPage(props: SentProps) {
  const { request, rows, hasMore } = props;
  return (
    <Layout title="Sent alerts" request={request}>
      <AlertsNav path={request.path} />
      <section class="card">
        {rows.length > 0 && <SentTable {...props} />}
        {rows.length === 0 && !request.query.has('before') && (
          <p>
            No alert has gone off yet. <a href="/alerts">Your alerts</a>
          </p>
        )}
        {rows.length === 0 && request.query.has('before') && <p>Nothing older is kept.</p>}
      </section>
      <CursorPager request={request} last={hasMore ? (rows.at(-1)?.id ?? null) : null} />
      <p class="quiet">
        {`Listed for ${notificationsKeptDays} days. Times are in ${props.settings.timeZone}.`}
      </p>
    </Layout>
  );
}

function SentTable({ rows, rules, settings }: SentProps) {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  return (
    <div class="scroll">
      <table class="cards">
        <TableHead columns={['Time', 'What', 'Alert', 'Status']} />
        <tbody>
          {rows.map((row) => {
            const rule = byId.get(row.ruleId ?? 0) ?? null;
            return (
              <tr key={row.id}>
                <td data-name="Time" class="day">
                  {dayTimeText(row.at, settings.timeZone)}
                </td>
                <td data-name="What">
                  <What row={row} />
                </td>
                <td data-name="Alert">
                  {rule ? <a href={`/alerts/${rule.id}`}>{row.ruleName}</a> : row.ruleName}
                </td>
                <td data-name="Status">
                  <Status row={row} rule={rule} settings={settings} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** What became of it; once it was sent, at each channel. */
function Status(props: {
  readonly row: Notification;
  readonly rule: AlertRule | null;
  readonly settings: AlertSettings;
}) {
  const { row, rule, settings } = props;
  if (row.deliveries.length === 0) return <>{stateText(row, rule, settings)}</>;
  return (
    <div>
      {row.deliveries.map((delivery) => (
        <div key={delivery.channel.id}>{deliveryText(delivery, settings)}</div>
      ))}
    </div>
  );
}

/** What happened, with the item as a link where the sentence names it. */
function What({ row: { itemKind, number, title, reason } }: { readonly row: Notification }) {
  const item = `${number} ${title}`;
  const [before = '', ...after] = reason.split(item);
  const link = <a href={itemPath(itemKind, number)}>{item}</a>;
  if (after.length === 0) {
    return (
      <div>
        {link}: {reason}
      </div>
    );
  }
  return (
    <div>
      {before}
      {link}
      {after.join(item)}
    </div>
  );
}
