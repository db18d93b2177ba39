/** Sign-up, sign-in, sign-out, and setting a password with a link. */
import { hashToken, sessionMs, setPasswordByLink, signIn, signUp } from '../../accounts/sign-in.ts';
import { emailProblem, isPlain } from '../../domain/account/email.ts';
import { passwordProblem } from '../../domain/account/password.ts';
import type { WebDeps } from '../deps.ts';
import { withQuery } from '../kit/address.ts';
import { Card } from '../kit/card.tsx';
import { Field, Notice, PostForm, type Typed, untyped } from '../kit/fields.tsx';
import { CardPage, Layout } from '../kit/layout.tsx';
import { TypedFields } from '../kit/typed-fields.ts';
import type { PageAnswer, PageRequest, SentRequest } from '../page.ts';
import { openPages } from '../page-table.ts';
import { cookieNames, setCookie } from '../server/cookies.ts';
import { PasswordField } from './password-field.tsx';

export const signInRoutes = openPages({
  '/sign-in': { get: unlessSignedIn(SignInPage), post: postSignIn },
  '/sign-up': { get: unlessSignedIn(SignUpPage), post: postSignUp },
  '/sign-out': { post: postSignOut },
  '/password/{link}': { get: showLink, post: postLink },
});

/** Redirects users who are signed in already. */
function unlessSignedIn(Page: typeof SignInPage) {
  return (_: WebDeps, request: PageRequest) =>
    request.who
      ? { goTo: safeNext(request.query.get('next') ?? '') }
      : { page: <Page request={request} /> };
}

/** The error after too many attempts. */
export const triedTooOften = 'Too many attempts. Wait 15 minutes and try again.';

async function postSignIn(deps: WebDeps, sent: SentRequest): Promise<PageAnswer> {
  const { form } = sent;
  const typed = { email: form.text('email'), password: form.secret('password') };
  const outcome = await signIn(deps, typed, sent);
  if (typeof outcome === 'object') return begin(deps, sent, outcome.token);
  const message = outcome === 'wrong' ? wrongMessage(typed.email) : triedTooOften;
  const page = (
    <SignInPage request={sent} typed={{ values: form.typed, faults: {} }} message={message} />
  );
  return { page, status: outcome === 'wrong' ? 401 : 429 };
}

/** Does not reveal whether the account exists, and points out look-alike letters. */
function wrongMessage(email: string): string {
  const wrong = 'Incorrect email or password.';
  return isPlain(email) ? wrong : `${wrong} The email contains letters other than a to z.`;
}

/** Sets the session cookie and redirects to the requested page. */
async function begin(
  deps: WebDeps,
  sent: SentRequest,
  token: string,
  start?: string,
): Promise<PageAnswer> {
  // The previous session of this browser ends.
  if (sent.who) await deps.accounts.endSession(sent.who.accountId, sent.who.sessionId);
  const next = safeNext(sent.form.text('next'), start);
  const isDraft = sent.draft?.page === next.split('?', 1)[0];
  return { goTo: isDraft ? `${next}#draft` : next, cookies: sessionCookies(deps, token) };
}

/** The requested page if it is on this site, otherwise `start`. */
export function safeNext(next: string, start = '/portfolio'): string {
  const isOwn = /^\/(?![/\\])[\w\-/.%]*(\?[\w\-/.%*+=&]*)?$/.test(next);
  return isOwn ? next : start;
}

/** The cookies of a new session; the form token of the visitor is deleted. */
export function sessionCookies(deps: WebDeps, token: string): string[] {
  const names = namesOf(deps);
  return [
    setCookie(names.session, token, { ...names, seconds: sessionMs / 1000 }),
    setCookie(names.form, null, { ...names, seconds: null }),
  ];
}

function namesOf({ baseUrl }: WebDeps) {
  return cookieNames(baseUrl?.startsWith('https:') ?? false);
}

async function postSignUp(deps: WebDeps, sent: SentRequest): Promise<PageAnswer> {
  const { form, at } = sent;
  const fields = new TypedFields(form, at);
  const [email, password] = [form.text('email'), form.secret('password')];
  fields.check('email', emailProblem(email));
  fields.check('password', passwordProblem(password, email));
  const refuse = (status: number, message?: string): PageAnswer => ({
    page: <SignUpPage request={sent} typed={fields.typed} message={message} />,
    status,
  });
  if (!fields.isGood) return refuse(400);
  const made = await signUp(deps, { email, password }, sent);
  if (typeof made === 'object') return begin(deps, sent, made.token, '/welcome');
  if (made === 'too often') {
    return refuse(429, 'Too many sign-ups from your network today. Try again tomorrow.');
  }
  fields.fail('email', taken);
  return refuse(409);
}

const taken = 'An account with this email already exists. Sign in or reset your password.';

async function postSignOut(deps: WebDeps, { who }: SentRequest): Promise<PageAnswer> {
  if (who) await deps.accounts.endSession(who.accountId, who.sessionId);
  return { goTo: '/', cookies: expiredCookies(deps) };
}

/** Deletes the cookies of a session. */
export function expiredCookies(deps: WebDeps): string[] {
  const names = namesOf(deps);
  const deleted = { ...names, seconds: null };
  return [setCookie(names.session, null, deleted), setCookie(names.draft, null, deleted)];
}

async function showLink(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const link = request.params.link ?? '';
  const isGood = await deps.accounts.hasResetLink(hashToken(link), request.at);
  return isGood
    ? { page: <NewPasswordPage request={request} /> }
    : { page: <DeadLinkPage request={request} />, status: 404 };
}

async function postLink(deps: WebDeps, sent: SentRequest): Promise<PageAnswer> {
  const fields = new TypedFields(sent.form, sent.at);
  const password = sent.form.secret('password');
  // The email of the account is not known here, so it cannot be compared with the password.
  fields.check('password', passwordProblem(password, ''));
  if (!fields.isGood) {
    return { page: <NewPasswordPage request={sent} typed={fields.typed} />, status: 400 };
  }
  const isSet = await setPasswordByLink(deps, { token: sent.params.link ?? '', password }, sent);
  if (!isSet) return { page: <DeadLinkPage request={sent} />, status: 404 };
  return { goTo: '/sign-in?changed=1' };
}

interface SignPageProps {
  readonly request: PageRequest;
  readonly typed?: Typed;
  readonly message?: string | undefined;
}

/** The page to open after signing in or up. */
function nextField({ request, typed = untyped }: SignPageProps): string {
  return typed.values.next ?? request.query.get('next') ?? '';
}

function SignInPage(props: SignPageProps) {
  const { request, typed = untyped, message } = props;
  const next = nextField(props);
  return (
    <Layout title="Sign in" request={request} isNarrow>
      {request.query.has('changed') && (
        <Notice>
          Your password was changed. Sign in with the new one. Your API keys were revoked; create
          new ones.
        </Notice>
      )}
      {request.draft && !message && (
        <Notice kind="warn">You were signed out. Sign in to get back what you typed.</Notice>
      )}
      {message && <Notice kind="bad">{message}</Notice>}
      <Card>
        <PostForm request={request} action="/sign-in" typed={typed}>
          <input type="hidden" name="next" value={next} />
          <Field name="email" label="Email" type="email" autocomplete="username" />
          <PasswordField label="Password" />
          <button type="submit">Sign in</button>
        </PostForm>
        <p class="flush">
          <a href="/password">Forgot password?</a>
        </p>
      </Card>
      <p>
        New here? <a href={withQuery('/sign-up', { next })}>Create an account</a>
      </p>
    </Layout>
  );
}

function SignUpPage(props: SignPageProps) {
  const { request, typed = untyped, message } = props;
  const next = nextField(props);
  return (
    <Layout title="Create an account" request={request} isNarrow>
      {message && <Notice kind="bad">{message}</Notice>}
      <Card>
        <PostForm request={request} action="/sign-up" typed={typed}>
          <input type="hidden" name="next" value={next} />
          <Field name="email" label="Email" type="email" autocomplete="username" />
          {typed.faults.email === taken && (
            <p class="row flush">
              <a href={withQuery('/sign-in', { next })}>Sign in</a>
              <a href="/password">Reset password</a>
            </p>
          )}
          <PasswordField label="Password" isNew hint="At least 10 characters." />
          <button type="submit">Create account</button>
        </PostForm>
      </Card>
      <p>
        Already have an account? <a href={withQuery('/sign-in', { next })}>Sign in</a>
      </p>
    </Layout>
  );
}

function NewPasswordPage({ request, typed = untyped }: SignPageProps) {
  return (
    <CardPage title="Set a new password" request={request}>
      <PostForm request={request} action={request.path} typed={typed}>
        <PasswordField
          label="New password"
          isNew
          hint="At least 10 characters. This signs you out everywhere and revokes your API keys."
        />
        <button type="submit">Set password</button>
      </PostForm>
    </CardPage>
  );
}

function DeadLinkPage({ request }: { readonly request: PageRequest }) {
  return (
    <Layout title="This link has expired" request={request} isNarrow>
      <p>A link works once, for 24 hours, and only the latest one is valid.</p>
      <p>
        <a class="button" href="/password">
          Get a new link
        </a>
      </p>
    </Layout>
  );
}
