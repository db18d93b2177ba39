/** Sign-up, sign-in, sign-out, and setting a password with a link. */

import { emailProblem, isPlain } from '../../accounts/people/email.ts';
import { type Opened, sessionMs } from '../../accounts/sign-in/open-session.work.ts';
import type { Passkey } from '../../accounts/sign-in/passkey.ts';
import { passwordProblem } from '../../accounts/sign-in/password.ts';
import { signInStepMs } from '../../accounts/sign-in/second-factor.work.ts';
import {
  hashToken,
  setPasswordByLink,
  signIn,
  signUp,
} from '../../accounts/sign-in/sign-in.work.ts';
import { withQuery } from '../kit/address.ts';
import { ButtonLink, PlainLink } from '../kit/buttons.tsx';
import { Card } from '../kit/card.tsx';
import { Checkbox, Field, Notice, PostForm } from '../kit/fields.tsx';
import { FormPage, formPage, type Refusal, type Sent } from '../kit/form-page.tsx';
import { momentText } from '../kit/format.ts';
import { Layout } from '../kit/layout.tsx';
import { signedInCookie, signedOutCookie } from '../owner/device/keeps-cookie.ts';
import type { PageAnswer, PageRequest, SentRequest, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';
import { setCookie } from '../server/cookies.ts';
import { tellNewDevice } from './new-device.ts';
import { hasPasskeysHere, OtherWays, type Ways } from './other-ways.tsx';
import { PasswordField } from './password-field.tsx';

export const signInRoutes = routes('entrance', {
  '/sign-in': formPage({
    show: showSignIn,
    read: ({ sent: { form } }) => ({
      email: form.text('email'),
      password: form.secret('password'),
    }),
    save: async ({ deps, sent }, typed) => {
      const outcome = await signIn(deps, typed, sent);
      if (typeof outcome === 'object') {
        return 'step' in outcome
          ? askForCode(sent, outcome.step)
          : beginSessionAgain(deps, sent, outcome, sent.form.text('next'));
      }
      return outcome === 'wrong'
        ? { refused: wrongMessage(typed.email), status: 401 }
        : { refused: triedTooOften, status: 429 };
    },
  }),
  '/sign-up': formPage({
    barred: ({ site }, request) =>
      hasSignUpForm(request) ? null : (
        <NoSignUpPage request={request} provider={site.provider?.name ?? null} />
      ),
    show: unlessSignedIn(SignUpPage),
    read: readNewAccount,
    save: async ({ deps, sent }, typed) => {
      const made = await signUp(deps, typed, sent);
      if (typeof made === 'object') {
        return beginSession(deps, sent, made, { next: sent.form.text('next'), start: '/welcome' });
      }
      return refusedSignUp(made);
    },
  }),
  '/sign-out': { post: postSignOut },
  '/password/{link}': {
    hasSecretPath: true,
    ...formPage({
      show: showLink,
      read: async ({ deps, sent: { form, params, at }, fields }) => {
        const password = form.secret('password');
        const email = await deps.accounts.findResetLink(hashToken(params.link ?? ''), at);
        fields.check('password', passwordProblem(password, email ?? ''));
        return password;
      },
      save: async ({ deps, sent }, password) => {
        const token = sent.params.link ?? '';
        const kept = await readKept(deps, sent);
        const used = await setPasswordByLink(deps, { token, password, kept }, sent);
        if (used === null) return deadLink(sent);
        // Its sign-in will be that of a known browser.
        if (used.isNewDevice) tellNewDevice(deps, sent, used);
        const cookies = used.device === null ? [] : [deviceCookie(sent, used.device)];
        return { goTo: '/sign-in?changed=1', cookies };
      },
    }),
  },
});

/** The page that asks for a code, in the browser that typed the password. */
function askForCode({ form, names }: SentRequest, step: string): PageAnswer {
  const cookie = setCookie(names.step, step, { ...names, seconds: signInStepMs / 1000 });
  const next = form.text('next');
  return { goTo: withQuery('/sign-in/code', { next }), cookies: [cookie] };
}

export function showSignIn(deps: WebDeps, request: PageRequest): PageAnswer {
  return unlessSignedIn(SignInPage)(deps, request);
}

/** Redirects users who are signed in already, unless the form was rejected. */
function unlessSignedIn(Page: typeof SignInPage) {
  return (deps: WebDeps, request: PageRequest) =>
    request.who && !request.rejected ? (
      { goTo: safeNext(request.query.get('next') ?? '') }
    ) : (
      <Page
        request={request}
        ways={{
          provider: deps.site.provider?.name ?? null,
          hasPasskeys: hasPasskeysHere(deps, request),
        }}
      />
    );
}

export const triedTooOften = 'Too many attempts. Wait 15 minutes and try again.';

/** Does not reveal whether the account exists, and points out look-alike letters. */
function wrongMessage(email: string): string {
  const wrong = 'Incorrect email or password.';
  return isPlain(email) ? wrong : `${wrong} The email contains letters other than a to z.`;
}

/** Begins a session of an existing account, whose owner hears about new devices. */
export function beginSessionAgain(
  deps: WebDeps,
  request: PageRequest,
  opened: Opened,
  next: string,
) {
  if (opened.isNewDevice) tellNewDevice(deps, request, opened);
  return beginSession(deps, request, opened, { next });
}

/** Sets the session cookie and redirects to the requested page. */
export async function beginSession(
  deps: WebDeps,
  request: PageRequest,
  opened: Opened,
  to: { readonly next: string; readonly start?: string },
): Promise<PageAnswer> {
  const { who, draft, secretNext, keepsData, names } = request;
  // The previous session of this browser ends.
  if (who) await deps.accounts.endSession(who.accountId, who.sessionId);
  const next = safeNext(to.next || (secretNext ?? ''), to.start);
  const isDraft = draft?.page === next.split('?', 1)[0];
  const cookies = sessionCookies(request, opened);
  if (secretNext !== null) cookies.push(setCookie(names.next, null, { ...names, seconds: null }));
  if (keepsData) cookies.push(signedInCookie(opened.accountId));
  return { goTo: isDraft ? `${next}#draft` : next, cookies };
}

/** The requested page if it is on this site, otherwise `start`. */
export function safeNext(next: string, start = '/today'): string {
  const isOwn = /^\/(?![/\\])[\w\-/.%]*(\?[\w\-/.%*+=&]*)?$/.test(next);
  return isOwn ? next : start;
}

/** The cookies of a new session; the form token of the visitor is deleted. */
export function sessionCookies(request: PageRequest, { token, device }: Opened): string[] {
  const { names } = request;
  return [
    setCookie(names.session, token, { ...names, seconds: sessionMs / 1000 }),
    setCookie(names.form, null, { ...names, seconds: null }),
    setCookie(names.step, null, { ...names, seconds: null }),
    deviceCookie(request, device),
  ];
}

/** The longest time that browsers keep a cookie. */
const deviceSeconds = 400 * 24 * 60 * 60;

function deviceCookie({ names }: PageRequest, device: string): string {
  return setCookie(names.device, device, { ...names, seconds: deviceSeconds });
}

export const signedUpTooOften = 'Too many sign-ups from your network today. Try again tomorrow.';

export function refusedSignUp(outcome: 'taken' | 'too often'): Refusal {
  return outcome === 'too often'
    ? { refused: signedUpTooOften, status: 429 }
    : { refused: taken, field: 'email', status: 409 };
}

const taken = 'An account with this email already exists. Sign in or reset your password.';

async function postSignOut(deps: WebDeps, sent: SentRequest): Promise<PageAnswer> {
  const { who, keepsData, form } = sent;
  // A page that was open before the browser kept anything has no script that asks.
  if (who && keepsData && form.text('asked') === '') return <SignOutPage request={sent} />;
  if (who) await deps.accounts.endSession(who.accountId, who.sessionId);
  return { goTo: '/', cookies: expiredCookies(sent) };
}

/** The script sends what is unsent meanwhile. */
function SignOutPage({ request }: { readonly request: PageRequest }) {
  return (
    <Layout title="Sign out" request={request} isNarrow>
      <Card>
        <p>
          This browser keeps data of your account, or entries that are not sent yet. Signing out
          deletes them.
        </p>
        <PostForm action="/sign-out" class="row">
          <input type="hidden" name="asked" value="yes" />
          <button type="submit" class="danger">
            Sign out and delete
          </button>
          <PlainLink href="/device">Show what is kept</PlainLink>
        </PostForm>
      </Card>
    </Layout>
  );
}

/** Deletes the cookies of a session, and what the device keeps. */
export function expiredCookies({ who, keepsData, names }: PageRequest): string[] {
  const deleted = { ...names, seconds: null };
  return [
    setCookie(names.session, null, deleted),
    setCookie(names.draft, null, deleted),
    ...(who && keepsData ? [signedOutCookie(who.accountId)] : []),
  ];
}

/** A dead link is found when a new password is saved, too. */
async function showLink(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const link = request.params.link ?? '';
  const isGood =
    request.rejected || (await deps.accounts.findResetLink(hashToken(link), request.at)) !== null;
  if (!isGood) return deadLink(request);
  return <NewPasswordPage request={request} passkeys={await listKeepable(deps, request)} />;
}

/** Passkeys that the form can remove; none on a site that requires them. */
async function listKeepable({ accounts }: WebDeps, { params, access, at }: PageRequest) {
  return access.requires === 'none' ? accounts.listKeepable(hashToken(params.link ?? ''), at) : [];
}

/** A passkey that was added since the page was opened is not in its form, and does not stay. */
async function readKept(deps: WebDeps, sent: SentRequest): Promise<'all' | readonly number[]> {
  if (sent.access.requires !== 'none') return 'all';
  const ids = (await listKeepable(deps, sent)).map(({ id }) => id);
  return ids.filter((id) => sent.form.text(keptField(id)) !== '');
}

function keptField(id: number): string {
  return `passkey-${id}`;
}

interface SignPageProps {
  readonly request: PageRequest;
}

/** The page to open after signing in or up. */
export function nextField({ rejected, query }: PageRequest): string {
  return rejected?.values.next ?? query.get('next') ?? '';
}

function SignInPage({ request, ways }: SignPageProps & { readonly ways: Ways }) {
  const next = nextField(request);
  return (
    <Layout title="Sign in" request={request} scripts={['passkey.js']} isNarrow>
      {request.query.has('changed') && (
        <Notice>
          Your password was changed. Sign in with the new one. Your API keys were revoked; create
          new ones.
        </Notice>
      )}
      {request.draft && !request.rejected && (
        <Notice kind="warn">You were signed out. Sign in to get back what you typed.</Notice>
      )}
      <Card>
        <PostForm action="/sign-in">
          <input type="hidden" name="next" value={next} />
          <Field name="email" label="Email" type="email" autocomplete="username" />
          <PasswordField label="Password" />
          <button type="submit">Sign in</button>
        </PostForm>
        <p class="flush">
          <a href="/password">Forgot password?</a>
        </p>
        <OtherWays {...ways} next={next} />
      </Card>
      {request.access.signUp === 'open' && (
        <p>
          New here? <a href={withQuery('/sign-up', { next })}>Create an account</a>
        </p>
      )}
    </Layout>
  );
}

/** With sign-in by the identity provider required, it creates the accounts. */
function hasSignUpForm({ access }: PageRequest): boolean {
  return access.signUp === 'open' && access.requires !== 'oidc';
}

/** The page of a site where visitors cannot create accounts with a password. */
function NoSignUpPage({ request, provider }: SignPageProps & { readonly provider: string | null }) {
  const { signUp } = request.access;
  const isByInvitation = signUp === 'invite';
  if (signUp === 'open' && provider !== null) {
    return (
      <Layout title="Create an account" request={request} isNarrow>
        <p>{`Sign in with ${provider}: your first sign-in creates your account.`}</p>
        <OtherWays provider={provider} hasPasskeys={false} next={nextField(request)} />
      </Layout>
    );
  }
  return (
    <Layout title="Sign-up is closed" request={request} isNarrow>
      <p>
        {isByInvitation
          ? 'You need an invitation to create an account. Ask the operator of this site for one.'
          : 'The operator of this site creates accounts. Ask them for one.'}
      </p>
      <p>
        <ButtonLink href="/sign-in">Sign in</ButtonLink>
      </p>
    </Layout>
  );
}

function SignUpPage({ request, ways: { provider } }: SignPageProps & { readonly ways: Ways }) {
  const next = nextField(request);
  if (!hasSignUpForm(request)) return <NoSignUpPage request={request} provider={provider} />;
  return (
    <Layout title="Create an account" request={request} isNarrow>
      <Card>
        <PostForm action="/sign-up">
          <input type="hidden" name="next" value={next} />
          <NewAccountFields request={request} />
          <button type="submit">Create account</button>
        </PostForm>
      </Card>
      <p>
        Already have an account? <a href={withQuery('/sign-in', { next })}>Sign in</a>
      </p>
    </Layout>
  );
}

export function NewAccountFields({ request }: SignPageProps) {
  const next = nextField(request);
  return (
    <>
      <Field name="email" label="Email" type="email" autocomplete="username" />
      {request.rejected?.faults.email === taken && (
        <p class="row flush">
          <a href={withQuery('/sign-in', { next })}>Sign in</a>
          <a href="/password">Reset password</a>
        </p>
      )}
      <PasswordField label="Password" isNew hint="At least 10 characters." />
    </>
  );
}

export function readNewAccount({ sent: { form }, fields }: Sent<PageRequest, unknown>) {
  const typed = { email: form.text('email'), password: form.secret('password') };
  fields.check('email', emailProblem(typed.email));
  fields.check('password', passwordProblem(typed.password, typed.email));
  return typed;
}

function NewPasswordPage({
  request,
  passkeys,
}: SignPageProps & { readonly passkeys: readonly Passkey[] }) {
  return (
    <FormPage request={request} title="Set a new password" button="Set password">
      <PasswordField
        label="New password"
        isNew
        hint="At least 10 characters. This signs you out everywhere and revokes your API keys."
      />
      {passkeys.length > 0 && (
        <fieldset class="options">
          <legend>Passkeys to keep</legend>
          <p class="quiet small">
            These sign in to your account without the password. Untick those that are not yours.
          </p>
          {passkeys.map(({ id, name, createdAt }) => (
            <Checkbox
              key={id}
              name={keptField(id)}
              label={`${name}, added ${momentText(createdAt, request.timeZone)}`}
              isTicked={!request.rejected}
            />
          ))}
        </fieldset>
      )}
    </FormPage>
  );
}

function deadLink(request: PageRequest): PageAnswer {
  const page = (
    <Layout title="This link has expired" request={request} isNarrow>
      <p>A link works once, for 24 hours, and only the latest one is valid.</p>
      <p>
        <ButtonLink href="/password">Get a new link</ButtonLink>
      </p>
    </Layout>
  );
  return { page, status: 404 };
}
