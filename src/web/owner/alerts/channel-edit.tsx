/** Adding, editing, testing, turning off and deleting alert channels. */
import { mayUseAlerts } from '../../../accounts/attempt-limits.ts';
import { addressLengthMax } from '../../../domain/delivery/channel-address.ts';
import { channelsMax, type DeliveryChannel } from '../../../domain/delivery/delivery-channel.ts';
import type { WebDeps } from '../../deps.ts';
import { SubmitOrCancel } from '../../kit/buttons.tsx';
import { deletionPage } from '../../kit/confirm-delete.tsx';
import { faultAnswer, missingPage } from '../../kit/fault.tsx';
import { Field, PostForm, statusOf, untyped } from '../../kit/fields.tsx';
import { limitText } from '../../kit/format.ts';
import { CardPage, watchlistTabs } from '../../kit/layout.tsx';
import { isFirstSent } from '../../kit/sent-once.ts';
import { TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer } from '../../page.ts';
import { ownPages, withFound } from '../../page-table.ts';
import {
  type ChannelOf,
  changedTooOften,
  channelFinder,
  channelNameLengthMax,
  NoSecretFile,
  postTest,
  readAddress,
  readChange,
  saveChange,
  shownAddress,
} from './alert-channels.tsx';
import { settingsPath, showSettings } from './alert-settings.tsx';
import { channelKindNames } from './alert-text.ts';
import { addedKinds, channelTitle } from './channel-list.tsx';
import { findEmailChannel, makeEmailChannel, sendConfirmLink } from './email-channel.ts';

type AddedChannel = ChannelOf<(typeof addedKinds)[number]>;

const findListed = channelFinder(['email', ...addedKinds]);
const findAdded = channelFinder(addedKinds);

const path = '/alerts/channels';

export const channelEditRoutes = ownPages({
  [path]: { post: postChannel },
  [`${path}/email/test`]: { post: testEmail },
  [`${path}/{id}/test`]: { post: withFound(findListed, testChannel) },
  [`${path}/{id}/switch`]: { post: withFound(findListed, postSwitch) },
  [`${path}/{id}/edit`]: {
    get: withFound(findAdded, showChannel),
    post: withFound(findAdded, postChange),
  },
  [`${path}/{id}/delete`]: deletionPage({
    find: findAdded,
    noun: 'channel',
    describe: (channel) => ({
      name: channelTitle(channel),
      outcome: 'Alerts that use it stay, and are no longer sent there.',
      cancel: settingsPath,
    }),
    remove: ({ accounts }, { who }, { id }) => accounts.removeChannel(who.accountId, id),
    goTo: `${settingsPath}?did=deleted`,
  }),
});

async function postChannel(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { encrypter } = deps;
  const { accountId } = sent.who;
  if (!encrypter) return showSettings(deps, sent, { status: 409 });
  const fields = new TypedFields(sent.form, sent.at);
  const kind = fields.word('kind', addedKinds);
  const name = fields.textOrNull('name', channelNameLengthMax) ?? channelKindNames[kind];
  const plain = readAddress(fields, deps, kind);
  const refuse = (status: number, message?: string) =>
    showSettings(deps, sent, { typed: fields.typed, status, message });
  if (!fields.isGood) return refuse(400);
  const added = { goTo: `${settingsPath}?did=added` };
  if (!(await isFirstSent(deps, sent))) return added;
  if (!(await mayUseAlerts(deps.accounts, 'add', { accountId, at: sent.at }))) {
    return refuse(429, changedTooOften);
  }
  const made = await deps.accounts.addChannel(accountId, {
    kind,
    name,
    address: encrypter.encrypt(plain, { accountId, purpose: 'address' }),
    secret: null,
    subscription: null,
    position: null,
    at: sent.at,
  });
  if (typeof made === 'object') return added;
  return refuse(409, limitText(channelsMax[kind], `${channelKindNames[kind]} channel`));
}

async function postChange(
  deps: WebDeps,
  sent: OwnSentRequest,
  channel: AddedChannel,
): Promise<PageAnswer> {
  const fields = new TypedFields(sent.form, sent.at);
  const change = readChange(fields, deps, channel);
  if (!fields.isGood) return showChannel(deps, sent, channel, fields.typed);
  return saveChange(deps, sent, channel, { change, page: settingsPath });
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
  channel: DeliveryChannel,
): Promise<PageAnswer> {
  if (channel.isUnconfirmed) return askToConfirm(deps, sent, channel);
  return postTest(deps, sent, { channelId: channel.id, page: settingsPath });
}

/** An address must be confirmed before anything else is sent there. */
async function askToConfirm(
  deps: WebDeps,
  sent: OwnSentRequest,
  channel: DeliveryChannel,
): Promise<PageAnswer> {
  const outcome = await sendConfirmLink(deps, sent, channel.id);
  if (outcome === 'too often') return faultAnswer(sent, 429, confirmedTooOften);
  return outcome === 'sent' ? { goTo: `${settingsPath}?did=confirm` } : missingPage(sent);
}

const confirmedTooOften = 'Too many links were sent to your address. Try again tomorrow.';

async function postSwitch(
  deps: WebDeps,
  sent: OwnSentRequest,
  channel: DeliveryChannel,
): Promise<PageAnswer> {
  if (channel.isUnconfirmed) return askToConfirm(deps, sent, channel);
  const change = { isOn: sent.form.text('to') === 'on', at: sent.at };
  const isDone = await deps.accounts.switchChannel(sent.who.accountId, channel.id, change);
  return isDone ? { goTo: `${settingsPath}?did=switched` } : missingPage(sent);
}

function showChannel(
  deps: WebDeps,
  request: OwnRequest,
  channel: AddedChannel,
  typed = untyped,
): PageAnswer {
  const page = (
    <CardPage title={`Edit ${channelTitle(channel)}`} request={request} tabs={watchlistTabs}>
      {deps.encrypter ? (
        <PostForm request={request} action={`/alerts/channels/${channel.id}/edit`} typed={typed}>
          <Field
            name="address"
            label="New URL (optional)"
            type="url"
            maxlength={addressLengthMax}
            hint={`Leave it empty to keep ${shownAddress(deps, channel)}`}
          />
          <Field name="name" label="Name" value={channel.name} maxlength={channelNameLengthMax} />
          <SubmitOrCancel cancel={settingsPath}>Save changes</SubmitOrCancel>
        </PostForm>
      ) : (
        <NoSecretFile what="ntfy, Discord and webhooks are" />
      )}
    </CardPage>
  );
  return { page, status: statusOf(typed) };
}
