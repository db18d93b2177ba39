/** The form of a webhook. */

import {
  type AccountNoticeKind,
  accountNoticeKinds,
} from '../../../accounts/notices/account-notice.ts';
import {
  channelNameLengthMax,
  type DeliveryChannel,
  type EventScope,
  eventScopes,
  type Subscription,
} from '../../../alerts/channels/delivery-channel.ts';
import { deliveryTable } from '../../../alerts/channels/delivery-channel-kinds.ts';
import { type EventKind, eventKinds } from '../../../market/events/events.ts';
import { Checkbox, Choice, Field } from '../../kit/fields.tsx';
import type { FormReader } from '../../kit/form-reader.ts';
import { AddressField } from '../alerts/alert-channels.tsx';

const kindTexts: Readonly<Record<EventKind, string>> = {
  'retail.price': 'Price changed at a retailer',
  'retail.low': 'New all-time low',
  'retail.flip': 'Seller changed (retailer or third party)',
  'retail.stock': 'In or out of stock',
  'retail.offer': 'First offer of a retailer, other changes of an offer',
  'value.move': 'Value moved 5% or more',
  'value.tier': 'Data tier changed',
  'set.status': 'Status changed (available, retiring, retired)',
  'history.month': 'A month became final',
  'history.restated': 'History was restated',
  'deal.open': 'Deal opened',
  'deal.close': 'Deal closed',
};

const noticeTexts: Readonly<Record<AccountNoticeKind, string>> = {
  'quota.reached': '80% or 100% of a daily limit used',
  'key.expiring': 'API key about to expire',
  'bulk.ready': 'New bulk files',
};

const scopeTexts: Readonly<Record<EventScope, string>> = {
  all: 'Everything',
  holdings: 'My holdings',
  watch: 'My watchlists',
};

const usualScope: EventScope = 'watch';

export function readSubscription(fields: FormReader): Subscription {
  const kinds = eventKinds.filter((kind) => fields.form.isTicked(kindField(kind)));
  return { kinds, scope: fields.word('scope', eventScopes) };
}

export function readNotices(fields: FormReader): AccountNoticeKind[] {
  return accountNoticeKinds.filter((kind) => fields.form.isTicked(kindField(kind)));
}

function kindField(kind: EventKind | AccountNoticeKind): string {
  return `kind_${kind.replace('.', '_')}`;
}

export function subscriptionValues({
  subscription,
  notices,
}: Pick<DeliveryChannel, 'subscription' | 'notices'>): Readonly<Record<string, string>> {
  const kinds = [...(subscription?.kinds ?? []), ...notices];
  return {
    scope: subscription?.scope ?? usualScope,
    ...Object.fromEntries(kinds.map((kind) => [kindField(kind), 'yes'])),
  };
}

/** The default events of a new webhook: all of them would be too many. */
export const newWebhookValues = subscriptionValues({
  subscription: {
    kinds: ['retail.price', 'retail.low', 'retail.stock', 'deal.open'],
    scope: usualScope,
  },
  notices: [],
});

export function subscriptionText({
  subscription,
  notices,
}: Pick<DeliveryChannel, 'subscription' | 'notices'>): string {
  if (!subscription?.kinds.length) return notices.join(', ') || 'Alerts only';
  const { kinds, scope } = subscription;
  const count = kinds.length === eventKinds.length ? 'All events' : kinds.join(', ');
  return [`${count} · ${scopeTexts[scope]}`, ...notices].join(', ');
}

export function WebhookFields(props: {
  /** The masked address; null for a new webhook. */
  readonly kept: string | null;
}) {
  const { kept } = props;
  return (
    <>
      <div class="form-grid">
        <AddressField kept={kept} hint={`For example, ${deliveryTable.webhook.address.example}`} />
        <Field name="name" label="Name (optional)" maxlength={channelNameLengthMax} />
        <Choice
          name="scope"
          label="Items"
          options={eventScopes.map((scope) => [scope, scopeTexts[scope]])}
        />
      </div>
      <fieldset class="options">
        <legend>Events</legend>
        <div class="form-grid wide">
          {eventKinds.map((kind) => (
            <Checkbox key={kind} name={kindField(kind)} label={`${kindTexts[kind]} (${kind})`} />
          ))}
        </div>
        <p class="quiet flush">Select none to receive only alerts and the notices below.</p>
      </fieldset>
      <fieldset class="options">
        <legend>Notices about your account</legend>
        <div class="form-grid wide">
          {accountNoticeKinds.map((kind) => (
            <Checkbox key={kind} name={kindField(kind)} label={`${noticeTexts[kind]} (${kind})`} />
          ))}
        </div>
      </fieldset>
    </>
  );
}
