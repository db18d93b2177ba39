/** The caller's webhooks, and the notices that they can receive. */
import type { Endpoint } from '../../endpoint.ts';
import * as notices from '../notices.ts';
import * as watchlists from '../watchlists.ts';
import * as webhooks from '../webhooks.ts';
import { usual } from './usual.ts';

const row = { ...usual, scope: 'caller', needs: ['events'], tag: 'Webhooks' } as const;

/** Messages reveal holdings and watchlists, and receivers trust every signed message. */
const change = { ...row, needs: ['events', 'portfolio'], effect: 'once' } as const;

export const webhookEndpoints = {
  listWebhooks: {
    ...row,
    path: '/webhooks',
    summary: 'List your webhooks',
    description: 'Returns your webhooks, oldest first, each with its state and latest message.',
    docs: 'your webhooks with their state',
    answer: webhooks.Webhooks,
    example: { webhooks: [webhooks.webhookExample] },
  },
  createWebhook: {
    ...change,
    method: 'POST',
    path: '/webhooks',
    summary: 'Create a webhook',
    description:
      'Creates a webhook and returns it with its signing secret, which no other call returns. ' +
      'If you have one with this name and URL, returns that one without the secret, so a call ' +
      'whose response was lost can be repeated; then rotate the secret. `scope` is `all` unless ' +
      'you send another. You can have 5, and change webhooks 30 times an hour.',
    docs: 'a new webhook with its signing secret',
    body: webhooks.WebhookBody,
    answer: webhooks.CreatedWebhook,
    example: webhooks.createdWebhookExample,
    bodyExample: webhooks.webhookBodyExample,
  },
  getWebhook: {
    ...row,
    path: '/webhooks/{webhook}',
    summary: 'Get a webhook',
    description: 'Returns one of your webhooks with its state and latest message.',
    docs: 'a webhook with its state',
    params: webhooks.WebhookParams,
    answer: webhooks.Webhook,
    example: webhooks.webhookExample,
    mayMiss: true,
  },
  changeWebhook: {
    ...change,
    method: 'PATCH',
    path: '/webhooks/{webhook}',
    summary: 'Change, pause or resume a webhook',
    description:
      'Changes what you send, and returns the webhook; what you omit stays as it is. Either all ' +
      'of it is changed or nothing. A new URL is tried at once. A webhook that is turned on ' +
      'continues where it stopped.',
    docs: 'a webhook with its changes: name, URL, events, on or off',
    params: webhooks.WebhookParams,
    body: webhooks.WebhookChangeBody,
    answer: webhooks.Webhook,
    example: webhooks.webhookExample,
    bodyExample: { is_on: true },
    mayMiss: true,
  },
  testWebhook: {
    ...change,
    effect: 'each time',
    method: 'POST',
    path: '/webhooks/{webhook}/test',
    summary: 'Send a test to a webhook',
    description:
      'Sends a message of the type `test`, even if the webhook is off, waits up to 4 seconds for ' +
      'the response of your server, and returns both. Each call sends a message; at most 10 in ' +
      '15 minutes.',
    docs: 'a test message, and how your server responded',
    params: webhooks.WebhookParams,
    answer: webhooks.WebhookDelivery,
    example: webhooks.testDeliveryExample,
    mayMiss: true,
  },
  rotateWebhookSecret: {
    ...change,
    effect: 'each time',
    method: 'POST',
    path: '/webhooks/{webhook}/secret',
    summary: 'Rotate the secret of a webhook',
    description:
      'Replaces the signing secret of your webhook and returns the new one. For 24 hours, ' +
      'messages are also signed with the old one. Each call makes a new secret.',
    docs: 'a new signing secret',
    params: webhooks.WebhookParams,
    answer: webhooks.WebhookSecret,
    example: webhooks.webhookSecretExample,
    mayMiss: true,
  },
  deleteWebhook: {
    ...change,
    method: 'DELETE',
    path: '/webhooks/{webhook}',
    summary: 'Delete a webhook',
    description:
      'Deletes your webhook with its secret and messages, and removes it from alerts. A second ' +
      'call returns 404.',
    docs: 'deletes a webhook',
    params: webhooks.WebhookParams,
    answer: watchlists.Deletion,
    example: watchlists.deletionExample,
    mayMiss: true,
  },
  listNotices: {
    ...row,
    path: '/notices',
    summary: 'List notices about your account',
    description:
      'Returns notices about your keys, and about bulk files if the operator offers them, oldest ' +
      'first. To get the next page, or later only what is new, send `next` as `after`. Notices ' +
      'are kept for 90 days.',
    docs: 'notices about your account: allowance used, key expires, bulk files ready',
    query: notices.NoticesQuery,
    answer: notices.NoticePage,
    example: notices.noticePageExample,
  },
} as const satisfies Record<string, Endpoint>;
