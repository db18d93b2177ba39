/** Signing up, in and out, and setting a password with a link. */
import { passwordProblem } from '../../accounts/accounts.ts';
import { hashToken, sessionMs, setPasswordByLink, signIn, signUp } from '../../accounts/sign-in.ts';
import { emailProblem, isPlain } from '../../domain/account/email.ts';
import type { WebDeps } from '../deps.ts';
import { Field, Notice, nameFault, PostForm, type Typed, untyped } from '../kit/fields.tsx';
import { Layout } from '../kit/layout.tsx';
import type { PageAnswer, PageRequest, PageRoute, SentRequest } from '../page.ts';
import { cookieNames, setCookie } from '../server/cookies.ts';

/** The pages of those who are not signed in. */
export function signInRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'open',
      path: '/sign-in',
      get: async (request) =>
        request.who ? { goTo: '/overview' } : { page: <SignInPage request={request} /> },
      post: (sent) => postSignIn(deps, sent),
    },
    {
      access: 'open',
      path: '/sign-up',
      get: async (request) =>
        request.who ? { goTo: '/overview' } : { page: <SignUpPage request={request} /> },
      post: (sent) => postSignUp(deps, sent),
    },
    { access: 'open', path: '/sign-out', post: (sent) => postSignOut(deps, sent) },
    {
      access: 'open',
      path: '/password/{link}',
      get: (request) => showLink(deps, request),
      post: (sent) => postLink(deps, sent),
    },
  ];
}

const tooOften = 'That was tried too often; wait a quarter of an hour and try again.';

async function postSignIn(deps: WebDeps, sent: SentRequest): Promise<PageAnswer> {
  const { form } = sent;
  const typed = { email: form.text('email'), password: form.secret('password') };
  const outcome = await signIn(deps, typed, sent);
  if (typeof outcome === 'object') {
    // The browser forgets the session that it had; nobody else is to go on with it.
    if (sent.who) await deps.accounts.endSession(sent.who.accountId, sent.who.sessionId);
    return { goTo: safeNext(form.text('next')), cookies: sessionCookies(deps, outcome.token) };
  }
  const message = outcome === 'wrong' ? wrongMessage(typed.email) : tooOften;
  const page = (
    <SignInPage request={sent} typed={{ values: form.typed, faults: {} }} message={message} />
  );
  return { page, status: outcome === 'wrong' ? 401 : 429 };
}

/** Says no more than what was typed: whether there is such an account is not told. */
function wrongMessage(email: string): string {
  const wrong = 'E-mail and password do not belong together.';
  return isPlain(email) ? wrong : `${wrong} The e-mail has letters outside ASCII.`;
}

/** Only pages of this site: an address that leads elsewhere is left out. */
export function safeNext(next: string): string {
  const isOwn = /^\/(?![/\\])[\w\-/.%]*(\?[\w\-/.%*+=&]*)?$/.test(next);
  return isOwn ? next : '/overview';
}

/** The cookies of somebody who has just signed in; a token from before is worth nothing. */
export function sessionCookies(deps: WebDeps, token: string): string[] {
  const names = cookieNames(deps.baseUrl?.startsWith('https:') ?? false);
  return [
    setCookie(names.session, token, { ...names, seconds: sessionMs / 1000 }),
    setCookie(names.form, null, { ...names, seconds: null }),
  ];
}

async function postSignUp(deps: WebDeps, sent: SentRequest): Promise<PageAnswer> {
  const { form } = sent;
  const email = form.text('email');
  const password = form.secret('password');
  const faults = {
    ...nameFault('email', emailProblem(email)),
    ...nameFault('password', passwordProblem(password)),
  };
  if (Object.keys(faults).length > 0) {
    const typed = { values: form.typed, faults };
    return { page: <SignUpPage request={sent} typed={typed} />, status: 400 };
  }
  if (!(await signUp(deps, { email, password }, sent))) {
    const typed = { values: form.typed, faults: {} };
    const message = 'Too many accounts were made from your network today; try again tomorrow.';
    return { page: <SignUpPage request={sent} typed={typed} message={message} />, status: 429 };
  }
  return { goTo: '/sign-in?made=1' };
}

async function postSignOut(deps: WebDeps, { who }: SentRequest): Promise<PageAnswer> {
  if (who) await deps.accounts.endSession(who.accountId, who.sessionId);
  return { goTo: '/', cookies: goneCookies(deps) };
}

/** The cookies of somebody who is not signed in any more. */
export function goneCookies(deps: WebDeps): string[] {
  const names = cookieNames(deps.baseUrl?.startsWith('https:') ?? false);
  return [setCookie(names.session, null, { ...names, seconds: null })];
}

async function showLink(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const link = request.params.link ?? '';
  const isGood = await deps.accounts.hasResetLink(hashToken(link), request.at);
  return isGood
    ? { page: <NewPasswordPage request={request} /> }
    : { page: <DeadLinkPage request={request} />, status: 404 };
}

async function postLink(deps: WebDeps, sent: SentRequest): Promise<PageAnswer> {
  const password = sent.form.secret('password');
  const fault = passwordProblem(password);
  if (fault) {
    const typed = { values: {}, faults: { password: fault } };
    return { page: <NewPasswordPage request={sent} typed={typed} />, status: 400 };
  }
  const isSet = await setPasswordByLink(deps, { token: sent.params.link ?? '', password }, sent);
  if (!isSet) return { page: <DeadLinkPage request={sent} />, status: 404 };
  return { goTo: '/sign-in?changed=1' };
}

interface SignPageProps {
  readonly request: PageRequest;
  readonly typed?: Typed;
  readonly message?: string;
}

function SignInPage({ request, typed = untyped, message }: SignPageProps) {
  const next = typed.values.next ?? request.query.get('next') ?? '';
  return (
    <Layout title="Sign in" request={request} isNarrow>
      {request.query.has('made') && (
        <Notice>You can sign in now, unless the e-mail had an account before.</Notice>
      )}
      {request.query.has('changed') && (
        <Notice>
          The password is set; sign in with it. Your keys are revoked, for they may have been made
          by somebody else: make new ones.
        </Notice>
      )}
      {message && <Notice kind="bad">{message}</Notice>}
      <div class="card">
        <PostForm request={request} action="/sign-in">
          <input type="hidden" name="next" value={next} />
          <Field name="email" label="E-mail" type="email" typed={typed} autocomplete="username" />
          <Field
            name="password"
            label="Password"
            type="password"
            typed={typed}
            autocomplete="current-password"
          />
          <button type="submit">Sign in</button>
        </PostForm>
      </div>
      <p>
        No account yet? <a href="/sign-up">Make one.</a>
      </p>
      <p class="quiet">
        <a href="/password">Password forgotten?</a>
      </p>
    </Layout>
  );
}

function SignUpPage({ request, typed = untyped, message }: SignPageProps) {
  return (
    <Layout title="Make an account" request={request} isNarrow>
      {message && <Notice kind="bad">{message}</Notice>}
      <div class="card">
        <PostForm request={request} action="/sign-up">
          <Field name="email" label="E-mail" type="email" typed={typed} autocomplete="username" />
          <Field
            name="password"
            label="Password"
            type="password"
            typed={typed}
            hint="At least 10 characters; a few words are good."
            autocomplete="new-password"
          />
          <button type="submit">Make the account</button>
        </PostForm>
      </div>
      <p>
        Have one already? <a href="/sign-in">Sign in.</a>
      </p>
    </Layout>
  );
}

function NewPasswordPage({ request, typed = untyped }: SignPageProps) {
  return (
    <Layout title="Set a password" request={request} isNarrow>
      <div class="card">
        <PostForm request={request} action={request.path}>
          <Field
            name="password"
            label="New password"
            type="password"
            typed={typed}
            hint="At least 10 characters. You are signed out, and your API keys stop working."
            autocomplete="new-password"
          />
          <button type="submit">Set it</button>
        </PostForm>
      </div>
    </Layout>
  );
}

function DeadLinkPage({ request }: { readonly request: PageRequest }) {
  return (
    <Layout title="This link is no longer good" request={request} isNarrow>
      <p>A link works once, for a day, and only the last one that was made. Ask for a new one.</p>
      <p>
        <a href="/sign-in">Sign in</a>
      </p>
    </Layout>
  );
}
