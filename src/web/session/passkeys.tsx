/** Passkeys: signing in with one, and the page that adds and removes them. They need scripts. */
import type { VNode } from 'preact';
import { type Passkey, passkeysMax } from '../../accounts/sign-in/passkey.ts';
import {
  hasPasskeys,
  type PasskeySite,
  savePasskey,
  signInWithPasskey,
  startPasskey,
  startPasskeySignIn,
} from '../../accounts/sign-in/passkeys.work.ts';
import { confirmOwner } from '../../accounts/sign-in/sign-in.work.ts';
import { recordAudit } from '../audit.ts';
import { idOf } from '../kit/address.ts';
import { ButtonForm } from '../kit/buttons.tsx';
import { Card } from '../kit/card.tsx';
import { actionColumn, dayColumn, mainColumn } from '../kit/columns.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { Field, PostForm } from '../kit/fields.tsx';
import { formPage, sentForm } from '../kit/form-page.tsx';
import { momentText } from '../kit/format.ts';
import { Layout } from '../kit/layout.tsx';
import { Dialog } from '../kit/menu.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';
import { hasPasskeysHere, passkeySite } from './other-ways.tsx';
import { ownerForm, refusedOwner } from './owner-password.tsx';
import { beginSessionAgain, showSignIn, triedTooOften } from './sign-in.tsx';

export const passkeySignInRoutes = routes('entrance', {
  '/sign-in/passkey/options': {
    post: async (deps, sent) => {
      const options = await startPasskeySignIn(deps, passkeySite(deps, sent), sent);
      return options ? { data: options } : { data: { error: triedTooOften }, status: 429 };
    },
  },
  '/sign-in/passkey': sentForm({
    show: showSignIn,
    read: ({ sent }) => sent.form.text('credential'),
    save: async ({ deps, sent }, credential) => {
      const site = passkeySite(deps, sent);
      const outcome = await signInWithPasskey(deps, { credential, site }, sent);
      if (typeof outcome === 'object') {
        return beginSessionAgain(deps, sent, outcome, sent.form.text('next'));
      }
      return { refused: 'This passkey is not known here. Sign in another way.', status: 401 };
    },
  }),
});

const path = '/account/passkeys';

const nameLengthMax = 60;

export const passkeyRoutes = routes('set-up', {
  [path]: {
    get: showPasskeys,
    post: formPage({
      show: showPasskeys,
      read: ({ fields, sent }) => ({
        name: sent.form.text('name').slice(0, nameLengthMax) || 'Passkey',
        credential: fields.form.text('credential'),
      }),
      save: async ({ deps, sent }, typed) => {
        const site = passkeySite(deps, sent);
        const outcome = await savePasskey(deps, sent.who, { ...typed, site, at: sent.at });
        if (outcome !== 'added') return { refused: refusals[outcome], status: 409 };
        await recordAudit(deps, sent, { action: 'factor.added', detail: 'passkey' });
        return { goTo: `${path}?did=added` };
      },
    }).post,
  },
  [`${path}/options`]: {
    post: async (deps, sent) => {
      const { who, at, form } = sent;
      const checked = await confirmOwner(deps, who, { password: form.secret('password'), at });
      if (checked !== 'right') {
        const { refused, status = 400 } = refusedOwner(checked);
        return { data: { error: refused }, status };
      }
      return { data: await startPasskey(deps, who, { site: passkeySite(deps, sent), at }) };
    },
  },
  [`${path}/{id}/remove`]: {
    post: async (deps, sent) => {
      const removed = { id: idOf(sent.params.id) ?? 0, issuer: deps.site.provider?.issuer ?? null };
      const outcome = await deps.accounts.removePasskey(sent.who.accountId, removed);
      if (outcome === 'last') return { goTo: `${path}?did=last` };
      if (outcome === 'removed') {
        await recordAudit(deps, sent, { action: 'factor.removed', detail: 'passkey' });
      }
      return { goTo: `${path}?did=removed` };
    },
  },
});

const lastWay = 'Set a password first, or you could not sign in anymore.';

const refusals = {
  'too many': `An account has at most ${passkeysMax} passkeys. Remove one first.`,
  taken: 'This passkey was added before.',
  wrong: 'The passkey could not be checked. Try again.',
} as const;

async function showPasskeys(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const passkeys = await deps.accounts.listPasskeys(request.who.accountId);
  return (
    <Layout
      title="Passkeys"
      request={request}
      scripts={['passkey.js']}
      done={{ added: 'Passkey added.', removed: 'Passkey removed.', last: lastWay }}
      isNarrow
    >
      <p>A passkey signs you in with your fingerprint, face or device PIN, without a password.</p>
      {passkeys.length > 0 && (
        <DataTable label="Passkeys" columns={columnsOf(request)} rows={passkeys} />
      )}
      <Card title="Add a passkey">
        {hasPasskeysHere(deps, request) ? (
          await ownerForm(deps, request, { path, form: addForm })
        ) : (
          <p class="flush">{elsewhereText(passkeySite(deps, request))}</p>
        )}
      </Card>
    </Layout>
  );
}

function elsewhereText(site: PasskeySite): string {
  return hasPasskeys(site)
    ? `Passkeys work only at ${site.origin}. Open this site there.`
    : 'Browsers have no passkeys for IP addresses. This site needs a name.';
}

function addForm(password: VNode | null): VNode {
  return (
    <>
      <div data-passkey="create" hidden>
        <PostForm action={path}>
          <input type="hidden" name="credential" />
          <Field name="name" label="Name" hint="Such as My phone." maxlength={nameLengthMax} />
          {password}
          <button type="submit">Add passkey</button>
        </PostForm>
      </div>
      <noscript>
        <p class="flush">Passkeys need JavaScript, which is off in this browser.</p>
      </noscript>
    </>
  );
}

function columnsOf(request: OwnRequest): Column<Passkey>[] {
  return [
    mainColumn('Name', ({ name }) => name),
    dayColumn('Added', ({ createdAt }) => momentText(createdAt, request.timeZone)),
    dayColumn('Last used', ({ lastUsedAt }) =>
      lastUsedAt === null ? '—' : momentText(lastUsedAt, request.timeZone),
    ),
    actionColumn(({ id, name }) => (
      <Dialog id={`remove-${id}`} title="Remove this passkey?" trigger="Remove" look="link">
        <p>{`${name} will no longer sign you in.`}</p>
        <ButtonForm action={`${path}/${id}/remove`} look="danger">
          Remove passkey
        </ButtonForm>
      </Dialog>
    )),
  ];
}
