/** The password of the owner, before something sensitive. */
import type { WebDeps } from '../deps.ts';
import type { OwnRequest } from '../page.ts';
import { PasswordField } from './password-field.tsx';

/** The field; nothing for an account without a password, whose owner signs in another way. */
export async function ownerPassword({ accounts }: WebDeps, { who }: OwnRequest) {
  const found = await accounts.findPasswordHash(who.email);
  return found?.passwordHash ? <PasswordField label="Current password" /> : null;
}
