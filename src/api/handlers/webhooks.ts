/** Webhooks of the caller. */
import {
  addWebhook,
  type ChannelDeps,
  changeOwnChannel,
  rotateOwnSecret,
  switchOwnChannel,
  testOwnChannel,
} from '../../accounts/own-webhooks.ts';
import { ApiError } from '../../contract/errors.ts';
import { bad } from '../../contract/input-messages.ts';
import type { Webhook, WebhookDelivery } from '../../contract/plus/webhooks.ts';
import { type AccountNoticeKind, accountNoticeKinds } from '../../domain/account/account-notice.ts';
import { addressProblem, maskedAddress } from '../../domain/delivery/channel-address.ts';
import type { Delivery } from '../../domain/delivery/delivery.ts';
import {
  channelsMax,
  type DeliveryChannel,
  type EventScope,
  type Subscription,
} from '../../domain/delivery/delivery-channel.ts';
import type { Encrypter } from '../../domain/delivery/encryption.ts';
import { shortText } from '../../domain/kernel/text.ts';
import {
  formatInstant,
  formatInstantOrNull,
  hourMs,
  minuteMs,
  secondMs,
} from '../../domain/kernel/time.ts';
import { type EventKind, eventKinds } from '../../domain/market/events.ts';
import type { Answer, Handler, Handlers } from '../handler.ts';
import { changeDeps, type HandlerDeps } from '../handler-deps.ts';
import { deleted, tooMany } from './watchlists.ts';

export function webhookHandlers(deps: HandlerDeps) {
  const { accounts } = deps;
  return {
    listWebhooks: () => ({
      read: async ({ accountId }) => {
        const webhooks = await listWebhooks(deps, accountId);
        const shown = await Promise.all(webhooks.map((webhook) => present(deps, webhook)));
        return JSON.stringify({ webhooks: shown });
      },
    }),
    createWebhook: createWebhook(deps),
    getWebhook: ({ params }) => ({
      read: ({ accountId }) => answerOne(deps, accountId, params.webhook),
    }),
    changeWebhook: changeWebhook(deps),
    testWebhook: ({ params: { webhook: channelId } }) => ({
      read: async ({ accountId }, { at }) => {
        if (!(await findWebhook(deps, accountId, channelId))) return noWebhook;
        const tested = await testOwnChannel(channelDeps(deps), { accountId, channelId, at });
        if (tested === 'missing') return noWebhook;
        if (tested === 'too often') throw tooOften('tests', 15 * minuteMs);
        return JSON.stringify(presentDelivery(tested));
      },
    }),
    rotateWebhookSecret: ({ params: { webhook: channelId } }) => ({
      read: async ({ accountId }, { at }) => {
        const own = { accountId, channelId, at };
        const rotated = await rotateOwnSecret(channelDeps(deps), encrypterOf(deps), own);
        if (rotated === 'missing') return noWebhook;
        if (rotated === 'too often') throw tooOften('changes', hourMs);
        const { secret, oldUntil } = rotated;
        return JSON.stringify({ secret, old_secret_until: formatInstant(oldUntil) });
      },
    }),
    deleteWebhook: ({ params }) => ({
      read: async ({ accountId }, { at }) => {
        const isOwn = await findWebhook(deps, accountId, params.webhook);
        const isDone = isOwn && (await accounts.removeChannel(accountId, params.webhook, at));
        return isDone ? deleted : noWebhook;
      },
    }),
  } satisfies Partial<Handlers>;
}

/** `POST /webhooks` */
function createWebhook(deps: HandlerDeps): Handler<'createWebhook'> {
  return ({ body: { name, url, kinds = [], scope = 'all', notices = [] } }) => {
    checkUrl(deps, url);
    return {
      read: async ({ accountId }, { at }) => {
        const encrypter = encrypterOf(deps);
        const subscription = subscriptionOf(kinds, scope);
        const wanted = noticesOf(notices);
        const input = { url, name, subscription, notices: wanted, isNameUnique: true };
        const made = await addWebhook(channelDeps(deps), encrypter, { accountId, at }, input);
        if (made === 'too often') throw tooOften('changes', hourMs);
        if (made === 'too many') throw tooMany(channelsMax.webhook, 'webhooks');
        if (made === 'no account') return noWebhook;
        if (made !== 'name taken') return answerOne(deps, accountId, made.id, made.secret);
        // It may be from an attempt whose response was lost.
        const known = (await listWebhooks(deps, accountId)).find(
          (each) => each.name === name && urlOf(encrypter, each) === url,
        );
        if (known) return answerOne(deps, accountId, known.id, null);
        const message = `You have a webhook named '${shortText(name)}' with another URL.`;
        throw new ApiError('Conflict', `${message} Change it, or choose another name.`);
      },
    };
  };
}

/** `PATCH /webhooks/{webhook}` */
function changeWebhook(deps: HandlerDeps): Handler<'changeWebhook'> {
  return ({ params: { webhook: channelId }, body }) => {
    const { name, url, kinds, scope, notices, is_on: isOn } = body;
    if (url !== undefined) checkUrl(deps, url);
    return {
      read: async ({ accountId }, { at }) => {
        const webhook = await findWebhook(deps, accountId, channelId);
        if (!webhook) return noWebhook;
        const known = webhook.subscription;
        const change = {
          ...(name !== undefined && { name }),
          ...(notices !== undefined && { notices: noticesOf(notices) }),
          ...(url !== undefined && {
            address: encrypterOf(deps).encrypt(url, { accountId, purpose: 'address' }),
          }),
          ...((kinds ?? scope) !== undefined && {
            subscription: subscriptionOf(
              kinds ?? known?.kinds ?? [],
              scope ?? known?.scope ?? 'all',
            ),
          }),
        };
        const own = { accountId, channelId, at };
        if (Object.keys(change).length > 0) {
          const outcome = await changeOwnChannel(channelDeps(deps), own, change);
          if (outcome === 'too often') throw tooOften('changes', hourMs);
        }
        // Turning on what is on would make failed messages due at once.
        if (isOn !== undefined && webhook.state !== (isOn ? 'active' : 'off')) {
          const outcome = await switchOwnChannel(deps, own, isOn);
          if (outcome === 'too often') throw tooOften('changes', hourMs);
        }
        return answerOne(deps, accountId, channelId);
      },
    };
  };
}

function channelDeps(deps: HandlerDeps): ChannelDeps {
  const { accounts, market } = deps;
  return { accounts, market: market.store, ...changeDeps(deps) };
}

function encrypterOf(deps: HandlerDeps): Encrypter {
  const { encrypter } = changeDeps(deps);
  if (encrypter) return encrypter;
  throw new ApiError(
    'Conflict',
    'Webhooks are off on this server: its operator has set no secret.',
  );
}

/** The same message as for another account's webhook. */
const noWebhook: Answer = { missing: 'You have no webhook with this ID.' };

function tooOften(what: string, waitMs: number): ApiError {
  const message = `Too many ${what} of webhooks. Wait ${waitMs / minuteMs} minutes and try again.`;
  return new ApiError('TooManyRequests', message, waitMs / secondMs);
}

function checkUrl(deps: HandlerDeps, url: string): void {
  const problem = addressProblem('webhook', url, changeDeps(deps).allowedNetworks);
  if (problem !== null) throw bad(`In the body, 'url' is not accepted. ${problem}`);
}

/** Without repeated kinds; null if there are none. */
function subscriptionOf(kinds: readonly EventKind[], scope: EventScope): Subscription | null {
  const wanted = eventKinds.filter((kind) => kinds.includes(kind));
  return wanted.length === 0 ? null : { kinds: wanted, scope };
}

/** Without repeated ones. */
function noticesOf(kinds: readonly AccountNoticeKind[]): AccountNoticeKind[] {
  return accountNoticeKinds.filter((kind) => kinds.includes(kind));
}

async function listWebhooks({ accounts }: HandlerDeps, accountId: number) {
  return (await accounts.listChannels(accountId)).filter(({ kind }) => kind === 'webhook');
}

async function findWebhook(deps: HandlerDeps, accountId: number, channelId: number) {
  return (await listWebhooks(deps, accountId)).find(({ id }) => id === channelId);
}

async function answerOne(
  deps: HandlerDeps,
  accountId: number,
  channelId: number,
  secret?: string | null,
): Promise<Answer> {
  const webhook = await findWebhook(deps, accountId, channelId);
  if (!webhook) return noWebhook;
  const shown = await present(deps, webhook);
  return JSON.stringify(secret === undefined ? shown : { ...shown, secret });
}

function urlOf(encrypter: Encrypter, { accountId, address }: DeliveryChannel): string | null {
  return address && encrypter.decrypt(address, { accountId, purpose: 'address' });
}

async function present(deps: HandlerDeps, webhook: DeliveryChannel): Promise<Webhook> {
  const { id, accountId, name, state, subscription, position } = webhook;
  const { encrypter } = changeDeps(deps);
  const url = encrypter && urlOf(encrypter, webhook);
  const page = { before: null, limit: 1 };
  const [last] = await deps.accounts.listDeliveries(accountId, id, page);
  return {
    id,
    name,
    url: url === null ? '' : maskedAddress(url),
    state,
    state_reason: webhook.stateReason,
    failing_since: formatInstantOrNull(webhook.failingSince),
    retry_at: formatInstantOrNull(webhook.retryAt),
    kinds: [...(subscription?.kinds ?? [])],
    scope: subscription?.scope ?? 'all',
    position,
    notices: [...webhook.notices],
    created_at: formatInstant(webhook.createdAt),
    last_delivery: last ? presentDelivery(last) : null,
  };
}

function presentDelivery(delivery: Delivery): WebhookDelivery {
  return {
    message_id: delivery.messageId,
    type: delivery.type,
    created_at: formatInstant(delivery.at),
    state: delivery.state,
    attempts: delivery.tries,
    attempted_at: formatInstantOrNull(delivery.triedAt),
    response_status: delivery.answerStatus,
    response: delivery.answer,
  };
}
