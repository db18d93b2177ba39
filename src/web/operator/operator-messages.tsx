/**
 * Messages of an account, for support: whether they arrived, and sending them again. Without their
 * content and their addresses, which are private.
 */

import type { Account } from '../../accounts/people/account.ts';
import { mayUseAlerts } from '../../accounts/sign-in/attempt-limits.work.ts';
import { mayRequestResetLink } from '../../accounts/sign-in/sign-in.work.ts';
import { type DeliveryKind, deliveryTable } from '../../alerts/channels/delivery-channel-kinds.ts';
import type { Delivery } from '../../alerts/delivery/delivery.ts';
import { recordAudit } from '../audit.ts';
import { idOf } from '../kit/address.ts';
import { ButtonForm } from '../kit/buttons.tsx';
import { Card, EmptyState } from '../kit/card.tsx';
import { actionColumn, column, countColumn, dayColumn, mainColumn } from '../kit/columns.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { faultAnswer, missingPage } from '../kit/fault.tsx';
import { momentText } from '../kit/format.ts';
import { changedTooOften } from '../owner/alerts/alert-channels.tsx';
import { deliveryText } from '../owner/developer/webhook.tsx';
import type { OwnSentRequest, WebDeps } from '../page.ts';
import { sendResetLink } from '../session/forgotten.tsx';
import type { FoundAccount } from './operator-accounts.tsx';

const messagesShown = 20;

export const accountsPath = '/operator/accounts';

/** With the ID: addresses of pages are in the logs of proxies. */
export function accountPath({ id }: Pick<Account, 'id'>): string {
  return `${accountsPath}/${id}`;
}

interface ShownMessage {
  readonly kind: DeliveryKind;
  readonly delivery: Delivery;
}

export async function findMessages({ accounts }: WebDeps, { id }: Pick<Account, 'id'>) {
  const channels = await accounts.listDeliveryChannels(id);
  const page = { before: null, limit: messagesShown };
  const lists = await Promise.all(
    channels.map(async (channel) => {
      const deliveries = await accounts.listDeliveries(id, channel.id, page);
      return deliveries.map((delivery) => ({ kind: channel.kind, delivery }));
    }),
  );
  const all = lists.flat().sort((a, b) => b.delivery.id - a.delivery.id);
  return all.slice(0, messagesShown);
}

export function Messages(props: {
  readonly path: string;
  readonly messages: readonly ShownMessage[];
}) {
  const { path, messages } = props;
  return (
    <Card title="Messages">
      {messages.length === 0 ? (
        <EmptyState title="No messages sent">
          Alerts and webhook events of this account are listed here, without their content.
        </EmptyState>
      ) : (
        <DataTable label="Messages" columns={columnsOf(path)} rows={messages} />
      )}
    </Card>
  );
}

function columnsOf(path: string): Column<ShownMessage>[] {
  return [
    mainColumn('Message', ({ delivery }) => <code>{delivery.type}</code>),
    column('Channel', ({ kind }) => deliveryTable[kind].title),
    dayColumn('Time', ({ delivery }) => momentText(delivery.at)),
    column('Status', ({ delivery }) => deliveryText(delivery, 'UTC')),
    countColumn('Attempts', ({ delivery }) => delivery.tries),
    column('Response', ({ delivery }) => delivery.answerStatus ?? '—'),
    actionColumn(({ delivery: { id, messageId } }) => (
      <ButtonForm action={`${path}/messages/${id}/resend`} look="link" of={messageId}>
        Send again
      </ButtonForm>
    )),
  ];
}

export async function postResend(deps: WebDeps, sent: OwnSentRequest, { account }: FoundAccount) {
  const deliveryId = idOf(sent.params.message);
  const by = { accountId: account.id, at: sent.at };
  if (deliveryId === null) return missingPage(sent);
  if (!(await mayUseAlerts(deps.accounts, 'resend', by))) {
    return faultAnswer(sent, 429, changedTooOften);
  }
  const resent = { at: sent.at, by: 'operator' } as const;
  const done = await deps.accounts.resendDelivery(account.id, deliveryId, resent);
  if (done !== 'done') return missingPage(sent);
  const detail = `message ${deliveryId}`;
  await recordAudit(deps, sent, { action: 'delivery.resent', accountId: account.id, detail });
  return { goTo: `${accountPath(account)}?did=resent` };
}

/** Emails the owner a password link, which the operator does not see. */
export async function postMail(deps: WebDeps, sent: OwnSentRequest, { account }: FoundAccount) {
  if (!deps.sendMail) return missingPage(sent);
  if (!(await mayRequestResetLink(deps, account.email, sent))) {
    return faultAnswer(sent, 429, 'Too many links were sent to this address. Try again later.');
  }
  await sendResetLink(deps, account.email, sent);
  const detail = 'password link';
  await recordAudit(deps, sent, { action: 'mail.resent', accountId: account.id, detail });
  return { goTo: `${accountPath(account)}?did=mailed` };
}
