/** How keys are shown. */
import { activeKeysMax, apiPrefix } from '../../contract/limits.ts';
import type { ApiKey } from '../../domain/account/account-store.ts';
import { leftToday } from '../../domain/account/key-places.ts';
import { isActiveKey, type PlainKey } from '../../domain/account/keys.ts';
import { formatDay } from '../../domain/kernel/time.ts';
import { Copied } from '../copied.tsx';
import { Field, Notice, PostForm, type Typed, untyped } from '../fields.tsx';
import { Layout } from '../layout.tsx';
import type { OwnRequest } from '../page-request.ts';
import { countText, instantText } from '../show.ts';

/** The list of keys, and the form for another one. */
export function KeysPage(props: {
  readonly request: OwnRequest;
  readonly keys: readonly ApiKey[];
  readonly typed?: Typed | undefined;
  readonly message?: string | undefined;
}) {
  const { request, keys, typed = untyped, message } = props;
  const { at, who } = request;
  const active = keys.filter((key) => isActiveKey(key, at));
  return (
    <Layout title="Keys" request={request} scripts={['submit.js']}>
      {request.query.has('revoked') && (
        <Notice>The key is revoked. Calls with it answer 401 from now on.</Notice>
      )}
      {message && <Notice kind="bad">{message}</Notice>}
      {who.plan !== 'reseller' && <PlanNotice />}
      <section class="card">
        <h2>Your keys</h2>
        {keys.length === 0 ? (
          <p>You have no key yet. Make one below; programs send it with every call.</p>
        ) : (
          <KeyTable keys={keys} at={at} />
        )}
        {active.some((key) => key.countedToday > key.usedToday) && <SharedPlaceNote />}
      </section>
      <section class="card">
        <h2>Make a key</h2>
        {active.length >= activeKeysMax ? (
          <p>{`You have ${activeKeysMax} active keys, and can have no more. Revoke one first.`}</p>
        ) : (
          <NewKeyForm request={request} typed={typed} left={activeKeysMax - active.length} />
        )}
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
        You can make keys already. Calls with them answer <code>403</code> until the account is on
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
        label="Last day (optional)"
        type="date"
        typed={typed}
        hint="It works until the end of this day, UTC. Left empty, until it is revoked."
      />
      <button type="submit">Make a key</button>
      <p class="quiet flush">{`${left} of ${activeKeysMax} active keys are left.`}</p>
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
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Key</th>
            <th scope="col">Last use</th>
            <th scope="col" class="number">
              Used today
            </th>
            <th scope="col" class="number">
              Left today
            </th>
            <th scope="col" class="number">
              Allowance a day
            </th>
            <th scope="col">Ends</th>
            <th scope="col">
              <span class="visually-hidden">Revoke</span>
            </th>
          </tr>
        </thead>
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
      <td data-name="Last use">{shown.lastUsedAt ? instantText(shown.lastUsedAt) : 'never'}</td>
      <td data-name="Used today" class="number">
        {countText(shown.usedToday)}
      </td>
      <td data-name="Left today" class="number">
        {isActiveKey(shown, at) ? countText(leftToday(shown)) : '–'}
      </td>
      <td data-name="Allowance a day" class="number">
        {countText(shown.allowance)}
      </td>
      <td data-name="Ends">{shown.expiresAt ? formatDay(shown.expiresAt - 1) : 'never'}</td>
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
export function NewKeyPage(props: {
  readonly request: OwnRequest;
  readonly name: string;
  readonly secret: PlainKey;
  readonly active: number;
}) {
  const { request, name, secret, active } = props;
  const url = `${request.baseUrl}${apiPrefix}/catalog/themes`;
  const line = `curl -H "Authorization: Bearer ${secret}" "${url}"`;
  return (
    <Layout title="Your new key" request={request} scripts={['copy.js']}>
      <Notice kind="warn">
        Copy it now. It is shown this once; only its first characters are kept.
      </Notice>
      <section class="card">
        <h2>{name}</h2>
        <Copied id="key" text={secret} />
        <h2>Try it</h2>
        <Copied id="curl" text={line} />
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
export function RevokePage({
  request,
  shown,
}: {
  readonly request: OwnRequest;
  readonly shown: ApiKey;
}) {
  return (
    <Layout title="Revoke this key?" request={request} scripts={['submit.js']} isNarrow>
      <section class="card">
        <dl class="facts">
          <dt>Name</dt>
          <dd>{shown.name}</dd>
          <dt>Key</dt>
          <dd>
            <code>{`${shown.prefix}…`}</code>
          </dd>
          <dt>Last use</dt>
          <dd>{shown.lastUsedAt ? instantText(shown.lastUsedAt) : 'never'}</dd>
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
