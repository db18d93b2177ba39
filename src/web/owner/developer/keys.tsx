/** API keys: created and shown once, listed with what they spent, and revoked. */
import { isFirstSubmission } from '../../../accounts/form-submission.ts';
import { createKey, keyNameProblem, type MadeKey } from '../../../accounts/keys.ts';
import { activeKeysMax, allowanceDefault, apiPrefix } from '../../../contract/limits.ts';
import { leftToday } from '../../../domain/account/key-places.ts';
import type { ApiKey } from '../../../domain/account/key-store.ts';
import { isActiveKey, type PlainKey } from '../../../domain/account/keys.ts';
import { countText, momentText } from '../../../domain/kernel/format.ts';
import { dayMs, dayOf, formatDay, parseDay } from '../../../domain/kernel/time.ts';
import type { WebDeps } from '../../deps.ts';
import { CopyBox } from '../../kit/copy-box.tsx';
import { missingPage } from '../../kit/fault.tsx';
import { Field, Notice, nameFault, PostForm, type Typed, untyped } from '../../kit/fields.tsx';
import { Layout } from '../../kit/layout.tsx';
import { TableHead } from '../../kit/table-head.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRoute } from '../../page.ts';

const nameDefault = 'API key';

/** A day further ahead is a slip of the fingers: about ten years. */
const expiryDaysMax = 3653;

/** The pages about keys. */
export function keyRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'own',
      path: '/keys',
      get: (request) => showKeys(deps, request),
      post: (sent) => postKey(deps, sent),
    },
    {
      access: 'own',
      path: '/keys/{id}/revoke',
      get: async (request) => {
        const key = await findKey(deps, request);
        return key ? { page: <RevokePage request={request} shown={key} /> } : missingPage(request);
      },
      post: async (sent) => {
        const key = await findKey(deps, sent);
        if (!key) return missingPage(sent);
        await deps.accounts.revokeKey(key.id, sent.at);
        return { goTo: '/keys?revoked=1' };
      },
    },
  ];
}

interface Outcome {
  readonly typed?: Typed;
  readonly message?: string;
  readonly status?: number;
}

async function showKeys(
  deps: WebDeps,
  request: OwnRequest,
  { typed, message, status = 200 }: Outcome = {},
): Promise<PageAnswer> {
  const keys = (await deps.accounts.listKeys(request.who.email, request.at)) ?? [];
  return {
    page: <KeysPage request={request} keys={keys} typed={typed} message={message} />,
    status,
  };
}

/** A key of whoever asks; somebody else's is as if there were none. */
async function findKey(
  { accounts }: WebDeps,
  { who, params, at }: OwnRequest,
): Promise<ApiKey | null> {
  const keys = (await accounts.listKeys(who.email, at)) ?? [];
  return keys.find((key) => String(key.id) === params.id) ?? null;
}

/**
 * The key is in the answer itself and nowhere else, so there is no page to go to. A reload sends
 * the same form again, and that makes no second key.
 */
async function postKey(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { form, who, at } = sent;
  const name = form.text('name') || nameDefault;
  const expiry = readExpiry(form.text('expires'), at);
  const faults = {
    ...nameFault('name', keyNameProblem(name)),
    ...nameFault('expires', typeof expiry === 'string' ? expiry : null),
  };
  const typed = { values: form.typed, faults };
  if (typeof expiry === 'string' || Object.keys(faults).length > 0) {
    return showKeys(deps, sent, { typed, status: 400 });
  }
  const submission = { accountId: who.accountId, formId: form.text('once'), at };
  if (!(await isFirstSubmission(deps.accounts, submission))) {
    return showKeys(deps, sent, { message: madeBefore, status: 409 });
  }
  const options = { email: who.email, name, allowance: allowanceDefault, expiresAt: expiry.at, at };
  const made = await createKey(deps.accounts, options, deps.randomBytes);
  if ('refusal' in made) {
    return showKeys(deps, sent, { typed, message: made.refusal, status: 409 });
  }
  return showNewKey(deps, sent, { made, name });
}

const madeBefore =
  'This form was sent before, and its key was shown then. If you did not copy it, revoke it ' +
  'below and create another one.';

async function showNewKey(
  deps: WebDeps,
  request: OwnRequest,
  { made, name }: { readonly made: MadeKey; readonly name: string },
): Promise<PageAnswer> {
  const keys = (await deps.accounts.listKeys(request.who.email, request.at)) ?? [];
  const left = keys.filter((key) => isActiveKey(key, request.at)).length;
  return { page: <NewKeyPage request={request} name={name} active={left} secret={made.key} /> };
}

/** The instant at which a key stops working, the end of a day; or what is wrong with the day. */
function readExpiry(text: string, at: number): { readonly at: number | null } | string {
  if (text === '') return { at: null };
  const day = parseDay(text);
  if (day === null) return 'This is not a day such as 2027-01-31.';
  if (dayOf(day) < dayOf(at)) return 'This day is over already.';
  if (dayOf(day) > dayOf(at) + expiryDaysMax) {
    return 'At most ten years ahead; leave it empty for a key that never expires.';
  }
  return { at: day + dayMs };
}

/** The list of keys, and the form for another one. */
function KeysPage(props: {
  readonly request: OwnRequest;
  readonly keys: readonly ApiKey[];
  readonly typed?: Typed | undefined;
  readonly message?: string | undefined;
}) {
  const { request, keys, typed = untyped, message } = props;
  const { at, who } = request;
  const active = keys.filter((key) => isActiveKey(key, at));
  return (
    <Layout title="API keys" request={request}>
      {request.query.has('revoked') && (
        <Notice>The key is revoked. Calls with it answer 401 from now on.</Notice>
      )}
      {message && <Notice kind="bad">{message}</Notice>}
      {who.plan !== 'reseller' && <PlanNotice />}
      <section class="card">
        <h2>Your keys</h2>
        {keys.length === 0 ? (
          <p>You have no key yet. Create one below; programs send it with every call.</p>
        ) : (
          <KeyTable keys={keys} at={at} />
        )}
        {active.some((key) => key.countedToday > key.usedToday) && <SharedPlaceNote />}
        <p class="flush">
          <a href="/docs">API docs</a> with a quick start, every endpoint and every error.
        </p>
      </section>
      <section class="card">
        <h2>Create a key</h2>
        {active.length >= activeKeysMax ? (
          <p>{`You’ve reached the limit of ${activeKeysMax} active keys. Revoke one first.`}</p>
        ) : (
          <NewKeyForm request={request} typed={typed} left={activeKeysMax - active.length} />
        )}
      </section>
      <section class="card">
        <h2>Spreadsheet links</h2>
        <p class="flush">
          Google Sheets and Excel can read a CSV file from a link, without a key.{' '}
          <a href="/keys/spreadsheets">Create or revoke a spreadsheet link</a>
        </p>
      </section>
    </Layout>
  );
}

/** Why a key has less left than its allowance and its own use explain. */
export function SharedPlaceNote() {
  return (
    <p class="quiet flush">
      A new key that takes the place of one you used today goes on from what that one used. Every
      allowance begins anew at 00:00 UTC.
    </p>
  );
}

function PlanNotice() {
  return (
    <Notice kind="warn">
      <p class="flush">
        <strong>Your account is on the Free plan.</strong> The API is part of the Reseller plan:
        values, history, retail prices and your own collection, for your programs. Whoever runs this
        site puts accounts on it; ask them, with the e-mail you signed in with.
      </p>
      <p class="flush">
        You can create keys already. Calls with them answer <code>403</code> until the account is on
        the Reseller plan.
      </p>
    </Notice>
  );
}

function NewKeyForm(props: {
  readonly request: OwnRequest;
  readonly typed: Typed;
  readonly left: number;
}) {
  const { request, typed, left } = props;
  return (
    <PostForm request={request} action="/keys">
      <Field
        name="name"
        label="Name (optional)"
        typed={typed}
        hint="What it is for, such as the program that uses it."
        maxlength={100}
      />
      <Field
        name="expires"
        label="Expires (optional)"
        type="date"
        typed={typed}
        hint="The last day it works, to midnight UTC. Leave empty for a key that never expires."
      />
      <button type="submit">Create key</button>
      <p class="quiet flush">{`You can create ${left} more ${left === 1 ? 'key' : 'keys'}.`}</p>
    </PostForm>
  );
}

function KeyTable({ keys, at }: { readonly keys: readonly ApiKey[]; readonly at: number }) {
  // Those that work come first, the newest of them at the top.
  const order = (key: ApiKey) => (isActiveKey(key, at) ? 1 : 0);
  const rows = [...keys].sort((a, b) => order(b) - order(a) || b.id - a.id);
  return (
    <div class="scroll">
      <table class="cards">
        <TableHead
          columns={[
            'Name',
            'Key',
            'Last used',
            'Used today',
            'Left today',
            'Daily allowance',
            'Expires',
          ]}
          numbers={['Used today', 'Left today', 'Daily allowance']}
          action="Revoke"
        />
        <tbody>
          {rows.map((key) => (
            <KeyRow key={key.id} shown={key} at={at} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function KeyRow({ shown, at }: { readonly shown: ApiKey; readonly at: number }) {
  return (
    <tr>
      <td data-name="Name">{shown.name}</td>
      <td data-name="Key">
        <code>{`${shown.prefix}…`}</code>
      </td>
      <td data-name="Last used">{shown.lastUsedAt ? momentText(shown.lastUsedAt) : 'never'}</td>
      <td data-name="Used today" class="number">
        {countText(shown.usedToday)}
      </td>
      <td data-name="Left today" class="number">
        {isActiveKey(shown, at) ? countText(leftToday(shown)) : '–'}
      </td>
      <td data-name="Daily allowance" class="number">
        {countText(shown.allowance)}
      </td>
      <td data-name="Expires">{shown.expiresAt ? formatDay(shown.expiresAt - 1) : 'never'}</td>
      <td>
        {isActiveKey(shown, at) ? (
          <a class="button plain" href={`/keys/${shown.id}/revoke`}>
            Revoke<span class="visually-hidden">{` ${shown.name}`}</span>
          </a>
        ) : (
          <span class="badge">{shown.revokedAt === null ? 'expired' : 'revoked'}</span>
        )}
      </td>
    </tr>
  );
}

/** A key just made: the only page that ever shows one. */
function NewKeyPage(props: {
  readonly request: OwnRequest;
  readonly name: string;
  readonly secret: PlainKey;
  readonly active: number;
}) {
  const { request, name, secret, active } = props;
  const url = `${request.baseUrl}${apiPrefix}/catalog/themes`;
  const line = `curl -H "Authorization: Bearer ${secret}" "${url}"`;
  return (
    <Layout title="Your new key" request={request}>
      <Notice kind="warn">
        Copy it now. It is shown this once; only its first characters are kept.
      </Notice>
      <section class="card">
        <h2>{name}</h2>
        <CopyBox id="key" text={secret} />
        <h2>Try it</h2>
        <CopyBox id="curl" text={line} />
        {request.who.plan !== 'reseller' && (
          <p>
            Your account is on the Free plan: this call answers <code>403</code> until whoever runs
            the site puts it on the Reseller plan.
          </p>
        )}
        <p class="quiet">{`You have ${active} of ${activeKeysMax} active keys.`}</p>
        <p class="flush">
          <a class="button plain" href="/keys">
            I have copied it
          </a>
        </p>
      </section>
    </Layout>
  );
}

/** Asks whether a key shall end. */
function RevokePage({ request, shown }: { readonly request: OwnRequest; readonly shown: ApiKey }) {
  return (
    <Layout title="Revoke this key?" request={request} isNarrow>
      <section class="card">
        <dl class="facts">
          <dt>Name</dt>
          <dd>{shown.name}</dd>
          <dt>Key</dt>
          <dd>
            <code>{`${shown.prefix}…`}</code>
          </dd>
          <dt>Last used</dt>
          <dd>{shown.lastUsedAt ? momentText(shown.lastUsedAt) : 'never'}</dd>
        </dl>
        <p>Programs that use it get 401 from this moment on. It cannot be taken back.</p>
        <PostForm request={request} action={`/keys/${shown.id}/revoke`} class="row">
          <button class="danger" type="submit">
            Revoke it
          </button>
          <a class="button plain" href="/keys">
            Keep it
          </a>
        </PostForm>
      </section>
    </Layout>
  );
}
