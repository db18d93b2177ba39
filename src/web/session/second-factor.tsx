/** Two-step sign-in: the page that asks for a code, and setting up an authenticator app. */
import type { VNode } from 'preact';
import {
  checkCode,
  confirmAuthenticator,
  findNewAuthenticator,
  finishSignInStep,
  renewRecoveryCodes,
  startAuthenticator,
} from '../../accounts/sign-in/second-factor.work.ts';
import { confirmOwner, hashToken } from '../../accounts/sign-in/sign-in.work.ts';
import { base32, totpUrl } from '../../accounts/sign-in/totp.ts';
import { recordAudit } from '../audit.ts';
import { withQuery } from '../kit/address.ts';
import { ButtonLink, PlainButton } from '../kit/buttons.tsx';
import { Card } from '../kit/card.tsx';
import { Field, Notice, PostForm } from '../kit/fields.tsx';
import { formPage, type Refusal, sentForm } from '../kit/form-page.tsx';
import { nounText } from '../kit/format.ts';
import { CardPage, Layout } from '../kit/layout.tsx';
import { QrCode } from '../kit/qr-code.tsx';
import { NoSecretFile } from '../owner/alerts/alert-channels.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRequest, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';
import { ownerForm, refusedOwner } from './owner-password.tsx';
import { beginSessionAgain, nextField, sessionCookies } from './sign-in.tsx';

export const codeRoutes = routes('entrance', {
  '/sign-in/code': formPage({
    show: showCodePage,
    read: ({ sent }) => sent.form.text('code'),
    save: async ({ deps, sent }, code) => {
      const outcome = await finishSignInStep(deps, { step: sent.step ?? '', code }, sent);
      if (outcome === 'gone') return { goTo: signInAgain(sent) };
      if (typeof outcome === 'object') {
        return beginSessionAgain(deps, sent, outcome, sent.form.text('next'));
      }
      return refusedCode(outcome);
    },
  }),
});

const path = '/account/authenticator';

export const authenticatorRoutes = routes('set-up', {
  [path]: { get: showAuthenticator },
  [`${path}/start`]: sentForm({
    show: showAuthenticator,
    read: ({ sent }) => sent.form.secret('password'),
    save: async ({ deps, sent: { who, at } }, password) => {
      const encrypter = deps.secrets.factorEncrypter;
      if (!encrypter) return { refused: '', status: 409 };
      const checked = await confirmOwner(deps, who, { password, at });
      if (checked !== 'right') return refusedOwner(checked);
      await startAuthenticator(deps, encrypter, { accountId: who.accountId, at });
      return { goTo: path };
    },
  }),
  [`${path}/confirm`]: codeForm(async (deps, sent, code) => {
    const outcome = await confirmAuthenticator(deps, sent.who, { code, visitor: sent });
    if (outcome === 'gone') return { goTo: path };
    if (typeof outcome === 'string') return refusedCode(outcome);
    await recordAudit(deps, sent, { action: 'factor.added', detail: 'authenticator app' });
    const page = showCodes(sent, outcome.codes);
    return { page, cookies: sessionCookies(sent, outcome.opened) };
  }),
  [`${path}/codes`]: codeForm(async (deps, sent, code) => {
    const checked = await checkCode(deps, sent.who, { code, at: sent.at });
    if (checked !== 'right') return refusedCode(checked);
    const codes = await renewRecoveryCodes(deps, sent.who.accountId);
    await recordAudit(deps, sent, { action: 'factor.added', detail: 'recovery codes' });
    return showCodes(sent, codes);
  }),
  [`${path}/remove`]: codeForm(async (deps, sent, code) => {
    const checked = await checkCode(deps, sent.who, { code, at: sent.at });
    if (checked !== 'right') return refusedCode(checked);
    await deps.accounts.removeAuthenticator(sent.who.accountId);
    await recordAudit(deps, sent, { action: 'factor.removed', detail: 'authenticator app' });
    return { goTo: '/account?did=unfactored' };
  }),
});

function codeForm(
  save: (deps: WebDeps, sent: OwnSentRequest, code: string) => Promise<PageAnswer | Refusal>,
) {
  const { post } = formPage({
    show: showAuthenticator,
    read: ({ sent }: { readonly sent: OwnSentRequest }) => sent.form.text('code'),
    save: ({ deps, sent }, code) => save(deps, sent as OwnSentRequest, code),
  });
  return { post };
}

function refusedCode(outcome: 'wrong' | 'too often'): Refusal {
  return outcome === 'too often'
    ? { refused: 'Too many codes were tried. Wait 15 minutes and try again.', status: 429 }
    : { refused: 'This code is wrong or was used before. Wait for the next one.', field: 'code' };
}

/** Signing in starts again, because too much time has passed. */
function signInAgain(request: PageRequest): string {
  return withQuery('/sign-in', { next: nextField(request) });
}

async function showCodePage(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const { step, at } = request;
  const isWaiting = step && (await deps.accounts.findSignInStep(hashToken(step), at));
  if (!isWaiting) return { goTo: signInAgain(request) };
  const next = nextField(request);
  const isRecovery = request.query.has('recovery');
  return (
    <CardPage title="Enter your code" request={request}>
      <PostForm action="/sign-in/code">
        <input type="hidden" name="next" value={next} />
        {isRecovery ? (
          <Field name="code" label="Recovery code" autocomplete="off" hasFocus />
        ) : (
          <CodeField />
        )}
        <button type="submit">Sign in</button>
      </PostForm>
      <p class="flush">
        {isRecovery ? (
          <a href={withQuery('/sign-in/code', { next })}>Use your authenticator app</a>
        ) : (
          <a href={withQuery('/sign-in/code', { next, recovery: '1' })}>Use a recovery code</a>
        )}
      </p>
      <p class="flush quiet small">
        Lost both? Ask the operator of this site to reset your two-step sign-in.
      </p>
    </CardPage>
  );
}

function CodeField() {
  return (
    <Field
      name="code"
      label="Code"
      hint="Six digits from your authenticator app."
      autocomplete="one-time-code"
      inputmode="numeric"
      hasFocus
    />
  );
}

async function showAuthenticator(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { who, at } = request;
  const app = await deps.accounts.findAuthenticator(who.accountId);
  if (app?.isConfirmed) return showConfirmed(deps, request);
  const found = await findNewAuthenticator(deps, { accountId: who.accountId, at });
  const form = (password: VNode | null) => (
    <PostForm action={`${path}/start`}>
      {password}
      <button type="submit">Set up</button>
    </PostForm>
  );
  return (
    <Layout title="Two-step sign-in" request={request} scripts={['passkey.js']} isNarrow>
      <p>
        After your password, you enter a code from an authenticator app on your phone. Turning it on
        signs you out everywhere else.
      </p>
      <Card>
        {!deps.secrets.factorEncrypter && <NoSecretFile what="Authenticator apps are" />}
        {deps.secrets.factorEncrypter && !found && (await ownerForm(deps, request, { path, form }))}
        {found && <SetUp request={request} secret={found.secret} />}
      </Card>
    </Layout>
  );
}

function SetUp(props: { readonly request: OwnRequest; readonly secret: Uint8Array }) {
  const { request, secret } = props;
  const site = new URL(request.baseUrl).hostname;
  return (
    <>
      <p>Scan this with your authenticator app, or type the key into it.</p>
      <QrCode text={totpUrl(secret, { email: request.who.email, site })} label="Key for your app" />
      <p>
        <code id="key">{base32(secret).replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </p>
      <PostForm action={`${path}/confirm`}>
        <CodeField />
        <button type="submit">Turn on</button>
      </PostForm>
    </>
  );
}

async function showConfirmed(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const left = await deps.accounts.countRecoveryCodes(request.who.accountId);
  return (
    <Layout title="Two-step sign-in" request={request} isNarrow>
      <p>{`It is on. You have ${nounText(left, 'recovery code')} left.`}</p>
      {!deps.secrets.factorEncrypter && <NoSecretFile what="Codes of apps are" />}
      <Card title="New recovery codes">
        <PostForm action={`${path}/codes`}>
          <CodeField />
          <PlainButton>Replace recovery codes</PlainButton>
        </PostForm>
      </Card>
      <Card title="Turn off">
        <PostForm action={`${path}/remove`}>
          <Field name="code" label="Code or recovery code" autocomplete="one-time-code" />
          <button class="danger" type="submit">
            Turn off two-step sign-in
          </button>
        </PostForm>
      </Card>
    </Layout>
  );
}

/** The codes are only in this answer. */
function showCodes(request: OwnRequest, codes: readonly string[]) {
  return (
    <Layout title="Recovery codes" request={request} isNarrow>
      <Notice kind="warn">
        Save these codes now. If you lose your phone, each of them signs you in once.
      </Notice>
      <Card>
        <ul class="codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <ButtonLink href="/account">Done</ButtonLink>
      </Card>
    </Layout>
  );
}
