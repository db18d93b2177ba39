/** Webhooks: JSON for programs. */
import { formatInstant } from '../../../kernel/time.ts';
import { alertMessageType, testMessageType } from '../../delivery/delivery.ts';
import type { PostedRow } from './delivery-channel-row.ts';

export const webhook: PostedRow = {
  sentBy: 'http',
  title: 'Webhook',
  word: 'webhook',
  plural: 'webhooks',
  max: 5,
  isForPrograms: true,
  address: { example: 'https://example.com/brickmark', path: /^\// },
  testBody: (text, at) => webhookBody(testMessageType, at, { message: text }),
  alertBody: (alerts, at) => webhookBody(alertMessageType, at, { alerts: alerts.records() }),
  request: (message) => message,
};

/** The type is a kind of event or notice, `alert`, `stale` or `test`. */
export function webhookBody(type: string, at: number, data: object): object {
  return { type, timestamp: formatInstant(at), data };
}
