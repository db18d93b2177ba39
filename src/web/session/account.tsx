/** The account page: profile, regional settings, password, sessions, export and deletion. */
import type { ComponentChildren, VNode } from 'preact';
import { closedDays } from '../../accounts/people/account.ts';
import { emailKey } from '../../accounts/people/email.ts';
import { onlyAdminText } from '../../accounts/people/role.ts';
import { passwordProblem } from '../../accounts/sign-in/password.ts';
import type { Session } from '../../accounts/sign-in/session.ts';
import { changePassword, deleteAccount } from '../../accounts/sign-in/sign-in.work.ts';
import { formatDay } from '../../kernel/time.ts';
import { exportAccount } from '../../portfolio/export/export-account.work.ts';
import { recordAudit, sendRecorded } from '../audit.ts';
import { idOf } from '../kit/address.ts';
import {
  ButtonForm,
  DangerLink,
  DownloadLink,
  PlainLink,
  SubmitOrCancel,
} from '../kit/buttons.tsx';
import { Badge, Card, Facts } from '../kit/card.tsx';
import { actionColumn, dayColumn, mainColumn } from '../kit/columns.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { freePlanText, OperatorLink } from '../kit/fault.tsx';
import { Field, Notice, PostForm } from '../kit/fields.tsx';
import { formPage, sentForm } from '../kit/form-page.tsx';
import { momentText } from '../kit/format.ts';
import { Layout, ThemeChoices } from '../kit/layout.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';
import { agentName } from './agent.ts';
import { hasPassword, ownerForm, refusedOwner } from './owner-password.tsx';
import { PasswordField } from './password-field.tsx';
import {
  listCurrencies,
  RegionForm,
  readRegion,
  regionPath,
  saveRegion,
} from './region-settings.tsx';
import { expiredCookies, sessionCookies, triedTooOften } from './sign-in.tsx';

export const accountRoutes = routes('own', {
  '/account': { get: showAccount },
  '/account/password': sentForm({
    show: showAccount,
    read: ({ sent: { form, who }, fields }) => {
      const next = form.secret('new_password');
      fields.check('new_password', passwordProblem(next, who.email));
      return { old: form.secret('old_password'), new: next };
    },
    save: async ({ deps, sent }, passwords) => {
      const outcome = await changePassword(deps, sent.who, { ...passwords, visitor: sent });
      if (typeof outcome === 'object') {
        return { goTo: '/account?did=changed', cookies: sessionCookies(sent, outcome) };
      }
      return outcome === 'too often'
        ? { refused: triedTooOften, status: 429 }
        : { refused: 'Incorrect password.', field: 'old_password' };
    },
  }),
  [regionPath]: sentForm({ show: showAccount, read: readRegion, save: saveRegion }),
  '/account/sessions/{id}/end': {
    post: async (deps, { who, params, at }) => {
      const id = idOf(params.id);
      if (id !== null && (await deps.accounts.endSession(who.accountId, id))) {
        await recordAudit(deps, { who, at }, { action: 'session.ended' });
      }
      return { goTo: '/account?did=ended' };
    },
  },
  '/account/sessions/end-others': {
    post: async (deps, { who, at }) => {
      await deps.accounts.endOtherSessions(who.accountId, who.sessionId);
      await recordAudit(deps, { who, at }, { action: 'session.ended', detail: 'all others' });
      return { goTo: '/account?did=ended' };
    },
  },
  '/account/export': {
    get: async (deps, request) => {
      const { who, at } = request;
      const data = { accounts: deps.accounts, market: deps.portfolio.market };
      return sendRecorded(deps, request, {
        done: { action: 'account.exported' },
        send: () => ({
          file: exportAccount(data, who, at),
          name: `brickmark-account-${formatDay(at)}.json`,
          type: 'application/json; charset=utf-8',
        }),
      });
    },
  },
  '/account/delete': formPage({
    show: showDelete,
    read: ({ sent: { form, who }, fields }) => {
      const isSame = emailKey(form.text('email')) === emailKey(who.email);
      fields.check('email', isSame ? null : 'This is not the email of your account.');
      return form.secret('password');
    },
    save: async ({ deps, sent }, password) => {
      const { who, at } = sent;
      const outcome = await deleteAccount(deps, who, { password, at });
      if (outcome === 'gone') return { goTo: '/?gone=1', cookies: expiredCookies(sent) };
      if (outcome === 'only admin') return { refused: onlyAdminText, status: 409 };
      return refusedOwner(outcome);
    },
  }),
});

async function showAccount(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { who, at } = request;
  const sessions = await deps.accounts.listSessions(who.accountId, at);
  const app = await deps.accounts.findAuthenticator(who.accountId);
  return (
    <Layout
      title="Account"
      request={request}
      done={{
        changed: 'Password changed.',
        ended: 'Session ended.',
        region: 'Regional settings saved.',
        unfactored: 'Two-step sign-in turned off.',
      }}
    >
      <div class="settings">
        <Setting title="Profile">
          <Facts
            facts={[
              ['Email', who.email],
              ['Plan', who.plan === 'reseller' ? 'Reseller' : <FreePlan access={request.access} />],
            ]}
          />
        </Setting>
        <Setting
          title="Regional settings"
          about="Your time zone, and how pages show amounts, numbers and dates."
        >
          <RegionForm request={request} currencies={await listCurrencies(deps, request)} />
        </Setting>
        <PasswordSetting hasPassword={await hasPassword(deps, request)} />
        <SignInSettings
          hasApp={app?.isConfirmed ?? false}
          provider={deps.site.provider?.name ?? null}
        />
        <Setting title="Sessions" about="Where you are signed in.">
          <Sessions request={request} sessions={sessions} />
        </Setting>
        <Setting title="Activity" about="Sign-ins, keys, imports and what operators changed.">
          <PlainLink href="/account/activity">View activity</PlainLink>
        </Setting>
        <Setting title="Theme" about="For this browser.">
          <div class="theme">
            <ThemeChoices request={request} />
          </div>
        </Setting>
        <OtherSettings />
        <Setting
          title="Export"
          about="All your data as one JSON file: collections, lots, sales, alerts, API usage."
        >
          <DownloadLink href="/account/export">Export account data</DownloadLink>
        </Setting>
        <Setting title="Delete account" about={`Erases all your data after ${closedDays} days.`}>
          <DangerLink href="/account/delete">Delete account…</DangerLink>
        </Setting>
      </div>
    </Layout>
  );
}

function OtherSettings() {
  return (
    <>
      <Setting title="This device" about="What it keeps to work without a signal.">
        <PlainLink href="/device">Use without a signal</PlainLink>
      </Setting>
      <Setting title="Buying settings" about="Margin, taxes and fees behind max buy prices.">
        <PlainLink href="/account/buying">Edit buying settings</PlainLink>
      </Setting>
      <Setting title="Sharing" about="Who can see your collections, and what others share.">
        <PlainLink href="/account/sharing">Manage sharing</PlainLink>
      </Setting>
    </>
  );
}

function PasswordSetting(props: { readonly hasPassword: boolean }) {
  if (!props.hasPassword) {
    return (
      <Setting title="Password" about="You sign in without one.">
        <PlainLink href="/password">Set a password</PlainLink>
      </Setting>
    );
  }
  return (
    <Setting title="Password" about="Changing it signs you out everywhere else.">
      <PostForm action="/account/password">
        <PasswordField name="old_password" label="Current password" />
        <PasswordField
          name="new_password"
          label="New password"
          isNew
          hint="At least 10 characters."
        />
        <button type="submit">Change password</button>
      </PostForm>
    </Setting>
  );
}

/** Other ways to sign in, each on its own page. */
function SignInSettings(props: { readonly hasApp: boolean; readonly provider: string | null }) {
  const { hasApp, provider } = props;
  return (
    <>
      <Setting title="Two-step sign-in" about="A code from your phone, after the password.">
        <PlainLink href="/account/authenticator">
          {hasApp ? 'Manage two-step sign-in' : 'Set up two-step sign-in'}
        </PlainLink>
      </Setting>
      <Setting title="Passkeys" about="Sign in with your fingerprint, face or PIN.">
        <PlainLink href="/account/passkeys">Manage passkeys</PlainLink>
      </Setting>
      {provider !== null && (
        <Setting title={`Sign in with ${provider}`} about="Instead of a password.">
          <PlainLink href="/account/provider">Manage the link</PlainLink>
        </Setting>
      )}
    </>
  );
}

function FreePlan({ access }: Pick<OwnRequest, 'access'>) {
  return (
    <>
      {`Free. ${freePlanText} For deals, max buy prices and the API, ask `}
      <OperatorLink access={access} /> for the Reseller plan.
    </>
  );
}

function Setting(props: {
  readonly title: string;
  readonly about?: string;
  readonly children: ComponentChildren;
}) {
  const { title, about, children } = props;
  return (
    <section>
      <div>
        <h2>{title}</h2>
        {about && <p class="quiet small flush">{about}</p>}
      </div>
      <div>{children}</div>
    </section>
  );
}

function Sessions(props: { readonly request: OwnRequest; readonly sessions: readonly Session[] }) {
  const { request, sessions } = props;
  const columns: Column<Session>[] = [
    mainColumn('Device', ({ agent }) => <span title={agent}>{agentName(agent)}</span>),
    dayColumn('Signed in', ({ createdAt }) => momentText(createdAt, request.timeZone)),
    dayColumn('Last active', ({ lastSeenAt }) => momentText(lastSeenAt, request.timeZone)),
    actionColumn(({ id }) =>
      id === request.who.sessionId ? (
        <Badge kind="good">This device</Badge>
      ) : (
        <ButtonForm action={`/account/sessions/${id}/end`} look="link">
          Sign out
        </ButtonForm>
      ),
    ),
  ];
  return (
    <>
      <DataTable label="Sessions" columns={columns} rows={sessions} />
      {sessions.length > 1 && (
        <ButtonForm action="/account/sessions/end-others" look="plain">
          Sign out all other sessions
        </ButtonForm>
      )}
    </>
  );
}

const deletionText =
  'Your API keys stop working at once, and you are signed out everywhere. ' +
  `After ${closedDays} days, your collections, sales and alerts are erased; until then, the ` +
  'operator of this site can restore them.';

async function showDelete(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const path = '/account/delete';
  const form = (password: VNode | null) => (
    <PostForm action={path}>
      <Field
        name="email"
        label="Email"
        type="email"
        hint={`Type ${request.who.email} to confirm.`}
      />
      {password}
      <SubmitOrCancel look="danger" cancel="/account">
        Delete account
      </SubmitOrCancel>
    </PostForm>
  );
  return (
    <Layout title="Delete your account?" request={request} scripts={['passkey.js']} isNarrow>
      <Notice kind="warn">
        {deletionText} <a href="/account/export">Export your data</a> first if you may need it.
      </Notice>
      <Card>{await ownerForm(deps, request, { path, form })}</Card>
    </Layout>
  );
}
