/** Signing in with the identity provider, and linking an account to it. */
import type { VNode } from 'preact';
import { invitationPath } from '../../accounts/people/invitations.work.ts';
import type { ProvenIdentity } from '../../accounts/sign-in/identity.ts';
import {
  linkProvider,
  type Provider,
  type ProviderVisit,
  providerVisitMs,
  signInWithProvider,
  signUpWithProvider,
} from '../../accounts/sign-in/provider.work.ts';
import { confirmOwner, hashToken, newToken } from '../../accounts/sign-in/sign-in.work.ts';
import { recordAudit } from '../audit.ts';
import { ButtonForm, ButtonLink } from '../kit/buttons.tsx';
import { missingPage } from '../kit/fault.tsx';
import { PostForm } from '../kit/fields.tsx';
import { formPage } from '../kit/form-page.tsx';
import { CardPage } from '../kit/layout.tsx';
import {
  fullAnswer,
  type OwnRequest,
  type PageAnswer,
  type PageRequest,
  type WebDeps,
} from '../page.ts';
import { routes } from '../page-table.ts';
import { setCookie } from '../server/cookies.ts';
import { deadInvitation, findInvitation } from './invitation.tsx';
import { ownerForm, refusedOwner } from './owner-password.tsx';
import { packVisit, unpackVisit } from './provider-visit.ts';
import {
  beginSession,
  beginSessionAgain,
  sessionCookies,
  signedUpTooOften,
  triedTooOften,
} from './sign-in.tsx';

const returnPath = '/sign-in/provider/return';

export const providerRoutes = routes('entrance', {
  '/sign-in/provider': {
    get: withProvider(
      counted((deps, request, provider) =>
        startVisit(deps, request, { provider, next: request.query.get('next') ?? '' }),
      ),
    ),
  },
  // The token is only in paths that are secret, and in the cookie of the visit.
  [`${invitationPath('{token}')}/provider`]: {
    hasSecretPath: true,
    get: withProvider(
      counted((deps, request, provider) =>
        startVisit(deps, request, { provider, next: invitationPath(request.params.token ?? '') }),
      ),
    ),
  },
  [returnPath]: { get: withProvider(counted(endingVisit(answerReturn))) },
});

const path = '/account/provider';

export const linkRoutes = routes('set-up', {
  [path]: {
    get: showLink,
    post: formPage({
      show: showLink,
      read: ({ sent }) => sent.form.secret('password'),
      save: async ({ deps, sent }, password) => {
        const { who, at } = sent;
        const { provider } = deps.site;
        if (!provider) return missingPage(sent);
        const checked = await confirmOwner(deps, who, { password, at });
        if (checked !== 'right') return refusedOwner(checked);
        return orFailed(continueTo)(deps, sent, provider);
      },
    }).post,
  },
  [`${path}/remove`]: {
    post: async (deps, sent) => {
      const { provider } = deps.site;
      if (!provider) return missingPage(sent);
      const outcome = await deps.accounts.removeIdentity(sent.who.accountId, provider.issuer);
      if (outcome === 'last') return { goTo: `${path}?did=last` };
      if (outcome === 'removed') {
        await recordAudit(deps, sent, { action: 'factor.removed', detail: 'identity provider' });
      }
      return { goTo: `${path}?did=removed` };
    },
  },
});

type Answer<R extends PageRequest> = (
  deps: WebDeps,
  request: R,
  provider: Provider,
) => Promise<PageAnswer>;

/** These pages exist only if there is a provider. */
function withProvider<R extends PageRequest>(answer: Answer<R>) {
  return async (deps: WebDeps, request: R): Promise<PageAnswer> =>
    deps.site.provider ? answer(deps, request, deps.site.provider) : missingPage(request);
}

/** Counts sign-ins, and attempts to link, that failed for whatever reason. */
function counted(answer: Answer<PageRequest>): Answer<PageRequest> {
  return async (deps, request, provider) => {
    const done = fullAnswer(await orFailed(answer)(deps, request, provider));
    if ('page' in done) {
      const accountId = request.who?.accountId;
      const { network, at } = request;
      await deps.accounts.noteFailedSignIn({ method: 'provider', accountId, network, at });
    }
    return done;
  };
}

/** The provider does not answer, or its answer is wrong; the log says why. */
function orFailed<R extends PageRequest>(answer: Answer<R>): Answer<R> {
  return async (deps, request, provider) => {
    try {
      return await answer(deps, request, provider);
    } catch (error) {
      deps.onFailure('identity provider', error);
      const text = `Signing in with ${provider.name} did not work. Try again.`;
      return {
        ...failedPage(request, { text, status: 400 }),
        cookies: [visitCookie(request, null)],
      };
    }
  };
}

function endingVisit<R extends PageRequest>(answer: Answer<R>): Answer<R> {
  return async (deps, request, provider) => {
    const done = fullAnswer(await answer(deps, request, provider));
    if (!('page' in done || 'goTo' in done)) return done;
    return { ...done, cookies: [...(done.cookies ?? []), visitCookie(request, null)] };
  };
}

async function startVisit(
  deps: WebDeps,
  request: PageRequest,
  { provider, next }: { readonly provider: Provider; readonly next: string },
): Promise<PageAnswer> {
  const isAgain = request.query.has('again');
  const visit = newVisit(deps, { ...signInVisit(request), isAgain });
  const goTo = await provider.start(deps, visit, request);
  if (goTo === null) return failedPage(request, { text: triedTooOften, status: 429 });
  return { goTo, cookies: [visitCookie(request, packVisit(visit.seed, next))] };
}

function newVisit(deps: WebDeps, visit: ProviderVisit): ProviderVisit {
  return { ...visit, seed: newToken(deps) };
}

function signInVisit(request: PageRequest): ProviderVisit {
  return { ...seedAndReturn(request), purpose: 'sign in', accountId: null };
}

function linkVisit(request: OwnRequest): ProviderVisit {
  const { sessionId, accountId } = request.who;
  return { ...seedAndReturn(request), purpose: `link in session ${sessionId}`, accountId };
}

/** The seed of the visit that this browser began; empty if there is none. */
function seedAndReturn({ visit, baseUrl }: PageRequest) {
  const seed = visit === null ? '' : unpackVisit(visit).seed;
  return { seed, returnUrl: `${baseUrl}${returnPath}` };
}

function visitCookie({ names }: PageRequest, value: string | null): string {
  return setCookie(names.visit, value, { ...names, seconds: providerVisitMs / 1000 });
}

/** The state says whether the visit was to sign in or to link, and in which browser it began. */
async function answerReturn(deps: WebDeps, request: PageRequest, provider: Provider) {
  const { query, visit: kept, who } = request;
  if (kept === null) {
    const text = 'This sign-in took too long, or was started in another browser. Try again.';
    return failedPage(request, { text, status: 400 });
  }
  if (who) {
    const own = { ...request, who };
    const link = linkVisit(own);
    if (provider.isReturn(link, query)) {
      return finishLink(deps, own, await provider.finish(deps, link, request));
    }
  }
  const identity = await provider.finish(deps, signInVisit(request), request);
  const isRequired = request.access.requires === 'oidc';
  const opened = await signInWithProvider(deps, { ...identity, isRequired }, request);
  const { next } = unpackVisit(kept);
  const token = invitedBy(next);
  if (typeof opened !== 'object') return startAccount(deps, request, { provider, identity, next });
  return beginSessionAgain(deps, request, opened, token === null ? next : '');
}

/** The token of the invitation that a visit began at; null if it did not. */
function invitedBy(next: string): string | null {
  const start = invitationPath('');
  return next.startsWith(start) ? next.slice(start.length) : null;
}

interface NewcomerVisit {
  readonly provider: Provider;
  readonly identity: ProvenIdentity;
  readonly next: string;
}

/** Creates an account for an identity that is not linked yet, if it may have one. */
async function startAccount(
  deps: WebDeps,
  request: PageRequest,
  { provider, identity, next }: NewcomerVisit,
): Promise<PageAnswer> {
  const { name } = provider;
  const { email } = identity;
  const token = invitedBy(next);
  const invitation = token === null ? null : await findInvitation(deps, request, token);
  if (token !== null && invitation === null) return deadInvitation(request);
  const isAdmitted = email !== null && provider.admits(email);
  if (request.access.signUp !== 'open' && invitation === null && !isAdmitted) {
    const text =
      `Your account at ${name} is not linked to an account here. Sign in another way, and link ` +
      'it under Account. To get an account here, ask the operator of this site.';
    return failedPage(request, { text, status: 403 });
  }
  if (email === null) {
    const text = `${name} did not send a verified email address, which an account here needs.`;
    return failedPage(request, { text, status: 403 });
  }
  const tokenHash = token === null ? null : hashToken(token);
  const asked = { ...identity, email, invitation: tokenHash };
  const made = await signUpWithProvider(deps, asked, request);
  if (typeof made === 'object') {
    const start = invitation?.isOperator ? '/operator' : '/welcome';
    return beginSession(deps, request, made, { next: token === null ? next : '', start });
  }
  if (made === 'gone') return deadInvitation(request);
  if (made === 'too often') return failedPage(request, { text: signedUpTooOften, status: 429 });
  const text =
    `An account with the email ${email} exists, which is not linked to ${name}. If it is yours, ` +
    'sign in to it another way, and link it under Account.';
  return failedPage(request, { text, status: 409 });
}

async function finishLink(deps: WebDeps, request: OwnRequest, identity: ProvenIdentity) {
  const outcome = await linkProvider(deps, request.who, { identity, visitor: request });
  if (outcome === 'taken') return { goTo: `${path}?did=taken` };
  await recordAudit(deps, request, { action: 'factor.added', detail: 'identity provider' });
  return { goTo: `${path}?did=linked`, cookies: sessionCookies(request, outcome) };
}

/** A link, because browsers do not let forms lead to other sites. */
async function continueTo(deps: WebDeps, request: OwnRequest, provider: Provider) {
  const visit = newVisit(deps, linkVisit(request));
  const href = await provider.start(deps, visit, request);
  if (href === null) return failedPage(request, { text: triedTooOften, status: 429 });
  const page = (
    <CardPage title={`Link ${provider.name}`} request={request}>
      <p>{`Sign in at ${provider.name} with the account to link.`}</p>
      <ButtonLink href={href}>Continue</ButtonLink>
    </CardPage>
  );
  return { page, cookies: [visitCookie(request, packVisit(visit.seed, ''))] };
}

async function showLink(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { provider } = deps.site;
  if (!provider) return missingPage(request);
  const { name, issuer } = provider;
  const isLinked = await deps.accounts.hasIdentity(request.who.accountId, issuer);
  const form = (password: VNode | null) => (
    <PostForm action={path}>
      {password}
      <button type="submit">Link</button>
    </PostForm>
  );
  return (
    <CardPage
      title={`Sign in with ${name}`}
      request={request}
      scripts={['passkey.js']}
      done={{
        linked: 'Linked.',
        removed: 'No longer linked.',
        taken: `That account at ${name} is linked to another account here.`,
        last: 'Set a password or add a passkey first, or you could not sign in anymore.',
      }}
    >
      {isLinked ? (
        <>
          <p>{`An account at ${name} signs you in here.`}</p>
          <ButtonForm action={`${path}/remove`} look="plain">
            Remove the link
          </ButtonForm>
        </>
      ) : (
        <>
          <p>{`Link your account at ${name} to sign in with it.`}</p>
          {await ownerForm(deps, request, { path, form })}
        </>
      )}
    </CardPage>
  );
}

function failedPage(
  request: PageRequest,
  { text, status }: { readonly text: string; readonly status: number },
) {
  const page = (
    <CardPage title="You are not signed in" request={request}>
      <p>{text}</p>
      <ButtonLink href="/sign-in">Back to sign in</ButtonLink>
    </CardPage>
  );
  return { page, status };
}
