/** The password of the owner, before something sensitive. */
import type { WebDeps } from '../deps.ts';
import type { OwnRequest } from '../page.ts';
import { PasswordField } from './password-field.tsx';

/** False for an account whose owner only signs in another way. */
export async function hasPassword({ accounts }: WebDeps, { who }: OwnRequest): Promise<boolean> {
  return Boolean((await accounts.findPasswordHash(who.email))?.passwordHash);
}

/** The field; nothing for an account without a password. */
export async function ownerPassword(deps: WebDeps, request: OwnRequest) {
  return (await hasPassword(deps, request)) ? <PasswordField label="Current password" /> : null;
}
