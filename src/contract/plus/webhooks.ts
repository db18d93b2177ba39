/** Webhooks of the caller: reading, changing and testing them. */
import Type, { type Static } from 'typebox';
import { accountNoticeKinds } from '../../accounts/notices/account-notice.ts';
import { addressLengthMax } from '../../alerts/channels/channel-address.ts';
import {
  channelNameLengthMax,
  channelStates,
  eventScopes,
} from '../../alerts/channels/delivery-channel.ts';
import { deliveryTable } from '../../alerts/channels/delivery-channel-kinds.ts';
import { deliveryStates } from '../../alerts/delivery/delivery.ts';
import { eventKinds } from '../../market/events/events.ts';
import {
  count,
  enteredText,
  exactly,
  flag,
  id,
  instant,
  largeCount,
  listOf,
  oneOf,
  orNull,
  ownId,
  printablePattern,
  record,
  text,
} from '../fields.ts';

export const WebhookParams = exactly({ webhook: ownId('ID of the webhook.') });

const kindsOf = (description: string) =>
  listOf(oneOf(eventKinds, 'A kind of event.'), description, eventKinds.length);

const noticesOf = (description: string) =>
  listOf(oneOf(accountNoticeKinds, 'A kind of notice.'), description, accountNoticeKinds.length);

const fields = {
  name: enteredText(channelNameLengthMax, 'Name of the webhook.', 'Warehouse'),
  url: Type.String({
    minLength: 1,
    maxLength: addressLengthMax,
    pattern: printablePattern,
    description:
      'Where messages are sent: a public https address. It is stored encrypted, and shown in ' +
      'part only.',
    examples: ['https://example.com/brickmark'],
  }),
  kinds: kindsOf('The kinds of market events to send; empty for none.'),
  scope: oneOf(
    eventScopes,
    'Which events of these kinds: `all`, or only those about your `holdings` or `watch` lists. ' +
      'It is kept while there are no kinds.',
  ),
  notices: noticesOf('The kinds of notices about your account to send; empty for none.'),
};

const optionalFields = Type.Partial(Type.Object(fields)).properties;

export const WebhookBody = record('WebhookRequest', {
  ...optionalFields,
  name: fields.name,
  url: fields.url,
});

export const WebhookChangeBody = record('WebhookChangeRequest', {
  ...optionalFields,
  is_on: Type.Optional(
    flag('`false` pauses it, `true` resumes it: it continues where it stopped, and tries at once.'),
  ),
});

export const WebhookDelivery = record('WebhookDelivery', 'A message to a webhook.', {
  message_id: text('The `webhook-id` of the message.'),
  type: text('The `type` of the message.'),
  created_at: instant('When it was queued.'),
  state: oneOf(
    deliveryStates,
    '`waiting` for an attempt, `done` when it was accepted, or `given_up`.',
  ),
  attempts: count('Attempts so far.'),
  attempted_at: orNull(instant('The last attempt; null before the first.')),
  response_status: orNull(count('HTTP status of the last response; null if there was none.')),
  response: orNull(
    text('The beginning of the last response, or why there was none; null before the first.'),
  ),
});

const webhookFields = {
  id: id('ID of the webhook.'),
  name: text('Its name.'),
  url: text('The host and the beginning of the path; the rest is not shown.'),
  state: oneOf(
    channelStates,
    '`active`; `paused` after the last attempt of a message failed, retried once a day; or `off`.',
  ),
  state_reason: orNull(text('Why it is paused or off; null also if you turned it off.')),
  failing_since: orNull(instant('When it began to fail; null while it works.')),
  retry_at: orNull(instant('The next attempt after a failure; null while it works.')),
  kinds: kindsOf('The kinds of market events that are sent; empty for none.'),
  scope: oneOf(eventScopes, 'Which events of these kinds are sent.'),
  position: orNull(
    largeCount('Position of the last event that was queued; null if it gets no events.'),
  ),
  notices: noticesOf('The kinds of notices about your account that are sent; empty for none.'),
  created_at: instant('When it was added.'),
  last_delivery: Type.Union([WebhookDelivery, Type.Null()], {
    description: 'The latest message; null if there was none in the last 30 days.',
  }),
};

export const Webhook = record('Webhook', 'A webhook.', webhookFields);

export const Webhooks = record('WebhookList', {
  webhooks: listOf(Webhook, 'Oldest first.', deliveryTable.webhook.max),
});

export const CreatedWebhook = record('CreatedWebhook', {
  ...webhookFields,
  secret: orNull(
    text('The signing secret, which no other call returns; null if the webhook existed.'),
  ),
});

export const WebhookSecret = record('WebhookSecret', {
  secret: text('The new signing secret, which no other call returns.'),
  old_secret_until: instant('Until then, messages are also signed with the old secret.'),
});

export type Webhook = Static<typeof Webhook>;
export type WebhookDelivery = Static<typeof WebhookDelivery>;

/** Examples for the OpenAPI document. */
const secretExample = 'whsec_RXhhbXBsZSBzZWNyZXQsIG5vdCBvZiBhbnlvbmUu';
export const webhookExample: Webhook = {
  id: 1,
  name: 'Warehouse',
  url: 'example.com/bric…',
  state: 'active',
  state_reason: null,
  failing_since: null,
  retry_at: null,
  kinds: ['retail.price', 'deal.open'],
  scope: 'watch',
  position: 1794744000000000,
  notices: ['quota.reached'],
  created_at: '2026-11-01T09:30:00.000Z',
  last_delivery: {
    message_id: 'evt_1_1794744000000000',
    type: 'retail.price',
    created_at: '2026-11-15T12:00:00.000Z',
    state: 'done',
    attempts: 1,
    attempted_at: '2026-11-15T12:00:01.000Z',
    response_status: 204,
    response: '',
  },
};
export const createdWebhookExample: Static<typeof CreatedWebhook> = {
  ...webhookExample,
  last_delivery: null,
  secret: secretExample,
};
export const webhookBodyExample: Static<typeof WebhookBody> = {
  name: 'Warehouse',
  url: 'https://example.com/brickmark',
  kinds: ['retail.price', 'deal.open'],
  scope: 'watch',
  notices: ['quota.reached'],
};
export const testDeliveryExample: WebhookDelivery = {
  message_id: 'test_1_1794744000000',
  type: 'test',
  created_at: '2026-11-15T12:00:00.000Z',
  state: 'done',
  attempts: 1,
  attempted_at: '2026-11-15T12:00:01.000Z',
  response_status: 204,
  response: '',
};
export const webhookSecretExample: Static<typeof WebhookSecret> = {
  secret: secretExample,
  old_secret_until: '2026-11-16T12:00:00.000Z',
};
