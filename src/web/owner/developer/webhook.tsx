/** The page of a webhook: settings, tests, secret and deliveries. */
import { mayUseAlerts } from '../../../accounts/sign-in/attempt-limits.work.ts';
import type { DeliveryChannel } from '../../../alerts/channels/delivery-channel.ts';
import { findLatest, permitRotation } from '../../../alerts/channels/own-webhooks.work.ts';
import {
  type Delivery,
  deliveriesKeptDays,
  deliveriesKeptMax,
  removedEventsType,
} from '../../../alerts/delivery/delivery.ts';
import type { Event } from '../../../contract/plus/events.ts';
import { parseDay, parseInstant } from '../../../kernel/time.ts';
import { positionBefore } from '../../../market/events/events.ts';
import { idOf } from '../../kit/address.ts';
import { ButtonForm, DangerLink, PlainButton, SwitchForm } from '../../kit/buttons.tsx';
import { Card, EmptyState, Facts } from '../../kit/card.tsx';
import { actionColumn, column, countColumn, dayColumn, mainColumn } from '../../kit/columns.tsx';
import { deletionPage } from '../../kit/confirm-delete.tsx';
import type { Column } from '../../kit/data-table.tsx';
import { faultAnswer, missingPage } from '../../kit/fault.tsx';
import { Field, PostForm } from '../../kit/fields.tsx';
import { applyForm, formPage } from '../../kit/form-page.tsx';
import type { FormReader } from '../../kit/form-reader.ts';
import { countText, momentText } from '../../kit/format.ts';
import { developerTabs, Layout } from '../../kit/layout.tsx';
import { type CursorPage, CursorPager, List, readCursorPage } from '../../kit/list.tsx';
import { Dialog } from '../../kit/menu.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, WebDeps } from '../../page.ts';
import { page, routes } from '../../page-table.ts';
import {
  type ChannelOf,
  changedTooOften,
  channelFinder,
  DeliveryChannelStatus,
  findTest,
  NoSecretFile,
  noSecret,
  postTest,
  readChange,
  saveChange,
  saveSwitch,
  shownAddress,
  TestOutcome,
  unusableAnswer,
} from '../alerts/alert-channels.tsx';
import {
  readNotices,
  readSubscription,
  SecretPage,
  subscriptionValues,
  WebhookFields,
} from './webhooks.tsx';

/** Few, because each may have a response of a kilobyte. */
const deliveriesShown = 20;

export function webhookDetailRoutes() {
  const path = '/webhooks/{id}';
  const find = channelFinder(['webhook']);
  return routes('own', {
    [path]: page({ find, get: showWebhook, post: changeForm.post }),
    [`${path}/switch`]: page({ find, post: saveSwitch }),
    [`${path}/test`]: page({ find, post: postTest }),
    [`${path}/rotate`]: page({ find, post: rotateForm.post }),
    [`${path}/replay`]: page({ find, post: replayForm.post }),
    [`${path}/deliveries/{delivery}/resend`]: page({ find, post: postResend }),
    [`${path}/delete`]: deletionPage({
      find,
      noun: 'webhook',
      describe: ({ id, name }) => ({
        name,
        outcome:
          'Its deliveries and its secret are deleted with it. To pause it, turn it off ' +
          'instead: it continues where it stopped when you turn it back on.',
        cancel: `/webhooks/${id}`,
      }),
      remove: ({ accounts }, { who, at }, { id }) =>
        accounts.removeDeliveryChannel(who.accountId, id, at),
      goTo: '/webhooks?did=deleted',
    }),
  });
}

type Webhook = ChannelOf<'webhook'>;

async function showWebhook(deps: WebDeps, request: OwnRequest, webhook: Webhook) {
  const [page, test] = await Promise.all([
    readCursorPage(request.query, deliveriesShown, (page) =>
      deps.accounts.listDeliveries(request.who.accountId, webhook.id, page),
    ),
    findTest(deps, request, [webhook]),
  ]);
  const url = shownAddress(deps, webhook);
  const values = { name: webhook.name, ...subscriptionValues(webhook) };
  return (
    <Layout
      title={webhook.name}
      request={request}
      done={doneTexts}
      tabs={developerTabs}
      actions={<Actions webhook={webhook} />}
    >
      <TestOutcome shown={test} />
      {!deps.secrets.encrypter && <NoSecretFile what="Webhooks are" />}
      <Card>
        <Facts
          facts={[
            ['Status', <DeliveryChannelStatus channel={webhook} timeZone={request.timeZone} />],
            ['URL', <code>{url}</code>],
            ['Position', webhook.position],
          ]}
        />
      </Card>
      <List
        heading={<h2>Deliveries</h2>}
        label="Deliveries"
        caption={
          `The latest ${countText(deliveriesKeptMax)}, kept for ${deliveriesKeptDays} days. ` +
          `Times are in ${request.timeZone}.`
        }
        columns={deliveryColumns({ request, webhook, page })}
        rows={page.rows}
        empty={<EmptyState title={page.isFirst ? 'Nothing sent yet' : 'Nothing older is kept'} />}
        pager={<CursorPager path={request.path} page={page} />}
      />
      <Card title="URL and events">
        <PostForm action={`/webhooks/${webhook.id}`} typed={{ values, faults: {} }}>
          <WebhookFields kept={url} />
          <button type="submit">Save changes</button>
        </PostForm>
      </Card>
      {webhook.position !== null && (
        <Card title="Replay events">
          <PostForm action={`/webhooks/${webhook.id}/replay`}>
            <Field name="from" label="From position or time" isRequired hint={replayHint} />
            <PlainButton>Replay events</PlainButton>
          </PostForm>
        </Card>
      )}
    </Layout>
  );
}

const doneTexts = {
  saved: 'Changes saved.',
  replayed: 'Replay started.',
  resent: 'Sending it again.',
} as const;

const changeForm = formPage({
  show: showWebhook,
  read: ({ deps, found, fields }) => ({
    ...readChange(fields, deps, found),
    ...readSubscription(fields),
    notices: readNotices(fields),
  }),
  save: ({ deps, sent, found }, change) => saveChange(deps, sent, found, change),
});

const rotateForm = formPage({
  show: showWebhook,
  read: () => null,
  sentBefore:
    'This form was already submitted, and the new secret shown. If you did not copy it, rotate ' +
    'the secret again.',
  // Like the first secret, the new one is shown only in this answer.
  save: async ({ deps, sent, found: { accountId, id, name } }) => {
    const { encrypter } = deps.secrets;
    if (!encrypter) return noSecret;
    const rotate = await permitRotation(deps, encrypter, { accountId, channelId: id, at: sent.at });
    if (!rotate) return faultAnswer(sent, 429, changedTooOften);
    const rotated = await applyForm(deps, sent, rotate);
    if (rotated === 'sent before') return rotated;
    if (typeof rotated === 'string') return unusableAnswer(sent, name, rotated);
    const { secret, oldUntil } = rotated;
    const until = momentText(oldUntil, sent.timeZone);
    const note = `Until ${until}, messages are also signed with the old secret.`;
    const shown = { request: sent, title: 'Copy the new secret', id, secret, note };
    return <SecretPage {...shown} />;
  },
});

const replayForm = formPage({
  show: showWebhook,
  read: ({ deps, fields }) => readPosition(fields, deps),
  save: ({ deps, sent, found }, position) => {
    const send = () => deps.accounts.replayFrom(found.accountId, found.id, position);
    return again(deps, sent, found, { send, outcome: 'replayed' });
  },
});

/** Reads where a replay starts: a position, or a time in UTC. */
async function readPosition(fields: FormReader, deps: WebDeps): Promise<number> {
  const text = fields.form.text('from');
  const position = /^\d{1,16}$/.test(text) ? Number(text) : positionAt(text);
  if (position === null) {
    fields.fail('from', 'Enter a position, or a time in UTC such as 2026-11-16 09:30.');
    return 0;
  }
  const query = { after: position, kinds: null, items: null, limit: 1 };
  const page = await deps.market.listEvents(query);
  if ('oldest' in page) {
    fields.fail('from', `Events up to position ${page.oldest} are no longer kept.`);
  } else if (position > (await findLatest(deps.market))) {
    fields.fail('from', 'This is after the latest event.');
  }
  return position;
}

/** The position before a time; a date means 00:00, and a time without an offset is UTC. */
function positionAt(text: string): number | null {
  const isoText = text.replace(' ', 'T');
  const at = parseDay(text) ?? parseInstant(isoText) ?? parseInstant(`${isoText}Z`);
  return at === null ? null : positionBefore(at);
}

async function postResend(deps: WebDeps, sent: OwnSentRequest, webhook: Webhook) {
  const id = idOf(sent.params.delivery);
  if (id === null) return missingPage(sent);
  const send = () =>
    deps.accounts.resendDelivery(webhook.accountId, id, { at: sent.at, by: 'owner' });
  return again(deps, sent, webhook, { send, outcome: 'resent' });
}

async function again(
  { accounts }: WebDeps,
  sent: OwnSentRequest,
  { id, accountId, name }: DeliveryChannel,
  work: {
    readonly send: () => Promise<'done' | 'missing' | 'no plan'>;
    readonly outcome: 'replayed' | 'resent';
  },
): Promise<PageAnswer> {
  if (!(await mayUseAlerts(accounts, 'resend', { accountId, at: sent.at }))) {
    return faultAnswer(sent, 429, changedTooOften);
  }
  const done = await work.send();
  if (done !== 'done') return unusableAnswer(sent, name, done);
  return { goTo: `/webhooks/${id}?did=${work.outcome}` };
}

interface WebhookProps {
  readonly request: OwnRequest;
  readonly webhook: Webhook;
  readonly page: CursorPage<Delivery>;
}

function Actions({ webhook }: Pick<WebhookProps, 'webhook'>) {
  const path = `/webhooks/${webhook.id}`;
  return (
    <>
      <ButtonForm action={`${path}/test`} look="plain">
        Send test
      </ButtonForm>
      <SwitchForm action={`${path}/switch`} isOn={webhook.state !== 'off'} look="plain" />
      <Dialog id="rotate" title="Rotate the signing secret?" trigger="Rotate secret">
        <p>
          Do this if someone else may know it. For 24 hours, messages are signed with both secrets,
          so that you can update your server.
        </p>
        <ButtonForm action={`${path}/rotate`}>Rotate secret</ButtonForm>
      </Dialog>
      <DangerLink href={`${path}/delete`}>Delete</DangerLink>
    </>
  );
}

function deliveryColumns({ request, webhook, page }: WebhookProps): Column<Delivery>[] {
  const { timeZone } = request;
  // A delivery waits for earlier ones of the same item.
  const isBehind = (row: Delivery) => page.rows.some((other) => isBefore(other, row));
  return [
    mainColumn('Event', (row) => (
      <>
        <code>{row.type}</code> {itemText(row)}
        {row.position !== null && <div class="quiet small">{positionText(row)}</div>}
      </>
    )),
    dayColumn('Time', ({ at }) => momentText(at, timeZone)),
    column('Status', (row) => (isBehind(row) ? behindText : deliveryText(row, timeZone))),
    countColumn('Attempts', ({ tries }) => tries),
    column('Response', (row) => <Answer row={row} />),
    actionColumn(({ id, messageId }) => (
      <ButtonForm
        action={`/webhooks/${webhook.id}/deliveries/${id}/resend`}
        look="link"
        of={messageId}
      >
        Send again
      </ButtonForm>
    )),
  ];
}

const replayHint =
  'For example, 2026-11-16 09:30 (UTC). Every event after it is sent again, with the ' +
  'same webhook-id.';

function positionText({ type, position }: Delivery): string {
  return type === removedEventsType
    ? `Events up to position ${position} are no longer kept.`
    : `position ${position}`;
}

/** Whether a delivery must be done before another one is sent. */
function isBefore(first: Delivery, { id, orderKey, state }: Delivery): boolean {
  if (orderKey === null || first.orderKey !== orderKey || first.id >= id) return false;
  return first.state === 'waiting' && state === 'waiting';
}

/** The number and title of the item of an event; empty if it has none. */
function itemText({ position, body }: Delivery): string {
  if (position === null) return '';
  const { data }: { data: Pick<Event, 'number' | 'title'> } = JSON.parse(body);
  return [data.number, data.title].filter(Boolean).join(' ');
}

const behindText = 'Waiting for an earlier event of this item';

export function deliveryText({ state, tries, dueAt }: Delivery, timeZone: string): string {
  if (state === 'done') return 'Delivered';
  if (state === 'given_up') return 'Failed';
  return tries === 0 ? 'Waiting' : `Next attempt ${momentText(dueAt, timeZone)}`;
}

/** The response and the message, as plain text. */
function Answer({ row: { answerStatus, answer, messageId, body } }: { readonly row: Delivery }) {
  const status = answerStatus === null ? (answer ? 'No response' : '—') : String(answerStatus);
  return (
    <details>
      <summary>{status}</summary>
      {answer && <pre class="code">{answer}</pre>}
      <div class="quiet small">
        webhook-id <code>{messageId}</code>
      </div>
      <pre class="code">{JSON.stringify(JSON.parse(body), null, 2)}</pre>
    </details>
  );
}
