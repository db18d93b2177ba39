/** The email to owners about a channel that was turned off. */

import { expect, test } from 'bun:test';
import { type DeliveryKind, deliveryKinds } from '../channels/delivery-channel-kinds.ts';
import { turnedOffMail } from './delivery-work.work.ts';

const toWebhooks =
  'Turn it on again, and it continues where it stopped. Events are kept for 90 days.\n' +
  'https://bricks.example.com/webhooks/7\n';
const toAlerts = `Turn it on again to get alerts there.
https://bricks.example.com/alerts/settings
`;

const texts: Readonly<Record<DeliveryKind, readonly [noun: string, next: string]>> = {
  webhook: ['webhook', toWebhooks],
  email: ['email channel', toAlerts],
  ntfy: ['ntfy channel', toAlerts],
  discord: ['Discord channel', toAlerts],
};

test.each(deliveryKinds)('the owner of a channel for %s reads what was turned off', (kind) => {
  const [noun, next] = texts[kind];
  const mail = turnedOffMail(
    { id: 7, kind, email: 'ann@example.com' },
    { reason: 'It is gone.', baseUrl: 'https://bricks.example.com', at: 5 },
  );
  expect(mail).toEqual({
    to: 'ann@example.com',
    subject: `Your ${noun} was turned off`,
    text: `Your ${noun} was turned off.\n\nIt is gone.\n\n${next}`,
    at: 5,
  });
});
