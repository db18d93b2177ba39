/** Makes sure that the owner is there, before something sensitive. */
import type { VNode } from 'preact';
import { isFresh, type Unconfirmed } from '../../accounts/sign-in/sign-in.work.ts';
import type { Refusal } from '../kit/form-page.tsx';
import type { OwnRequest, WebDeps } from '../page.ts';
import { hasPasskeysHere, OtherWays } from './other-ways.tsx';
import { PasswordField } from './password-field.tsx';
import { triedTooOften } from './sign-in.tsx';

/** False for an account whose owner only signs in another way. */
export async function hasPassword({ accounts }: WebDeps, { who }: OwnRequest): Promise<boolean> {
  return Boolean((await accounts.findPasswordHash(who.email))?.passwordHash);
}

/**
 * The form on a page, with the field of the password. Without a password, the form appears once the
 * owner has signed in again. The page needs `passkey.js`.
 */
export async function ownerForm(
  deps: WebDeps,
  request: OwnRequest,
  { path, form }: { readonly path: string; readonly form: (field: VNode | null) => VNode },
): Promise<VNode> {
  if (await hasPassword(deps, request)) return form(<PasswordField label="Current password" />);
  return isFresh(request.who, request.at) ? form(null) : signInAgain(deps, request, path);
}

async function signInAgain(deps: WebDeps, request: OwnRequest, path: string): Promise<VNode> {
  const { provider } = deps.site;
  const { accountId } = request.who;
  const isLinked = provider && (await deps.accounts.hasIdentity(accountId, provider.issuer));
  const hasPasskey = (await deps.accounts.listPasskeys(accountId)).length > 0;
  const ways = {
    provider: isLinked ? provider.name : null,
    hasPasskeys: hasPasskey && hasPasskeysHere(deps, request),
  };
  return (
    <>
      <p class="flush">To confirm that it is you, sign in again.</p>
      <OtherWays {...ways} next={path} isAgain />
      {ways.hasPasskeys && (
        <noscript>
          <p class="flush">Passkeys need JavaScript, which is off in this browser.</p>
        </noscript>
      )}
    </>
  );
}

export function refusedOwner(outcome: Unconfirmed): Refusal {
  if (outcome === 'too often') return { refused: triedTooOften, status: 429 };
  if (outcome === 'wrong') return { refused: 'Incorrect password.', field: 'password' };
  return { refused: 'Sign in again first.', status: 403 };
}
