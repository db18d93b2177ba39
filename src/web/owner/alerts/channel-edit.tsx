/** What is done with channels of alerts: added, changed, tested, turned off and on, deleted. */
import { isFirstSubmission } from '../../../accounts/form-submission.ts';
import { mayUseAlerts } from '../../../accounts/tries.ts';
import { type Channel, channelsMax } from '../../../domain/delivery/channel.ts';
import { addressLengthMax } from '../../../domain/delivery/channel-address.ts';
import type { WebDeps } from '../../deps.ts';
import { Card } from '../../kit/card.tsx';
import { ConfirmDelete } from '../../kit/confirm-delete.tsx';
import { faultAnswer, missingPage } from '../../kit/fault.tsx';
import { Field, PostForm, type Typed, untyped } from '../../kit/fields.tsx';
import { limitText } from '../../kit/format.ts';
import { Layout, watchlistTabs } from '../../kit/layout.tsx';
import { TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRoute } from '../../page.ts';
import {
  changedTooOften,
  channelNameLengthMax,
  findChannel,
  NoSecretFile,
  readAddress,
  sendTest,
  shownAddress,
  testedTooOften,
  testPath,
} from './alert-channels.tsx';
import { settingsPath, showSettings } from './alert-settings.tsx';
import { channelKindNames } from './alert-text.ts';
import { addedKinds, channelTitle } from './channel-list.tsx';
import { findEmailChannel, makeEmailChannel, sendConfirmLink } from './email-channel.ts';

const listedKinds = ['email', ...addedKinds] as const;

/** What is done with channels. */
export function channelEditRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    { access: 'own', path: '/alerts/channels', post: (sent) => postChannel(deps, sent) },
    { access: 'own', path: '/alerts/channels/email/test', post: (sent) => testEmail(deps, sent) },
    {
      access: 'own',
      path: '/alerts/channels/{id}/test',
      post: async (sent) => {
        const channel = await findChannel(deps, sent, listedKinds);
        return channel ? testChannel(deps, sent, channel) : missingPage(sent);
      },
    },
    {
      access: 'own',
      path: '/alerts/channels/{id}/switch',
      post: (sent) => postSwitch(deps, sent),
    },
    {
      access: 'own',
      path: '/alerts/channels/{id}/edit',
      get: async (request) => {
        const channel = await findChannel(deps, request, addedKinds);
        return channel ? showChannel(deps, request, { channel }) : missingPage(request);
      },
      post: (sent) => postChange(deps, sent),
    },
    {
      access: 'own',
      path: '/alerts/channels/{id}/delete',
      get: async (request) => {
        const channel = await findChannel(deps, request, addedKinds);
        if (!channel) return missingPage(request);
        return { page: <DeletePage request={request} channel={channel} /> };
      },
      post: async (sent) => {
        const channel = await findChannel(deps, sent, addedKinds);
        const { accountId } = sent.who;
        const isDone = channel && (await deps.accounts.removeChannel(accountId, channel.id));
        return isDone ? { goTo: `${settingsPath}?deleted=1` } : missingPage(sent);
      },
    },
  ];
}

async function postChannel(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { sealer } = deps;
  const { accountId } = sent.who;
  if (!sealer) return showSettings(deps, sent, { status: 409 });
  const fields = new TypedFields(sent.form, sent.at);
  const kind = fields.word('kind', addedKinds);
  const name = fields.textOrNull('name', channelNameLengthMax) ?? channelKindNames[kind];
  const plain = readAddress(fields, deps, kind);
  const refuse = (status: number, message?: string) =>
    showSettings(deps, sent, { typed: fields.typed, status, message });
  if (!fields.isGood) return refuse(400);
  const added = { goTo: `${settingsPath}?added=1` };
  const submission = { accountId, formId: sent.form.text('once'), at: sent.at };
  if (!(await isFirstSubmission(deps.accounts, submission))) return added;
  if (!(await mayUseAlerts(deps.accounts, 'add', { accountId, at: sent.at }))) {
    return refuse(429, changedTooOften);
  }
  const made = await deps.accounts.addChannel(accountId, {
    kind,
    name,
    address: sealer.seal(plain, { accountId, purpose: 'address' }),
    secret: null,
    subscription: null,
    position: null,
    at: sent.at,
  });
  if (typeof made === 'object') return added;
  return refuse(409, limitText(channelsMax[kind], `${channelKindNames[kind]} channel`));
}

async function postChange(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { sealer, accounts } = deps;
  const { at } = sent;
  const { accountId } = sent.who;
  const channel = await findChannel(deps, sent, addedKinds);
  if (!channel || channel.kind === 'email') return missingPage(sent);
  const fields = new TypedFields(sent.form, at);
  const plain = fields.isBlank('address') ? null : readAddress(fields, deps, channel.kind);
  const name = fields.textOrNull('name', channelNameLengthMax) ?? channel.name;
  if (!fields.isGood) {
    return showChannel(deps, sent, { channel, typed: fields.typed, status: 400 });
  }
  if (!(await mayUseAlerts(accounts, 'add', { accountId, at }))) {
    return faultAnswer(sent, 429, changedTooOften);
  }
  const isDone = await accounts.changeChannel(accountId, channel.id, {
    name,
    at,
    ...(plain !== null &&
      sealer && { address: sealer.seal(plain, { accountId, purpose: 'address' }) }),
  });
  return isDone ? { goTo: `${settingsPath}?saved=1` } : missingPage(sent);
}

async function testEmail(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  if (!deps.sendMail) return missingPage(sent);
  const found = await findEmailChannel(deps, sent);
  const channel = found ?? (await makeEmailChannel(deps, sent));
  return channel ? testChannel(deps, sent, channel) : missingPage(sent);
}

async function testChannel(
  deps: WebDeps,
  sent: OwnSentRequest,
  channel: Channel,
): Promise<PageAnswer> {
  if (channel.isUnconfirmed) return askToConfirm(deps, sent, channel);
  const test = await sendTest(deps, sent, channel.id);
  if (test === 'missing') return missingPage(sent);
  if (test === 'too often') return faultAnswer(sent, 429, testedTooOften);
  return { goTo: testPath(settingsPath, channel.id, test) };
}

/** An address is confirmed before anything else is sent there, also a test. */
async function askToConfirm(
  deps: WebDeps,
  sent: OwnSentRequest,
  channel: Channel,
): Promise<PageAnswer> {
  const outcome = await sendConfirmLink(deps, sent, channel.id);
  if (outcome === 'too often') return faultAnswer(sent, 429, confirmedTooOften);
  return outcome === 'sent' ? { goTo: `${settingsPath}?confirm=1` } : missingPage(sent);
}

const confirmedTooOften = 'Too many links were sent to your address. Try again tomorrow.';

async function postSwitch(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const channel = await findChannel(deps, sent, listedKinds);
  if (channel?.isUnconfirmed) return askToConfirm(deps, sent, channel);
  const change = { isOn: sent.form.text('to') === 'on', at: sent.at };
  const { accountId } = sent.who;
  const isDone = channel && (await deps.accounts.switchChannel(accountId, channel.id, change));
  return isDone ? { goTo: `${settingsPath}?switched=1` } : missingPage(sent);
}

function showChannel(
  deps: WebDeps,
  request: OwnRequest,
  shown: { readonly channel: Channel; readonly typed?: Typed; readonly status?: number },
): PageAnswer {
  const { channel, typed = untyped, status = 200 } = shown;
  const page = (
    <Layout title={`Edit ${channelTitle(channel)}`} request={request} tabs={watchlistTabs} isNarrow>
      <Card>
        {deps.sealer ? (
          <PostForm request={request} action={`/alerts/channels/${channel.id}/edit`}>
            <Field
              name="address"
              label="New URL (optional)"
              type="url"
              typed={typed}
              maxlength={addressLengthMax}
              hint={`Leave it empty to keep ${shownAddress(deps, channel)}`}
            />
            <Field
              name="name"
              label="Name"
              typed={typed}
              value={channel.name}
              maxlength={channelNameLengthMax}
            />
            <p class="row">
              <button type="submit">Save changes</button>
              <a class="button plain" href={settingsPath}>
                Cancel
              </a>
            </p>
          </PostForm>
        ) : (
          <NoSecretFile what="ntfy, Discord and webhooks are" />
        )}
      </Card>
    </Layout>
  );
  return { page, status };
}

function DeletePage(props: { readonly request: OwnRequest; readonly channel: Channel }) {
  const { request, channel } = props;
  return (
    <ConfirmDelete
      request={request}
      noun="channel"
      name={channelTitle(channel)}
      outcome="Alerts that use it stay, and are no longer sent there."
      action={`/alerts/channels/${channel.id}/delete`}
      cancel={settingsPath}
    />
  );
}
