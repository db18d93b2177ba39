/** Webhooks of the caller. */

import { accountNoticeKinds } from '../../accounts/notices/account-notice.ts';
import { addressProblem, maskedAddress } from '../../alerts/channels/channel-address.ts';
import { type DeliveryChannel, scopeDefault } from '../../alerts/channels/delivery-channel.ts';
import { deliveryTable } from '../../alerts/channels/delivery-channel-kinds.ts';
import {
  type ChannelDeps,
  permitChange,
  permitRotation,
  permitTest,
  permitWebhook,
} from '../../alerts/channels/own-webhooks.work.ts';
import type { Delivery } from '../../alerts/delivery/delivery.ts';
import { ApiError, allErrors } from '../../contract/errors.ts';
import { bad } from '../../contract/input-messages.ts';
import type { Webhook, WebhookDelivery } from '../../contract/plus/webhooks.ts';
import type { Encrypter } from '../../kernel/encryption.ts';
import { shortText } from '../../kernel/text.ts';
import {
  formatInstant,
  formatInstantOrNull,
  hourMs,
  minuteMs,
  secondMs,
} from '../../kernel/time.ts';
import { eventKinds } from '../../market/events/events.ts';
import { dataOf } from '../answer-data.ts';
import type { Answer, Handler, Handlers, Work } from '../handler.ts';
import { changeDeps, type HandlerDeps } from '../handler-deps.ts';
import { deleted, tooMany } from './watchlists.ts';

export function webhookHandlers(deps: HandlerDeps) {
  const { accounts } = deps;
  return {
    listWebhooks: () => ({
      read: async ({ accountId }) => {
        const webhooks = await listWebhooks(deps, accountId);
        const shown = await Promise.all(webhooks.map((webhook) => present(deps, webhook)));
        return dataOf({ webhooks: shown });
      },
    }),
    createWebhook: createWebhook(deps),
    getWebhook: ({ params }) => ({
      read: ({ accountId }) => answerOne(deps, accountId, params.webhook),
    }),
    changeWebhook: changeWebhook(deps),
    testWebhook: ({ params: { webhook: channelId } }) => ({
      begin: async ({ accountId }, { at }) => {
        if (!(await findWebhook(deps, accountId, channelId))) return missing;
        const send = await permitTest(channelDeps(deps), { accountId, channelId, at });
        return limited(send, tests, (test) =>
          typeof test === 'object' ? dataOf(presentDelivery(test)) : unusable(test),
        );
      },
    }),
    rotateWebhookSecret: ({ params: { webhook: channelId } }) => ({
      begin: async ({ accountId }, { at }) => {
        const own = { accountId, channelId, at };
        const rotate = await permitRotation(channelDeps(deps), encrypterOf(deps), own);
        return limited(rotate, changes, (rotated) => {
          if (typeof rotated !== 'object') return unusable(rotated);
          const { secret, oldUntil } = rotated;
          return dataOf({ secret, old_secret_until: formatInstant(oldUntil) });
        });
      },
    }),
    deleteWebhook: ({ params }) => ({
      read: async ({ accountId }, { at }) => {
        const isOwn = await findWebhook(deps, accountId, params.webhook);
        const isDone =
          isOwn && (await accounts.removeDeliveryChannel(accountId, params.webhook, at));
        return isDone ? deleted : noWebhook;
      },
    }),
  } satisfies Partial<Handlers>;
}

/** `POST /webhooks` */
function createWebhook(deps: HandlerDeps): Handler<'createWebhook'> {
  return ({ body: { name, url, kinds = [], scope = scopeDefault, notices = [] } }) => {
    checkUrl(deps, url);
    const subscription = { kinds: pick(eventKinds, kinds), scope };
    const input = {
      url,
      name,
      subscription,
      notices: pick(accountNoticeKinds, notices),
      isNameUnique: true,
    };
    return {
      begin: async ({ accountId }, { at }) => {
        const encrypter = encrypterOf(deps);
        const add = await permitWebhook(channelDeps(deps), encrypter, { accountId, at }, input);
        return limited(add, changes, async (made) => {
          if (made === 'too many') throw tooMany(deliveryTable.webhook.max, 'webhooks');
          if (made === 'no account') return noWebhook;
          if (made === 'no plan') return unusable(made);
          if (made !== 'name taken') return answerOne(deps, accountId, made.id, made.secret);
          // It may be from an attempt whose response was lost.
          const known = (await listWebhooks(deps, accountId)).find(
            (each) => each.name === name && urlOf(encrypter, each) === url,
          );
          if (known) return answerOne(deps, accountId, known.id, null);
          const message = `You have a webhook named '${shortText(name)}' with another URL.`;
          throw new ApiError('Conflict', `${message} Change it, or choose another name.`);
        });
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
      begin: async ({ accountId }, { at }) => {
        const webhook = await findWebhook(deps, accountId, channelId);
        if (!webhook) return missing;
        const change = await permitChange(channelDeps(deps), webhook, {
          ...(name !== undefined && { name }),
          ...(url !== undefined && {
            address: encrypterOf(deps).encrypt(url, { accountId, purpose: 'address' }),
          }),
          ...(kinds !== undefined && { kinds: pick(eventKinds, kinds) }),
          ...(scope !== undefined && { scope }),
          ...(notices !== undefined && { notices: pick(accountNoticeKinds, notices) }),
          ...(isOn !== undefined && { isOn }),
          at,
        });
        return limited(change, changes, (done) =>
          done === 'done' ? answerOne(deps, accountId, channelId) : unusable(done),
        );
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

/** The plan may have ended since the call was charged. */
function unusable(outcome: 'missing' | 'no plan'): Answer {
  if (outcome === 'missing') return noWebhook;
  throw new ApiError('TierRequired', allErrors.TierRequired.example);
}

const missing: Work = { read: async () => noWebhook };

const tests = { what: 'tests', waitMs: 15 * minuteMs };
const changes = { what: 'changes', waitMs: hourMs };

/** Carries out a permitted action, and answers with its result; throws if there were too many. */
function limited<T>(
  act: (() => Promise<T>) | null,
  { what, waitMs }: typeof tests,
  answer: (result: T) => Answer | Promise<Answer>,
): Work {
  if (act) return { read: async () => answer(await act()) };
  const message = `Too many ${what} of webhooks. Wait ${waitMs / minuteMs} minutes and try again.`;
  throw new ApiError('TooManyRequests', message, waitMs / secondMs);
}

function checkUrl(deps: HandlerDeps, url: string): void {
  const problem = addressProblem('webhook', url, changeDeps(deps).allowedNetworks);
  if (problem !== null) throw bad(`In the body, 'url' is not accepted. ${problem}`);
}

/** Those of all that are given, in order and without repeated ones. */
function pick<Kind>(all: readonly Kind[], given: readonly Kind[]): Kind[] {
  return all.filter((kind) => given.includes(kind));
}

async function listWebhooks({ accounts }: HandlerDeps, accountId: number) {
  return (await accounts.listDeliveryChannels(accountId)).filter(({ kind }) => kind === 'webhook');
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
  return dataOf(secret === undefined ? shown : { ...shown, secret });
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
    scope: subscription?.scope ?? scopeDefault,
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
