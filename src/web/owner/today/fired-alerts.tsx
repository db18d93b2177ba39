/** Alerts that fired and were not seen yet. */

import type { Notification } from '../../../alerts/conditions/notification.ts';
import { Card } from '../../kit/card.tsx';
import { agoText, countText } from '../../kit/format.ts';
import type { OwnRequest, WebDeps } from '../../page.ts';
import { AlertMessage } from '../alerts/alert-message.tsx';

const alertsShown = 5;

/** One read, and none if there is nothing new. */
export async function readUnseen(
  { accounts }: WebDeps,
  { who }: OwnRequest,
): Promise<readonly Notification[]> {
  const limit = Math.min(alertsShown, who.unseenAlerts);
  if (limit === 0) return [];
  return accounts.listNotifications(who.accountId, { before: null, limit });
}

export function FiredAlerts(props: {
  readonly unseen: readonly Notification[];
  readonly request: OwnRequest;
}) {
  const { unseen, request } = props;
  const { unseenAlerts } = request.who;
  if (unseen.length === 0) {
    return (
      <Card title="Alerts" actions={<a href="/alerts/fired">Earlier alerts</a>}>
        <p class="quiet flush">
          {'Nothing new. '}
          <a href="/alerts">Set an alert</a>
          {' for a price, an all-time low or a deal, and it shows up here when it fires.'}
        </p>
      </Card>
    );
  }
  return (
    <Card
      title={`New alerts (${countText(unseenAlerts)})`}
      actions={<a href="/alerts/fired">See all</a>}
    >
      <ul class="plain-list">
        {unseen.map((row) => (
          <li key={row.id}>
            <AlertMessage row={row} />
            <small class="quiet">{` ${agoText(request.at - row.at)}`}</small>
          </li>
        ))}
      </ul>
    </Card>
  );
}
