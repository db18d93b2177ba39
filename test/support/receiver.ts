/** A webhook receiver on loopback, and webhooks that point to it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newWebhookSecret } from '../../src/alerts/delivery/signature.ts';
import { findEncrypter } from '../../src/cli/secret-file.ts';
import { type EventKind, eventKinds } from '../../src/market/events/events.ts';
import type { Workplace } from './cli.ts';
import { openTestStore } from './engines.ts';

export interface Arrived {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  /** In order of arrival. */
  readonly arrived: readonly Arrived[];
  /** Replaces the handler. */
  answerWith(answer: (arrived: Arrived) => Response | Promise<Response>): void;
  stop(): Promise<void>;
}

/** Starts a receiver that responds 200 by default. */
export function startReceiver(): Receiver {
  const arrived: Arrived[] = [];
  let answer = (_: Arrived): Response | Promise<Response> => new Response('fine');
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { pathname: path } = new URL(request.url);
      const headers = Object.fromEntries(request.headers);
      const one = { path, headers, body: await request.text() };
      arrived.push(one);
      return answer(one);
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    arrived,
    answerWith: (next) => {
      answer = next;
    },
    stop: () => server.stop(true),
  };
}

const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));

/** Server settings that allow deliveries to a loopback address. */
export function deliverySettings(place: Workplace, address = '127.0.0.1'): Record<string, string> {
  const secretFile = join(place.folder, 'secret');
  writeFileSync(secretFile, 'a secret of at least thirty-two bytes', { mode: 0o600 });
  return { BRICKMARK_SECRET_FILE: secretFile, BRICKMARK_ALLOWED_NETWORKS: address };
}

/** By default, a webhook for all kinds of events from now on. */
interface WebhookFacts {
  readonly accountId: number;
  readonly address: string;
  readonly at: number;
  readonly kinds?: readonly EventKind[];
  readonly position?: number;
}

interface AddedWebhook {
  readonly id: number;
  readonly secret: string;
}

export async function addWebhook(place: Workplace, facts: WebhookFacts): Promise<AddedWebhook> {
  const [added] = await addWebhooks(place, [facts]);
  if (!added) throw new Error('The webhook was not added.');
  return added;
}

export async function addWebhooks(
  place: Workplace,
  webhooks: readonly WebhookFacts[],
): Promise<AddedWebhook[]> {
  const secretFile = deliverySettings(place).BRICKMARK_SECRET_FILE ?? null;
  const { encrypter } = findEncrypter({ secretFile, dataFolder: place.data }, randomBytes);
  const store = await openTestStore(place.data);
  try {
    const log = await store.market.listEvents({ after: null, kinds: null, items: null, limit: 1 });
    const all: AddedWebhook[] = [];
    for (const { accountId, address, at, kinds = eventKinds, position } of webhooks) {
      const secret = newWebhookSecret(randomBytes);
      const added = await store.accounts.addDeliveryChannel(accountId, {
        kind: 'webhook',
        name: 'Receiver',
        address: encrypter?.encrypt(address, { accountId, purpose: 'address' }) ?? null,
        secret: encrypter?.encrypt(secret, { accountId, purpose: 'secret' }) ?? null,
        subscription: { kinds, scope: 'all' },
        position: position ?? ('next' in log ? log.next : 0),
        at,
      });
      if (typeof added === 'string') throw new Error(added);
      all.push({ id: added.id, secret });
    }
    return all;
  } finally {
    await store.close();
  }
}
