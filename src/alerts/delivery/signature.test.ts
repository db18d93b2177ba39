/** Signatures are verified with the library of Standard Webhooks. */
import { expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signatureHeaders } from './signature.ts';

const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
// The library compares the timestamp with the clock.
const at = Date.now();
const body = '{"type":"retail.low","data":{"title":"Löwe 🧱"}}';
const message = { messageId: 'evt_7_1794744000000', at, body };

test('a secret is whsec_ and 32 new random bytes', () => {
  const secret = newWebhookSecret(randomBytes);
  expect(secret).toStartWith('whsec_');
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  expect(newWebhookSecret(randomBytes)).not.toBe(secret);
});

test('only the signed message is verified', () => {
  const secret = newWebhookSecret(randomBytes);
  const headers = signatureHeaders(message, [secret]);
  const receiver = new Webhook(secret);
  expect(receiver.verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => receiver.verify(`${body} `, headers)).toThrow();
  expect(() => receiver.verify(body, { ...headers, 'webhook-id': 'evt_7_2' })).toThrow();
  const other = new Webhook(newWebhookSecret(randomBytes));
  expect(() => other.verify(body, headers)).toThrow();
});

test('with two signatures, a receiver with either secret can verify', () => {
  const secrets = [newWebhookSecret(randomBytes), newWebhookSecret(randomBytes)];
  const headers = signatureHeaders(message, secrets);
  for (const secret of secrets) new Webhook(secret).verify(body, headers);
});

test('the signature matches the example of the standard', () => {
  const headers = signatureHeaders(
    {
      messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      // Fractions of a second are cut off.
      at: 1_614_265_330_999,
      body: '{"test": 2432232314}',
    },
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  );
  expect(headers['webhook-timestamp']).toBe('1614265330');
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});
