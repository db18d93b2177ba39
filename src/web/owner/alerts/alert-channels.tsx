/** Shared by the pages of channels and webhooks: finding, showing, changing and testing them. */

import {
  addressLengthMax,
  addressProblem,
  maskedAddress,
} from '../../../alerts/channels/channel-address.ts';
import {
  channelNameLengthMax,
  type DeliveryChannel,
  type DeliveryChannelChange,
} from '../../../alerts/channels/delivery-channel.ts';
import {
  type AddressedKind,
  channelPath,
  type DeliveryKind,
} from '../../../alerts/channels/delivery-channel-kinds.ts';
import {
  findDelivery,
  permitChange,
  permitTest,
} from '../../../alerts/channels/own-webhooks.work.ts';
import type { Delivery } from '../../../alerts/delivery/delivery.ts';
import { idOf, withQuery } from '../../kit/address.ts';
import { Badge } from '../../kit/card.tsx';
import { faultAnswer, missingPage, needsPlan } from '../../kit/fault.tsx';
import { Field, Notice } from '../../kit/fields.tsx';
import type { Refusal } from '../../kit/form-page.tsx';
import type { FormReader } from '../../kit/form-reader.ts';
import { momentText } from '../../kit/format.ts';
import { developerTabs } from '../../kit/layout.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, WebDeps } from '../../page.ts';
import { byId } from '../../page-table.ts';
import { deliveryChannelName } from './alert-text.ts';

export type ChannelOf<Kind extends DeliveryKind> = DeliveryChannel & {
  readonly kind: Kind;
};

/** Finds the channel in a path; null if it has none of these kinds. */
export function channelFinder<Kind extends DeliveryKind>(kinds: readonly Kind[]) {
  const isOfKinds = (channel: DeliveryChannel): channel is ChannelOf<Kind> =>
    kinds.some((kind) => kind === channel.kind);
  return byId(async ({ accounts }, { who }) => {
    return (await accounts.listDeliveryChannels(who.accountId)).filter(isOfKinds);
  });
}

export function shownAddress({ secrets }: WebDeps, channel: DeliveryChannel): string {
  const { accountId, address } = channel;
  if (address === null || !secrets.encrypter) return '—';
  const plain = secrets.encrypter.decrypt(address, { accountId, purpose: 'address' });
  return plain === null ? 'Unreadable. Enter it again.' : maskedAddress(plain);
}

/** The field of an address; `kept` is the masked one, or null for a new channel. */
export function AddressField(props: { readonly kept: string | null; readonly hint?: string }) {
  const { kept, hint } = props;
  const facts =
    kept === null
      ? { label: 'URL', isRequired: true, hint: `${hint}. Stored encrypted, and not shown again.` }
      : { label: 'New URL (optional)', hint: `Leave it empty to keep ${kept}` };
  return <Field name="address" type="url" maxlength={addressLengthMax} {...facts} />;
}

/** Reads an address, to be used only if `fields.isGood`. */
export function readAddress(fields: FormReader, deps: WebDeps, kind: AddressedKind): string {
  const text = fields.text('address', addressLengthMax);
  const problem = text === '' ? null : addressProblem(kind, text, deps.site.allowedNetworks);
  if (problem !== null) fields.fail('address', problem);
  return text;
}

/** Reads a change of a channel. An empty address means no change. */
export function readChange(
  fields: FormReader,
  deps: WebDeps,
  { kind, accountId, name }: ChannelOf<AddressedKind>,
) {
  const address = fields.isBlank('address') ? null : readAddress(fields, deps, kind);
  const sealed =
    address && deps.secrets.encrypter?.encrypt(address, { accountId, purpose: 'address' });
  return {
    name: fields.textOrNull('name', channelNameLengthMax) ?? name,
    ...(sealed && { address: sealed }),
  };
}

/** Changes a channel, within the rate limit. */
export async function saveChange(
  deps: WebDeps,
  sent: OwnSentRequest,
  channel: DeliveryChannel,
  change: Omit<DeliveryChannelChange, 'at'>,
): Promise<PageAnswer> {
  const save = await permitChange(deps, channel, { ...change, at: sent.at });
  if (!save) return faultAnswer(sent, 429, changedTooOften);
  const done = await save();
  if (done !== 'done') return unusableAnswer(sent, channel.name, done);
  return { goTo: `${channelPath(channel)}?did=saved` };
}

/** The answer if a channel is gone, or is a webhook and the account does not have the plan. */
export function unusableAnswer(sent: OwnSentRequest, name: string, outcome: 'missing' | 'no plan') {
  if (outcome === 'missing') return missingPage(sent);
  return needsPlan(sent, name, 'Webhooks are', developerTabs);
}

export function saveSwitch(deps: WebDeps, sent: OwnSentRequest, channel: DeliveryChannel) {
  return saveChange(deps, sent, channel, { isOn: sent.form.text('to') === 'on' });
}

/** Sends a test and waits a few seconds for its result, which the page then shows. */
export async function postTest(deps: WebDeps, sent: OwnSentRequest, channel: DeliveryChannel) {
  const { accountId, id: channelId, name } = channel;
  const send = await permitTest(deps, { accountId, channelId, at: sent.at });
  if (!send) return faultAnswer(sent, 429, 'Too many tests. Wait 15 minutes and try again.');
  const test = await send();
  if (typeof test === 'string') return unusableAnswer(sent, name, test);
  return { goTo: withQuery(channelPath(channel), { channel: channelId, test: test.id }) };
}

export const changedTooOften = 'Too many changes. Wait an hour and try again.';

interface ShownTest {
  readonly channel: DeliveryChannel;
  readonly test: Delivery;
}

export async function findTest(
  deps: WebDeps,
  { who: { accountId }, query }: OwnRequest,
  channels: readonly DeliveryChannel[],
): Promise<ShownTest | null> {
  const id = idOf(query.get('test'));
  const channel = channels.find((each) => String(each.id) === query.get('channel'));
  if (id === null || !channel) return null;
  const test = await findDelivery(deps.accounts, { accountId, channelId: channel.id, id });
  return test && { channel, test };
}

export function TestOutcome({ shown }: { readonly shown: ShownTest | null }) {
  if (!shown) return null;
  const { channel, test } = shown;
  const name = deliveryChannelName(channel);
  if (test.state === 'done') return <Notice>{`The test to ${name} was delivered.`}</Notice>;
  if (test.state === 'waiting') {
    const onItsWay = `The test to ${name} is on its way. Reload this page in a moment.`;
    return <Notice kind="warn">{onItsWay}</Notice>;
  }
  const status = test.answerStatus === null ? '' : ` Response: ${test.answerStatus}.`;
  return (
    <Notice kind="bad">
      <p class="flush">{`The test to ${name} failed.${status}`}</p>
      {test.answer && <pre class="code flush">{test.answer}</pre>}
    </Notice>
  );
}

/** Explains that a feature is off because the site has no secret. */
export function NoSecretFile({ what }: { readonly what: string }) {
  return (
    <Notice kind="warn">
      {`${what} off on this site. Its operator turns them on with BRICKMARK_SECRET_FILE.`}
    </Notice>
  );
}

/** Refuses a form that needs the secret; its page has `NoSecretFile` instead. */
export const noSecret: Refusal = { refused: '', status: 409 };

const states = {
  active: ['On', 'good'],
  failing: ['Failing', 'bad'],
  paused: ['Paused', 'warn'],
  off: ['Off', 'warn'],
} as const;

export function DeliveryChannelStatus(props: {
  readonly channel: DeliveryChannel;
  readonly timeZone: string;
}) {
  const { channel, timeZone } = props;
  const { state, stateReason, failingSince, retryAt } = channel;
  const isFailing = state === 'active' && failingSince !== null;
  const [name, kind] = states[isFailing ? 'failing' : state];
  return (
    <span>
      <Badge kind={kind}>{name}</Badge>
      {stateReason && <div class="small">{stateReason}</div>}
      {state !== 'off' && failingSince !== null && (
        <div class="small warning">
          {`Failing since ${momentText(failingSince, timeZone)}`}
          {retryAt !== null && `, next attempt ${momentText(retryAt, timeZone)}`}
        </div>
      )}
    </span>
  );
}
