/** The page of a session that lacks what the site requires of sign-ins. */
import { isTooWeak } from '../../accounts/people/site-access.ts';
import { ButtonLink, PlainLink } from '../kit/buttons.tsx';
import { CardPage } from '../kit/layout.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';

export const requiredPath = '/account/required';

export const requiredRoutes = routes('own', { [requiredPath]: { get: showRequired } });

async function showRequired(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { who, access } = request;
  if (!isTooWeak(who.method, access)) return { goTo: '/account' };
  const { provider } = deps.site;
  const { accountId } = who;
  const required = { requires: access.requires, issuer: provider?.issuer ?? null };
  const hasIt = await deps.accounts.hasRequired(accountId, required);
  const isLinked = provider ? await deps.accounts.hasIdentity(accountId, provider.issuer) : false;
  const name = provider?.name ?? '';
  if (access.requires === 'oidc' || isLinked) {
    return (
      <CardPage title={`Sign in with ${name}`} request={request}>
        <p>
          {access.requires === 'oidc'
            ? `This site requires everyone to sign in with ${name}.`
            : 'You signed in with your password alone.'}
        </p>
        {isLinked ? (
          <ButtonLink href="/sign-in/provider">{`Sign in with ${name}`}</ButtonLink>
        ) : (
          <ButtonLink href="/account/provider">{`Link ${name}`}</ButtonLink>
        )}
      </CardPage>
    );
  }
  return (
    <CardPage title="A second factor is required" request={request}>
      {hasIt ? (
        <p>
          You signed in with your password alone. Sign out, and sign in with your passkey instead.
        </p>
      ) : (
        <>
          <p>This site requires more than a password to sign in. Choose one to continue.</p>
          <p class="row">
            <ButtonLink href="/account/authenticator">Authenticator app</ButtonLink>
            <PlainLink href="/account/passkeys">Passkey</PlainLink>
          </p>
        </>
      )}
    </CardPage>
  );
}
