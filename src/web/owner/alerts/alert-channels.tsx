/** Channels of alerts as pages work with them: found, shown, tried. */
import { mayUseAlerts } from '../../../accounts/tries.ts';
import type { Channel, ChannelKind } from '../../../domain/delivery/channel.ts';
import {
  type AddressedKind,
  addressLengthMax,
  addressProblem,
  maskedAddress,
} from '../../../domain/delivery/channel-address.ts';
import type { Delivery } from '../../../domain/delivery/delivery.ts';
import type { WebDeps } from '../../deps.ts';
import { idOf } from '../../kit/address.ts';
import { Badge } from '../../kit/card.tsx';
import { Notice } from '../../kit/fields.tsx';
import type { TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageRequest } from '../../page.ts';
import { channelName, dayTimeText } from './alert-text.ts';

/** A channel may be called so much. */
export const channelNameLengthMax = 60;

/** A channel of whoever asks, of some kinds; somebody else's is as if there were none. */
export async function findChannel(
  { accounts }: WebDeps,
  { who, params }: OwnRequest,
  kinds: readonly ChannelKind[],
): Promise<Channel | null> {
  const channels = await accounts.listChannels(who.accountId);
  const found = channels.find(({ id }) => String(id) === params.id);
  return found && kinds.includes(found.kind) ? found : null;
}

/** The address of a channel as it is shown once it is kept. */
export function shownAddress({ sealer }: WebDeps, channel: Channel): string {
  const { accountId, address } = channel;
  if (address === null || !sealer) return '—';
  const plain = sealer.open(address, { accountId, purpose: 'address' });
  return plain === null ? 'Unreadable. Enter it again.' : maskedAddress(plain);
}

/** Reads an address; it may only be used when the fields are good. */
export function readAddress(fields: TypedFields, deps: WebDeps, kind: AddressedKind): string {
  const text = fields.text('address', addressLengthMax);
  const problem = text === '' ? null : addressProblem(kind, text, deps.allowedNetworks);
  if (problem !== null) fields.fail('address', problem);
  return text;
}

/** How long a form waits for what becomes of a test, and how often it looks. */
const testWait = { looks: 16, ms: 250 } as const;

/**
 * Sends a test to a channel, and waits a few seconds for its outcome; the delivery, or why there is
 * none.
 */
export async function sendTest(
  deps: WebDeps,
  { who: { accountId }, at }: OwnSentRequest,
  channelId: number,
): Promise<number | 'too often' | 'missing'> {
  const { accounts } = deps;
  if (!(await mayUseAlerts(accounts, 'test', { accountId, at }))) return 'too often';
  const id = await accounts.addTest(accountId, channelId, at);
  if (id === null) return 'missing';
  for (let look = 0; look < testWait.looks; look++) {
    const test = await findDelivery(deps, { accountId, channelId, id });
    if (test?.state !== 'waiting') break;
    await deps.sleep(testWait.ms);
  }
  return id;
}

/** A delivery by its id: the first of those that are not after it. */
async function findDelivery(
  { accounts }: WebDeps,
  asked: { readonly accountId: number; readonly channelId: number; readonly id: number },
): Promise<Delivery | null> {
  const { accountId, channelId, id } = asked;
  const page = { before: id + 1, limit: 1 };
  const [found] = await accounts.listDeliveries(accountId, channelId, page);
  return found?.id === id ? found : null;
}

/** Said to whoever asks for tests too often. */
export const testedTooOften = 'Too many tests. Wait 15 minutes and try again.';

/** Said to whoever adds or changes alerts or channels too often. */
export const changedTooOften = 'Too many changes. Wait an hour and try again.';

/** A test that an address asks about, with its channel; null when it asks about none. */
export interface ShownTest {
  readonly channel: Channel;
  readonly test: Delivery;
}

/** Finds the test that an address asks about. */
export async function findTest(
  deps: WebDeps,
  { who: { accountId }, query }: OwnRequest,
  channels: readonly Channel[],
): Promise<ShownTest | null> {
  const id = idOf(query.get('test') ?? undefined);
  const channel = channels.find((each) => String(each.id) === query.get('channel'));
  if (id === null || !channel) return null;
  const test = await findDelivery(deps, { accountId, channelId: channel.id, id });
  return test && { channel, test };
}

/** What became of a test. */
export function TestOutcome({ shown }: { readonly shown: ShownTest | null }) {
  if (!shown) return null;
  const { channel, test } = shown;
  const name = channelName(channel);
  if (test.state === 'done') return <Notice>{`The test to ${name} was delivered.`}</Notice>;
  if (test.state === 'waiting') {
    const onItsWay = `The test to ${name} is on its way. Reload this page in a moment.`;
    return <Notice kind="warn">{onItsWay}</Notice>;
  }
  const status = test.answerStatus === null ? '' : ` It answered ${test.answerStatus}.`;
  return (
    <Notice kind="bad">
      <p class="flush">{`The test to ${name} failed.${status}`}</p>
      {test.answer && <pre class="code flush">{test.answer}</pre>}
    </Notice>
  );
}

/** Said where a secret file is missing: what is off, and what its operator does. */
export function NoSecretFile({ what }: { readonly what: string }) {
  return (
    <Notice kind="warn">
      {`${what} off on this site. `}
      To turn them on, the operator sets BRICKMARK_SECRET_FILE to the path of a file with a secret
      (openssl rand -hex 32) and restarts the site.
    </Notice>
  );
}

const states = {
  active: ['On', 'good'],
  failing: ['Failing', 'bad'],
  paused: ['Paused', 'warn'],
  off: ['Off', 'warn'],
} as const;

/** Whether a channel is on, and why it is not. */
export function ChannelState(props: { readonly channel: Channel; readonly timeZone: string }) {
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
          {`Failing since ${dayTimeText(failingSince, timeZone)}`}
          {retryAt !== null && `, next try ${dayTimeText(retryAt, timeZone)}`}
        </div>
      )}
    </span>
  );
}

/** Where a page shows what became of a test. */
export function testPath(path: PageRequest['path'], channelId: number, id: number): string {
  return `${path}?channel=${channelId}&test=${id}`;
}
