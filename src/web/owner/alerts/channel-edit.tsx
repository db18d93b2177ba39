/** Adding, editing, testing, turning off and deleting alert channels. */
import { mayUseAlerts } from '../../../accounts/sign-in/attempt-limits.work.ts';
import {
  channelNameLengthMax,
  type DeliveryChannel,
} from '../../../alerts/channels/delivery-channel.ts';
import {
  type AddressedKind,
  addedKinds,
  deliveryKinds,
  deliveryTable,
} from '../../../alerts/channels/delivery-channel-kinds.ts';
import { deletionPage } from '../../kit/confirm-delete.tsx';
import { faultAnswer, missingPage } from '../../kit/fault.tsx';
import { Field } from '../../kit/fields.tsx';
import { applyForm, FormPage, foundForm, sentForm } from '../../kit/form-page.tsx';
import { limitText } from '../../kit/format.ts';
import { CardPage, watchlistTabs } from '../../kit/layout.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, WebDeps } from '../../page.ts';
import { page, routes } from '../../page-table.ts';
import {
  AddressField,
  type ChannelOf,
  changedTooOften,
  channelFinder,
  noSecret,
  postTest,
  readAddress,
  readChange,
  saveChange,
  saveSwitch,
  shownAddress,
} from './alert-channels.tsx';
import { settingsPath, showSettings } from './alert-settings.tsx';
import { AddressesOff, channelTitle } from './channel-list.tsx';
import { findEmailChannel, makeEmailChannel, sendConfirmLink } from './email-channel.ts';

const findListed = channelFinder(
  deliveryKinds.filter((kind) => !deliveryTable[kind].isForPrograms),
);
const findAdded = channelFinder(addedKinds);

const path = '/alerts/channels';
const channelAdded = { goTo: `${settingsPath}?did=added` };

export const channelEditRoutes = routes('own', {
  [path]: sentForm({
    show: showSettings,
    read: ({ deps, fields }) => {
      const { encrypter } = deps.secrets;
      if (!encrypter) return null;
      const kind = fields.word('kind', addedKinds);
      const name = fields.textOrNull('name', channelNameLengthMax) ?? deliveryTable[kind].title;
      return { encrypter, kind, name, plain: readAddress(fields, deps, kind) };
    },
    save: async ({ deps, sent }, input) => {
      if (!input) return noSecret;
      const { at } = sent;
      const { accountId } = sent.who;
      if (!(await mayUseAlerts(deps.accounts, 'add', { accountId, at }))) {
        return { refused: changedTooOften, status: 429 };
      }
      const { encrypter, kind, name, plain } = input;
      const address = encrypter.encrypt(plain, { accountId, purpose: 'address' });
      const made = await applyForm(deps, sent, (accounts) =>
        accounts.addDeliveryChannel(accountId, { kind, name, address, at }),
      );
      if (typeof made === 'object' || made === 'sent before') return channelAdded;
      const { max, word } = deliveryTable[kind];
      return { refused: limitText(max, `${word} channel`), status: 409 };
    },
    sentBefore: () => channelAdded,
  }),
  [`${path}/email/test`]: { post: testEmail },
  [`${path}/{id}/test`]: page({ find: findListed, post: whenConfirmed(postTest) }),
  [`${path}/{id}/switch`]: page({ find: findListed, post: whenConfirmed(saveSwitch) }),
  [`${path}/{id}/edit`]: foundForm({
    find: findAdded,
    show: showChannel,
    read: ({ deps, found, fields }) => readChange(fields, deps, found),
    save: ({ deps, sent, found }, change) => saveChange(deps, sent, found, change),
  }),
  [`${path}/{id}/delete`]: deletionPage({
    find: findAdded,
    noun: 'channel',
    describe: (channel) => ({
      name: channelTitle(channel),
      outcome: 'Alerts that use it stay, and are no longer sent there.',
      cancel: settingsPath,
    }),
    remove: ({ accounts }, { who, at }, { id }) =>
      accounts.removeDeliveryChannel(who.accountId, id, at),
    goTo: `${settingsPath}?did=deleted`,
  }),
});

async function testEmail(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  if (!deps.sendMail) return missingPage(sent);
  const channel = (await findEmailChannel(deps, sent)) ?? (await makeEmailChannel(deps, sent));
  return channel ? whenConfirmed(postTest)(deps, sent, channel) : missingPage(sent);
}

/** An address must be confirmed before anything else is sent there. */
function whenConfirmed(work: typeof saveSwitch): typeof saveSwitch {
  return (deps, sent, channel) =>
    (channel.isUnconfirmed ? askToConfirm : work)(deps, sent, channel);
}

async function askToConfirm(deps: WebDeps, sent: OwnSentRequest, channel: DeliveryChannel) {
  const outcome = await sendConfirmLink(deps, sent, channel.id);
  if (outcome === 'too often')
    return faultAnswer(sent, 429, 'Too many links were sent to your address. Try again tomorrow.');
  return outcome === 'sent' ? { goTo: `${settingsPath}?did=confirm` } : missingPage(sent);
}

function showChannel(deps: WebDeps, request: OwnRequest, channel: ChannelOf<AddressedKind>) {
  const title = `Edit ${channelTitle(channel)}`;
  if (!deps.secrets.encrypter) {
    return (
      <CardPage title={title} request={request} tabs={watchlistTabs}>
        <AddressesOff />
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
      <AddressField kept={shownAddress(deps, channel)} />
      <Field name="name" label="Name" value={channel.name} maxlength={channelNameLengthMax} />
    </FormPage>
  );
}
