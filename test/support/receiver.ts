/** A receiver of webhooks on this machine, and webhooks of accounts that lead to it. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSealer } from '../../src/cli/channel-key.ts';
import { newWebhookSecret } from '../../src/domain/delivery/signature.ts';
import type { EventKind } from '../../src/domain/market/events.ts';
import { eventKinds } from '../../src/domain/market/events.ts';
import type { Workplace } from './cli.ts';
import { openTestStore } from './engines.ts';

/** A message that arrived. */
export interface Arrived {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A running receiver. */
export interface Receiver {
  readonly url: string;
  /** In the order in which they came. */
  readonly arrived: readonly Arrived[];
  /** Answers otherwise from now on. */
  answerWith(answer: (arrived: Arrived) => Response | Promise<Response>): void;
  stop(): Promise<void>;
}

/** Starts one; it takes everything until it is told otherwise. */
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

/** What a server is started with that may send to this machine, by one of its addresses. */
export function deliverySettings(place: Workplace, address = '127.0.0.1'): Record<string, string> {
  const secretFile = join(place.folder, 'secret');
  writeFileSync(secretFile, 'a secret of at least thirty-two bytes', { mode: 0o600 });
  return { BRICKMARK_SECRET_FILE: secretFile, BRICKMARK_ALLOWED_NETWORKS: address };
}

/** A webhook to be: told of everything from now on, unless it names kinds or a position. */
interface WebhookFacts {
  readonly accountId: number;
  readonly address: string;
  readonly at: number;
  readonly kinds?: readonly EventKind[];
  readonly position?: number;
}

/** A webhook as its owner knows it. */
interface AddedWebhook {
  readonly id: number;
  readonly secret: string;
}

/** Adds a webhook to an account. */
export async function addWebhook(place: Workplace, facts: WebhookFacts): Promise<AddedWebhook> {
  const [added] = await addWebhooks(place, [facts]);
  if (!added) throw new Error('The webhook was not added.');
  return added;
}

/** Adds webhooks to accounts, in their order. */
export async function addWebhooks(
  place: Workplace,
  webhooks: readonly WebhookFacts[],
): Promise<AddedWebhook[]> {
  const secretFile = deliverySettings(place).BRICKMARK_SECRET_FILE ?? null;
  const { sealer } = findSealer({ secretFile, dataFolder: place.data }, randomBytes);
  const store = await openTestStore(place.data);
  try {
    const log = await store.market.listEvents({ after: null, kinds: null, items: null, limit: 1 });
    const all: AddedWebhook[] = [];
    for (const { accountId, address, at, kinds = eventKinds, position } of webhooks) {
      const secret = newWebhookSecret(randomBytes);
      const added = await store.accounts.addChannel(accountId, {
        kind: 'webhook',
        name: 'Receiver',
        address: sealer?.seal(address, { accountId, purpose: 'address' }) ?? null,
        secret: sealer?.seal(secret, { accountId, purpose: 'secret' }) ?? null,
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
