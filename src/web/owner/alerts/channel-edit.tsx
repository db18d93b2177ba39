/** Adding, editing, testing, turning off and deleting alert channels. */
import { mayUseAlerts } from '../../../accounts/attempt-limits.ts';
import { addressLengthMax } from '../../../domain/delivery/channel-address.ts';
import {
  channelNameLengthMax,
  channelsMax,
  type DeliveryChannel,
} from '../../../domain/delivery/delivery-channel.ts';
import type { WebDeps } from '../../deps.ts';
import { deletionPage } from '../../kit/confirm-delete.tsx';
import { faultAnswer, missingPage } from '../../kit/fault.tsx';
import { Field } from '../../kit/fields.tsx';
import { FormPage, formPage } from '../../kit/form-page.tsx';
import { limitText } from '../../kit/format.ts';
import { CardPage, watchlistTabs } from '../../kit/layout.tsx';
import { isFirstSent } from '../../kit/sent-once.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer } from '../../page.ts';
import { foundPages, ownPages } from '../../page-table.ts';
import {
  type ChannelOf,
  changedTooOften,
  channelFinder,
  NoSecretFile,
  noSecret,
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
  [path]: {
    post: formPage({
      show: showSettings,
      read: ({ deps, fields }) => {
        const { encrypter } = deps;
        if (!encrypter) return null;
        const kind = fields.word('kind', addedKinds);
        const name = fields.textOrNull('name', channelNameLengthMax) ?? channelKindNames[kind];
        return { encrypter, kind, name, plain: readAddress(fields, deps, kind) };
      },
      save: async ({ deps, sent }, input) => {
        if (!input) return noSecret;
        const added = { goTo: `${settingsPath}?did=added` };
        if (!(await isFirstSent(deps, sent))) return added;
        const { at } = sent;
        const { accountId } = sent.who;
        if (!(await mayUseAlerts(deps.accounts, 'add', { accountId, at }))) {
          return { refused: changedTooOften, status: 429 };
        }
        const { encrypter, kind, name, plain } = input;
        const made = await deps.accounts.addChannel(accountId, {
          kind,
          name,
          address: encrypter.encrypt(plain, { accountId, purpose: 'address' }),
          secret: null,
          subscription: null,
          position: null,
          at,
        });
        if (typeof made === 'object') return added;
        const refused = limitText(channelsMax[kind], `${channelKindNames[kind]} channel`);
        return { refused, status: 409 };
      },
    }).post,
  },
  [`${path}/email/test`]: { post: testEmail },
  ...foundPages(findListed, {
    [`${path}/{id}/test`]: { post: testChannel },
    [`${path}/{id}/switch`]: { post: postSwitch },
  }),
  ...foundPages(findAdded, {
    [`${path}/{id}/edit`]: formPage({
      show: showChannel,
      read: ({ deps, found, fields }) => readChange(fields, deps, found),
      save: ({ deps, sent, found }, change) =>
        saveChange(deps, sent, found, { change, page: settingsPath }),
    }),
    [`${path}/{id}/delete`]: deletionPage({
      noun: 'channel',
      describe: (channel) => ({
        name: channelTitle(channel),
        outcome: 'Alerts that use it stay, and are no longer sent there.',
        cancel: settingsPath,
      }),
      remove: ({ accounts }, { who, at }, { id }) => accounts.removeChannel(who.accountId, id, at),
      goTo: `${settingsPath}?did=deleted`,
    }),
  }),
});

async function testEmail(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  if (!deps.sendMail) return missingPage(sent);
  const found = await findEmailChannel(deps, sent);
  const channel = found ?? (await makeEmailChannel(deps, sent));
  return channel ? testChannel(deps, sent, channel) : missingPage(sent);
}

async function testChannel(deps: WebDeps, sent: OwnSentRequest, channel: DeliveryChannel) {
  if (channel.isUnconfirmed) return askToConfirm(deps, sent, channel);
  return postTest(deps, sent, { channelId: channel.id, page: settingsPath });
}

/** An address must be confirmed before anything else is sent there. */
async function askToConfirm(deps: WebDeps, sent: OwnSentRequest, channel: DeliveryChannel) {
  const outcome = await sendConfirmLink(deps, sent, channel.id);
  if (outcome === 'too often') return faultAnswer(sent, 429, confirmedTooOften);
  return outcome === 'sent' ? { goTo: `${settingsPath}?did=confirm` } : missingPage(sent);
}

const confirmedTooOften = 'Too many links were sent to your address. Try again tomorrow.';

async function postSwitch(deps: WebDeps, sent: OwnSentRequest, channel: DeliveryChannel) {
  if (channel.isUnconfirmed) return askToConfirm(deps, sent, channel);
  const change = { isOn: sent.form.text('to') === 'on' };
  return saveChange(deps, sent, channel, { change, page: settingsPath });
}

function showChannel(deps: WebDeps, request: OwnRequest, channel: AddedChannel): PageAnswer {
  const title = `Edit ${channelTitle(channel)}`;
  if (!deps.encrypter) {
    return (
      <CardPage title={title} request={request} tabs={watchlistTabs}>
        <NoSecretFile what="ntfy, Discord and webhooks are" />
      </CardPage>
    );
  }
  return (
    <FormPage
      request={request}
      title={title}
      tabs={watchlistTabs}
      button="Save changes"
      cancel={settingsPath}
    >
      <Field
        name="address"
        label="New URL (optional)"
        type="url"
        maxlength={addressLengthMax}
        hint={`Leave it empty to keep ${shownAddress(deps, channel)}`}
      />
      <Field name="name" label="Name" value={channel.name} maxlength={channelNameLengthMax} />
    </FormPage>
  );
}
