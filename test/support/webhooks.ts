/** Webhooks of accounts in a workplace, and the settings that servers need to send to them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSealer } from '../../src/cli/channel-key.ts';
import { readConfig } from '../../src/config.ts';
import type { Subscription } from '../../src/domain/delivery/channel.ts';
import { newWebhookSecret } from '../../src/domain/delivery/signature.ts';
import type { Workplace } from './cli.ts';
import { openTestStore } from './engines.ts';

const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));

/** What a server finds in its environment: a secret file, and a network of receivers. */
export function deliverySettings(
  place: Workplace,
  allowedNetworks = '127.0.0.0/8',
): Record<string, string> {
  const secretFile = join(place.folder, 'secret');
  writeFileSync(secretFile, 's'.repeat(64), { mode: 0o600 });
  return {
    BRICKMARK_SECRET_FILE: secretFile,
    BRICKMARK_ALLOWED_NETWORKS: allowedNetworks,
  };
}

/** Adds a webhook that is told of what happens after a position; the secret that it signs with. */
export async function addWebhook(
  place: Workplace,
  webhook: {
    readonly email: string;
    readonly address: string;
    readonly subscription: Subscription;
    readonly position: number;
  },
): Promise<{ readonly id: number; readonly secret: string }> {
  const config = readConfig({ ...(await place.env()), ...deliverySettings(place) });
  const { sealer } = findSealer(config, randomBytes);
  if (sealer === null) throw new Error('Webhooks are off.');
  const store = await openTestStore(place.data);
  try {
    const account = await store.accounts.findAccount(webhook.email, config.clock());
    const accountId = account?.id ?? 0;
    const secret = newWebhookSecret(randomBytes);
    const made = await store.accounts.addChannel(accountId, {
      kind: 'webhook',
      name: webhook.address,
      address: sealer.seal(webhook.address, { accountId, purpose: 'address' }),
      secret: sealer.seal(secret, { accountId, purpose: 'secret' }),
      subscription: webhook.subscription,
      position: webhook.position,
      at: config.clock(),
    });
    if (typeof made === 'string') throw new Error(made);
    return { id: made.id, secret };
  } finally {
    await store.close();
  }
}
