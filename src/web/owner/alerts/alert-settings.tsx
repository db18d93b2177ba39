/** Alert settings: the time zone, quiet hours, and the channels that alerts are sent to. */
import { isFirstSubmission } from '../../../accounts/form-submission.ts';
import { mayUseAlerts } from '../../../accounts/tries.ts';
import type { AlertSettings } from '../../../domain/alerts/alert-rule.ts';
import { type Channel, channelsMax } from '../../../domain/delivery/channel.ts';
import { addressExamples, addressLengthMax } from '../../../domain/delivery/channel-address.ts';
import type { WebDeps } from '../../deps.ts';
import { ConfirmDelete } from '../../kit/confirm-delete.tsx';
import { faultAnswer, missingPage } from '../../kit/fault.tsx';
import { Choice, Field, Notice, PostForm, type Typed, untyped } from '../../kit/fields.tsx';
import { Layout } from '../../kit/layout.tsx';
import { TableHead } from '../../kit/table-head.tsx';
import { TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRoute } from '../../page.ts';
import {
  changedTooOften,
  channelNameLengthMax,
  findChannel,
  findTest,
  NoSecretFile,
  readAddress,
  type ShownTest,
  sendTest,
  shownAddress,
  TestOutcome,
  testedTooOften,
  testPath,
} from './alert-channels.tsx';
import { channelKindNames, dayTimeText } from './alert-text.ts';
import { AlertsNav } from './alerts-nav.tsx';
import {
  checkInbox,
  findEmailChannel,
  makeEmailChannel,
  sendConfirmLink,
} from './email-channel.ts';

const path = '/alerts/settings';

/** Channels that are set up here; webhooks have pages of their own. */
const addedKinds = ['ntfy', 'discord'] as const;
const listedKinds = ['email', ...addedKinds] as const;

/** The page of alert settings, and what is done with channels. */
export function alertSettingsRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'own',
      path,
      get: (request) => showSettings(deps, request),
      post: (sent) => postSettings(deps, sent),
    },
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
        return isDone ? { goTo: `${path}?deleted=1` } : missingPage(sent);
      },
    },
  ];
}

interface Outcome {
  readonly typed?: Typed;
  readonly message?: string;
  readonly status?: number;
}

async function showSettings(
  deps: WebDeps,
  request: OwnRequest,
  { typed = untyped, message, status = 200 }: Outcome = {},
): Promise<PageAnswer> {
  const { accountId } = request.who;
  const [settings, channels] = await Promise.all([
    deps.accounts.findAlertSettings(accountId),
    deps.accounts.listChannels(accountId),
  ]);
  const test = await findTest(deps, request, channels);
  const props = { deps, request, settings, channels, typed, message, test };
  return { page: <SettingsPage {...props} />, status };
}

async function postSettings(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const fields = new TypedFields(sent.form, sent.at);
  const { accountId } = sent.who;
  const { timeZone } = await deps.accounts.findAlertSettings(accountId);
  const settings = readSettings(fields, timeZone);
  if (!fields.isGood) return showSettings(deps, sent, { typed: fields.typed, status: 400 });
  await deps.accounts.saveAlertSettings(accountId, settings);
  return { goTo: `${path}?saved=1` };
}

function readSettings(fields: TypedFields, current: string): AlertSettings {
  const timeZone = fields.word('time_zone', [...timeZones, current]);
  if (fields.isBlank('quiet_from') && fields.isBlank('quiet_until')) {
    return { timeZone, quiet: null };
  }
  const quiet = {
    from: readMinutes(fields, 'quiet_from'),
    until: readMinutes(fields, 'quiet_until'),
  };
  if (fields.isGood && quiet.from === quiet.until) {
    fields.fail('quiet_until', 'Quiet hours cannot begin and end at the same time.');
  }
  return { timeZone, quiet };
}

/** A time of the day as browsers send it, in minutes. */
function readMinutes(fields: TypedFields, name: string): number {
  const parts = /^([01]\d|2[0-3]):([0-5]\d)(?::00)?$/.exec(fields.form.text(name));
  if (!parts) fields.fail(name, 'Enter a time, such as 22:00, or leave both empty.');
  return Number(parts?.[1] ?? 0) * 60 + Number(parts?.[2] ?? 0);
}

function minutesText(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
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
    showSettings(deps, sent, { typed: fields.typed, status, ...(message && { message }) });
  if (!fields.isGood) return refuse(400);
  const submission = { accountId, formId: sent.form.text('once'), at: sent.at };
  if (!(await isFirstSubmission(deps.accounts, submission))) return { goTo: `${path}?added=1` };
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
  if (typeof made === 'object') return { goTo: `${path}?added=1` };
  const most = channelsMax[kind];
  return refuse(409, `You have ${most} ${channelKindNames[kind]} channels. Delete one first.`);
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
  return isDone ? { goTo: `${path}?saved=1` } : missingPage(sent);
}

function showChannel(
  deps: WebDeps,
  request: OwnRequest,
  shown: { readonly channel: Channel; readonly typed?: Typed; readonly status?: number },
): PageAnswer {
  const { channel, typed = untyped, status = 200 } = shown;
  const page = (
    <Layout
      title={`Edit ${channelKindNames[channel.kind]}: ${channel.name}`}
      request={request}
      isNarrow
    >
      <section class="card">
        {deps.sealer ? (
          <PostForm request={request} action={`/alerts/channels/${channel.id}/edit`}>
            <Field
              name="address"
              label="New address (optional)"
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
              <a class="button plain" href={path}>
                Cancel
              </a>
            </p>
          </PostForm>
        ) : (
          <NoSecretFile what="ntfy, Discord and webhooks are" />
        )}
      </section>
    </Layout>
  );
  return { page, status };
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
  return { goTo: testPath(path, channel.id, test) };
}

/** An address is confirmed before anything else is sent there, also a test. */
async function askToConfirm(
  deps: WebDeps,
  sent: OwnSentRequest,
  channel: Channel,
): Promise<PageAnswer> {
  const outcome = await sendConfirmLink(deps, sent, channel.id);
  if (outcome === 'too often') return faultAnswer(sent, 429, confirmedTooOften);
  return outcome === 'sent' ? { goTo: `${path}?confirm=1` } : missingPage(sent);
}

const confirmedTooOften = 'Too many links were sent to your address. Try again tomorrow.';

async function postSwitch(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const channel = await findChannel(deps, sent, listedKinds);
  if (channel?.isUnconfirmed) return askToConfirm(deps, sent, channel);
  const change = { isOn: sent.form.text('to') === 'on', at: sent.at };
  const { accountId } = sent.who;
  const isDone = channel && (await deps.accounts.switchChannel(accountId, channel.id, change));
  return isDone ? { goTo: `${path}?switched=1` } : missingPage(sent);
}

interface SettingsProps {
  readonly deps: WebDeps;
  readonly request: OwnRequest;
  readonly settings: AlertSettings;
  readonly channels: readonly Channel[];
  readonly typed: Typed;
  readonly message: string | undefined;
  readonly test: ShownTest | null;
}

const notices = {
  saved: 'Saved.',
  added: 'The channel is added. Send a test to see whether it works.',
  switched: 'Changed.',
  confirm: `We sent you a link. ${checkInbox}`,
  deleted: 'The channel is deleted. Alerts that used it are still listed under Sent.',
} as const;

function SettingsPage(props: SettingsProps) {
  const { request, message, test } = props;
  const done = Object.entries(notices).find(([name]) => request.query.has(name))?.[1];
  return (
    <Layout title="Alert settings" request={request}>
      <AlertsNav path={path} />
      {done && <Notice>{done}</Notice>}
      {message && <Notice kind="bad">{message}</Notice>}
      <TestOutcome shown={test} />
      <TimeForm {...props} />
      <section class="card">
        <h2>Channels</h2>
        <ChannelTable {...props} />
        <p class="quiet flush">
          <a href="/webhooks">Webhooks</a> can be channels of alerts, too.
        </p>
      </section>
      <section class="card">
        <h2>Add a channel</h2>
        <AddForm {...props} />
      </section>
    </Layout>
  );
}

/** By region, as they are called: America/New_York. */
const timeZones: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')];
const timeZoneGroups = [...Map.groupBy(timeZones.slice(1), (name) => name.split('/')[0] ?? '')]
  .filter(([region]) => region !== 'UTC')
  .map(([region, names]) => ({
    label: region,
    options: names.map((name) => [name, name.replaceAll('_', ' ')] as const),
  }));

function TimeForm({ request, settings, typed }: SettingsProps) {
  const { timeZone, quiet } = settings;
  return (
    <section class="card">
      <h2>Time zone and quiet hours</h2>
      <PostForm request={request} action={path}>
        <div class="form-grid">
          <Choice
            name="time_zone"
            label="Time zone"
            typed={typed}
            value={timeZone}
            options={timeZones.includes(timeZone) ? [utc] : [utc, [timeZone, timeZone]]}
            groups={timeZoneGroups}
          />
          <Field
            name="quiet_from"
            label="Quiet from (optional)"
            type="time"
            typed={typed}
            value={quiet ? minutesText(quiet.from) : ''}
          />
          <Field
            name="quiet_until"
            label="Quiet until"
            type="time"
            typed={typed}
            value={quiet ? minutesText(quiet.until) : ''}
          />
        </div>
        <p class="quiet flush">
          Alerts during quiet hours are sent when they end. Digests are sent at 8:00 AM in your time
          zone.
        </p>
        <button type="submit">Save changes</button>
      </PostForm>
    </section>
  );
}

const utc = ['UTC', 'UTC'] as const;

function ChannelTable(props: SettingsProps) {
  const { deps, channels, settings } = props;
  const email = channels.find(({ kind }) => kind === 'email') ?? null;
  const others = channels.filter(({ kind }) => addedKinds.some((added) => added === kind));
  return (
    <div class="scroll">
      <table class="cards">
        <TableHead columns={['Channel', 'Address', 'State']} action="Actions" />
        <tbody>
          <EmailRow {...props} email={email} />
          {others.map((channel) => (
            <tr key={channel.id}>
              <td data-name="Channel">{`${channelKindNames[channel.kind]}: ${channel.name}`}</td>
              <td data-name="Address">
                <code>{shownAddress(deps, channel)}</code>
              </td>
              <td data-name="State">
                <ChannelState channel={channel} timeZone={settings.timeZone} />
              </td>
              <td>
                <ChannelActions {...props} channel={channel} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EmailRow(props: SettingsProps & { readonly email: Channel | null }) {
  const { deps, request, email, settings } = props;
  const canMail = deps.sendMail !== undefined;
  return (
    <tr>
      <td data-name="Channel">Email</td>
      <td data-name="Address">{request.who.email}</td>
      <td data-name="State">
        {!canMail && 'Off: no mail server is configured. The operator sets BRICKMARK_SMTP_URL.'}
        {canMail &&
          (email ? (
            <ChannelState channel={email} timeZone={settings.timeZone} />
          ) : (
            'Off: confirm your email address.'
          ))}
      </td>
      <td>
        {canMail && email && !email.isUnconfirmed && <ChannelActions {...props} channel={email} />}
        {canMail && (!email || email.isUnconfirmed) && (
          <PostForm request={request} action="/alerts/channels/email/test" class="row">
            <button class="plain" type="submit">
              Send confirmation link
            </button>
          </PostForm>
        )}
      </td>
    </tr>
  );
}

const stateNames = { active: 'On', failing: 'Failing', paused: 'Paused', off: 'Off' } as const;

/** Whether a channel is on, and why it is not. */
export function ChannelState(props: { readonly channel: Channel; readonly timeZone: string }) {
  const { channel, timeZone } = props;
  const { state, stateReason, failingSince, retryAt } = channel;
  const isFailing = state === 'active' && failingSince !== null;
  return (
    <div>
      <span class="badge">{stateNames[isFailing ? 'failing' : state]}</span>
      {stateReason && <div class="small">{stateReason}</div>}
      {state !== 'off' && failingSince !== null && (
        <div class="small warning">
          {`Failing since ${dayTimeText(failingSince, timeZone)}`}
          {retryAt !== null && `, next try ${dayTimeText(retryAt, timeZone)}`}
        </div>
      )}
    </div>
  );
}

function ChannelActions(props: SettingsProps & { readonly channel: Channel }) {
  const { request, channel } = props;
  const base = `/alerts/channels/${channel.id}`;
  const named = <span class="visually-hidden">{` ${channel.name}`}</span>;
  const isOff = channel.state === 'off';
  return (
    <div class="row">
      <PostForm request={request} action={`${base}/test`} class="row">
        <button class="plain" type="submit">
          Send a test{named}
        </button>
      </PostForm>
      <PostForm request={request} action={`${base}/switch`} class="row">
        <input type="hidden" name="to" value={isOff ? 'on' : 'off'} />
        <button class="plain" type="submit">
          {isOff ? 'Turn on' : 'Turn off'}
          {named}
        </button>
      </PostForm>
      {channel.kind !== 'email' && (
        <>
          <a class="button plain" href={`${base}/edit`}>
            Edit{named}
          </a>
          <a class="button plain" href={`${base}/delete`}>
            Delete{named}
          </a>
        </>
      )}
    </div>
  );
}

function AddForm({ deps, request, typed }: SettingsProps) {
  if (!deps.sealer) return <NoSecretFile what="ntfy, Discord and webhooks are" />;
  return (
    <PostForm request={request} action="/alerts/channels">
      <Choice
        name="kind"
        label="Service"
        typed={typed}
        options={addedKinds.map((kind) => [kind, channelKindNames[kind]])}
      />
      <Field
        name="address"
        label="Address"
        type="url"
        typed={typed}
        isRequired
        maxlength={addressLengthMax}
        hint={
          `${addressExamples.ntfy} or ${addressExamples.discord} (Discord: Edit channel, ` +
          'Integrations, Webhooks). Encrypted when saved, and not shown again.'
        }
      />
      <Field name="name" label="Name (optional)" typed={typed} maxlength={channelNameLengthMax} />
      <button type="submit">Add channel</button>
    </PostForm>
  );
}

function DeletePage(props: { readonly request: OwnRequest; readonly channel: Channel }) {
  const { request, channel } = props;
  return (
    <ConfirmDelete
      request={request}
      noun="channel"
      name={`${channelKindNames[channel.kind]}: ${channel.name}`}
      outcome="Alerts that use it stay, and are no longer sent there."
      action={`/alerts/channels/${channel.id}/delete`}
      cancel={path}
    />
  );
}
