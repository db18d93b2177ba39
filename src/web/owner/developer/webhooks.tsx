/** The list of webhooks, and adding one. */
import { mayUseAlerts } from '../../../accounts/attempt-limits.ts';
import { channelsMax, type DeliveryChannel } from '../../../domain/delivery/delivery-channel.ts';
import { newWebhookSecret } from '../../../domain/delivery/signature.ts';
import type { WebDeps } from '../../deps.ts';
import { Card } from '../../kit/card.tsx';
import { column, mainColumn } from '../../kit/columns.tsx';
import { CopyBox } from '../../kit/copy-box.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import {
  type FormOutcome,
  Notice,
  PostForm,
  statusOf,
  type Typed,
  untyped,
} from '../../kit/fields.tsx';
import { developerTabs, Layout } from '../../kit/layout.tsx';
import { needsPlan } from '../../kit/needs-plan.tsx';
import { isFirstSent } from '../../kit/sent-once.ts';
import { DoneToast } from '../../kit/toast.tsx';
import { TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer } from '../../page.ts';
import { ownPages } from '../../page-table.ts';
import {
  ChannelState,
  changedTooOften,
  channelNameLengthMax,
  NoSecretFile,
  readAddress,
  shownAddress,
} from '../alerts/alert-channels.tsx';
import {
  newWebhookValues,
  readSubscription,
  subscriptionText,
  WebhookFields,
} from './webhook-form.tsx';

export const webhookRoutes = ownPages({
  '/webhooks': { get: showWebhooks, post: postWebhook },
});

async function showWebhooks(
  deps: WebDeps,
  request: OwnRequest,
  { typed, message, status = statusOf(typed ?? untyped) }: FormOutcome = {},
): Promise<PageAnswer> {
  const { accountId } = request.who;
  const [channels, { timeZone }] = await Promise.all([
    deps.accounts.listChannels(accountId),
    deps.accounts.findAlertSettings(accountId),
  ]);
  const webhooks = channels.filter(({ kind }) => kind === 'webhook');
  // Without the plan, existing webhooks can still be seen and deleted.
  if (request.who.plan !== 'reseller' && webhooks.length === 0) {
    return needsPlan(request, 'Webhooks', 'Webhooks are', developerTabs);
  }
  const shown = typed ?? { values: newWebhookValues, faults: {} };
  const page = (
    <Layout title="Webhooks" request={request} tabs={developerTabs}>
      <DoneToast request={request} texts={{ deleted: 'Webhook deleted.' }} />
      {message && <Notice kind="bad">{message}</Notice>}
      {webhooks.length > 0 && (
        <Card>
          <DataTable label="Webhooks" columns={columnsOf(deps, timeZone)} rows={webhooks} />
        </Card>
      )}
      <Card title="Add a webhook">
        {webhooks.length === 0 && (
          <p>
            Get events on your own server as they happen, signed per Standard Webhooks. See{' '}
            <a href="/docs/events">Events</a> in the docs.
          </p>
        )}
        <AddPart deps={deps} request={request} count={webhooks.length} typed={shown} />
      </Card>
    </Layout>
  );
  return { page, status };
}

/** The secret is shown only in this answer. A reload sends the form again, and adds no webhook. */
async function postWebhook(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { encrypter, accounts } = deps;
  const { who, at, form } = sent;
  const { accountId } = who;
  if (who.plan !== 'reseller') return needsPlan(sent, 'Webhooks', 'Webhooks are', developerTabs);
  if (!encrypter) return showWebhooks(deps, sent, { status: 409 });
  const fields = new TypedFields(form, at);
  const plain = readAddress(fields, deps, 'webhook');
  const name = fields.textOrNull('name', channelNameLengthMax);
  const subscription = readSubscription(fields);
  const refuse = (status: number, message?: string) =>
    showWebhooks(deps, sent, { typed: fields.typed, status, message });
  if (!fields.isGood) return refuse(400);
  if (!(await isFirstSent(deps, sent))) {
    return showWebhooks(deps, sent, { message: addedBefore, status: 409 });
  }
  if (!(await mayUseAlerts(accounts, 'add', { accountId, at }))) {
    return refuse(429, changedTooOften);
  }
  const secret = newWebhookSecret(deps.randomBytes);
  const made = await accounts.addChannel(accountId, {
    kind: 'webhook',
    name: name ?? (await findFreeName(deps, accountId)),
    address: encrypter.encrypt(plain, { accountId, purpose: 'address' }),
    secret: encrypter.encrypt(secret, { accountId, purpose: 'secret' }),
    subscription,
    position: subscription && (await findLatest(deps)),
    at,
  });
  if (typeof made !== 'object') {
    return refuse(409, `You have ${channelsMax.webhook} webhooks. Delete one first.`);
  }
  const title = 'Copy the signing secret';
  return { page: <SecretPage request={sent} title={title} id={made.id} secret={secret} /> };
}

/** An unused name. Not the host, because addresses are stored encrypted and names are not. */
async function findFreeName({ accounts }: WebDeps, accountId: number): Promise<string> {
  const taken = new Set((await accounts.listChannels(accountId)).map(({ name }) => name));
  let number = 1;
  while (taken.has(`Webhook ${number}`)) number++;
  return `Webhook ${number}`;
}

const addedBefore =
  'This form was already submitted, and the secret shown. If you did not copy it, open the ' +
  'webhook and rotate its secret.';

/** The latest position of the event log. */
export async function findLatest({ market }: Pick<WebDeps, 'market'>): Promise<number> {
  const page = await market.listEvents({ after: null, kinds: null, items: null, limit: 1 });
  return 'next' in page ? page.next : page.oldest;
}

function AddPart(props: {
  readonly deps: WebDeps;
  readonly request: OwnRequest;
  /** The number of existing webhooks. */
  readonly count: number;
  readonly typed: Typed;
}) {
  const { deps, request, count, typed } = props;
  if (request.who.plan !== 'reseller') {
    return (
      <p class="flush">
        Webhooks are part of the Reseller plan, so yours get no events. Back on the plan, they
        continue where they stopped. Ask the operator of this site to upgrade your account.
      </p>
    );
  }
  if (!deps.encrypter) return <NoSecretFile what="Webhooks are" />;
  if (count >= channelsMax.webhook) {
    return (
      <p class="flush">{`All ${channelsMax.webhook} webhooks are in use. Delete one first.`}</p>
    );
  }
  return (
    <PostForm request={request} action="/webhooks" typed={typed}>
      <WebhookFields kept={null} />
      <button type="submit">Add webhook</button>
    </PostForm>
  );
}

function columnsOf(deps: WebDeps, timeZone: string): readonly Column<DeliveryChannel>[] {
  return [
    mainColumn('Name', ({ id, name }) => <a href={`/webhooks/${id}`}>{name}</a>),
    column('URL', (webhook) => <code>{shownAddress(deps, webhook)}</code>),
    column('Events', ({ subscription }) => subscriptionText(subscription)),
    column('Status', (webhook) => <ChannelState channel={webhook} timeZone={timeZone} />),
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
        <a class="button" href={`/webhooks/${id}`}>
          Done
        </a>
      </Card>
    </Layout>
  );
}
