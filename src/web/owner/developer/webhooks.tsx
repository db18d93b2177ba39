/** The list of webhooks, and the form of one. */

import { hasPlan } from '../../../accounts/keys/quota.ts';
import {
  type AccountNoticeKind,
  accountNoticeKinds,
} from '../../../accounts/notices/account-notice.ts';
import {
  channelNameLengthMax,
  type DeliveryChannel,
  type EventScope,
  eventScopes,
  type Subscription,
} from '../../../alerts/channels/delivery-channel.ts';
import { deliveryTable } from '../../../alerts/channels/delivery-channel-kinds.ts';
import { permitWebhook } from '../../../alerts/channels/own-webhooks.work.ts';
import { type EventKind, eventKinds } from '../../../market/events/events.ts';
import { ButtonLink, CopyBox } from '../../kit/buttons.tsx';
import { Card } from '../../kit/card.tsx';
import { column, mainColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { needsPlan } from '../../kit/fault.tsx';
import { Checkbox, Choice, Field, Notice, PostForm } from '../../kit/fields.tsx';
import { applyForm, formPage } from '../../kit/form-page.tsx';
import type { FormReader } from '../../kit/form-reader.ts';
import { developerTabs, Layout } from '../../kit/layout.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import {
  AddressField,
  changedTooOften,
  DeliveryChannelStatus,
  NoSecretFile,
  noSecret,
  readAddress,
  shownAddress,
} from '../alerts/alert-channels.tsx';

export const webhookRoutes = routes('own', {
  '/webhooks': formPage({
    show: showWebhooks,
    read: ({ deps, fields }) =>
      deps.secrets.encrypter && {
        encrypter: deps.secrets.encrypter,
        plain: readAddress(fields, deps, 'webhook'),
        name: fields.textOrNull('name', channelNameLengthMax),
        subscription: readSubscription(fields),
        notices: readNotices(fields),
      },
    sentBefore:
      'This form was already submitted, and the secret shown. If you did not copy it, open the ' +
      'webhook and rotate its secret.',
    // The secret is shown only in this answer.
    save: async ({ deps, sent }, input) => {
      if (!input) return noSecret;
      const { at } = sent;
      const { accountId } = sent.who;
      const { encrypter, plain, subscription, notices } = input;
      const name = input.name ?? (await findFreeName(deps, accountId));
      const added = { url: plain, name, subscription, notices };
      const add = await permitWebhook(deps, encrypter, { accountId, at }, added);
      if (!add) return { refused: changedTooOften, status: 429 };
      const made = await applyForm(deps, sent, add);
      if (made === 'sent before') return made;
      if (made === 'no plan') return withoutPlan(sent);
      if (typeof made !== 'object') {
        const refused = `You have ${deliveryTable.webhook.max} webhooks. Delete one first.`;
        return { refused, status: 409 };
      }
      return <SecretPage request={sent} title="Copy the signing secret" {...made} />;
    },
  }),
});

async function showWebhooks(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const channels = await deps.accounts.listDeliveryChannels(request.who.accountId);
  const webhooks = channels.filter(({ kind }) => kind === 'webhook');
  // Without the plan, existing webhooks can still be seen and deleted.
  if (!hasPlan(request.who) && webhooks.length === 0) {
    return withoutPlan(request);
  }
  return (
    <Layout
      title="Webhooks"
      request={request}
      done={{ deleted: 'Webhook deleted.' }}
      tabs={developerTabs}
    >
      {webhooks.length > 0 && (
        <Card>
          <DataTable label="Webhooks" columns={columnsOf(deps, request.timeZone)} rows={webhooks} />
        </Card>
      )}
      <Card title="Add a webhook">
        {webhooks.length === 0 && (
          <p>
            Get events on your own server as they happen, signed per Standard Webhooks. See{' '}
            <a href="/docs/events">Events</a> in the docs.
          </p>
        )}
        <AddPart deps={deps} request={request} count={webhooks.length} />
      </Card>
    </Layout>
  );
}

function withoutPlan(request: OwnRequest): PageAnswer {
  return needsPlan(request, 'Webhooks', 'Webhooks are', developerTabs);
}

/** An unused name. Not the host, because addresses are stored encrypted and names are not. */
async function findFreeName({ accounts }: WebDeps, accountId: number): Promise<string> {
  const taken = new Set((await accounts.listDeliveryChannels(accountId)).map(({ name }) => name));
  let number = 1;
  while (taken.has(`Webhook ${number}`)) number++;
  return `Webhook ${number}`;
}

function AddPart(props: {
  readonly deps: WebDeps;
  readonly request: OwnRequest;
  readonly count: number;
}) {
  const { deps, request, count } = props;
  if (!hasPlan(request.who)) {
    return (
      <p class="flush">
        Webhooks are part of the Reseller plan, so yours get no events. Back on the plan, they
        continue where they stopped. Ask the operator of this site to upgrade your account.
      </p>
    );
  }
  if (!deps.secrets.encrypter) return <NoSecretFile what="Webhooks are" />;
  const { max } = deliveryTable.webhook;
  if (count >= max) {
    return <p class="flush">{`All ${max} webhooks are in use. Delete one first.`}</p>;
  }
  return (
    <PostForm action="/webhooks" typed={{ values: newWebhookValues, faults: {} }}>
      <WebhookFields kept={null} />
      <button type="submit">Add webhook</button>
    </PostForm>
  );
}

function columnsOf(deps: WebDeps, timeZone: string): readonly Column<DeliveryChannel>[] {
  return [
    mainColumn('Name', ({ id, name }) => <a href={`/webhooks/${id}`}>{name}</a>),
    column('URL', (webhook) => <code>{shownAddress(deps, webhook)}</code>),
    column('Events', subscriptionText),
    column('Status', (webhook) => <DeliveryChannelStatus channel={webhook} timeZone={timeZone} />),
  ];
}

/** Shows a new secret, which no other page does. */
export function SecretPage(props: {
  readonly request: OwnRequest;
  readonly title: string;
  readonly id: number;
  readonly secret: string;
  /** How long the previous secret is valid. */
  readonly note?: string;
}) {
  const { request, title, id, secret, note } = props;
  return (
    <Layout title={title} request={request} tabs={developerTabs}>
      <Notice kind="warn">Copy it now. You will not be able to see it again.</Notice>
      <Card title="Signing secret">
        <CopyBox id="secret" text={secret} />
        {note && <p>{note}</p>}
        <p>Your server uses it to verify that messages come from here.</p>
        <ButtonLink href={`/webhooks/${id}`}>Done</ButtonLink>
      </Card>
    </Layout>
  );
}

const kindTexts: Readonly<Record<EventKind, string>> = {
  'retail.price': 'Price changed at a retailer',
  'retail.low': 'New all-time low',
  'retail.flip': 'Seller changed (retailer or third party)',
  'retail.stock': 'In or out of stock',
  'retail.offer': 'First offer of a retailer, other changes of an offer',
  'value.move': 'Value moved 5% or more',
  'value.tier': 'Data tier changed',
  'set.status': 'Status changed (available, retiring, retired)',
  'history.month': 'A month became final',
  'history.restated': 'History was restated',
  'deal.open': 'Deal opened',
  'deal.close': 'Deal closed',
};

const noticeTexts: Readonly<Record<AccountNoticeKind, string>> = {
  'quota.reached': '80% or 100% of a daily limit used',
  'key.expiring': 'API key about to expire',
  'bulk.ready': 'New bulk files',
};

const scopeTexts: Readonly<Record<EventScope, string>> = {
  all: 'Everything',
  holdings: 'My holdings',
  watch: 'My watchlists',
};

const usualScope: EventScope = 'watch';

export function readSubscription(fields: FormReader): Subscription {
  const kinds = eventKinds.filter((kind) => fields.form.isTicked(kindField(kind)));
  return { kinds, scope: fields.word('scope', eventScopes) };
}

export function readNotices(fields: FormReader): AccountNoticeKind[] {
  return accountNoticeKinds.filter((kind) => fields.form.isTicked(kindField(kind)));
}

function kindField(kind: EventKind | AccountNoticeKind): string {
  return `kind_${kind.replace('.', '_')}`;
}

export function subscriptionValues({
  subscription,
  notices,
}: Pick<DeliveryChannel, 'subscription' | 'notices'>): Readonly<Record<string, string>> {
  const kinds = [...(subscription?.kinds ?? []), ...notices];
  return {
    scope: subscription?.scope ?? usualScope,
    ...Object.fromEntries(kinds.map((kind) => [kindField(kind), 'yes'])),
  };
}

/** The default events of a new webhook: all of them would be too many. */
export const newWebhookValues = subscriptionValues({
  subscription: {
    kinds: ['retail.price', 'retail.low', 'retail.stock', 'deal.open'],
    scope: usualScope,
  },
  notices: [],
});

export function subscriptionText({
  subscription,
  notices,
}: Pick<DeliveryChannel, 'subscription' | 'notices'>): string {
  if (!subscription?.kinds.length) return notices.join(', ') || 'Alerts only';
  const { kinds, scope } = subscription;
  const count = kinds.length === eventKinds.length ? 'All events' : kinds.join(', ');
  return [`${count} · ${scopeTexts[scope]}`, ...notices].join(', ');
}

export function WebhookFields(props: {
  /** The masked address; null for a new webhook. */
  readonly kept: string | null;
}) {
  const { kept } = props;
  return (
    <>
      <div class="form-grid">
        <AddressField kept={kept} hint={`For example, ${deliveryTable.webhook.address.example}`} />
        <Field name="name" label="Name (optional)" maxlength={channelNameLengthMax} />
        <Choice
          name="scope"
          label="Items"
          options={eventScopes.map((scope) => [scope, scopeTexts[scope]])}
        />
      </div>
      <fieldset class="options">
        <legend>Events</legend>
        <div class="form-grid wide">
          {eventKinds.map((kind) => (
            <Checkbox key={kind} name={kindField(kind)} label={`${kindTexts[kind]} (${kind})`} />
          ))}
        </div>
        <p class="quiet flush">Select none to receive only alerts and the notices below.</p>
      </fieldset>
      <fieldset class="options">
        <legend>Notices about your account</legend>
        <div class="form-grid wide">
          {accountNoticeKinds.map((kind) => (
            <Checkbox key={kind} name={kindField(kind)} label={`${noticeTexts[kind]} (${kind})`} />
          ))}
        </div>
      </fieldset>
    </>
  );
}
