/**
 * Roles of people who run the site. Support reads and sends messages again, and sees no keys and no
 * private data of accounts; an operator also manages accounts; an admin also gives roles.
 */

/** Each includes those before it. */
const order = ['support', 'operator', 'admin'] as const;

export type Role = (typeof order)[number];

/** The most powerful first. */
export const roles = ['admin', 'operator', 'support'] as const satisfies readonly Role[];

/** Whether somebody may do what needs a role; null for accounts without one. */
export function hasRole(role: Role | null, needed: Role): boolean {
  return role !== null && order.indexOf(role) >= order.indexOf(needed);
}

/**
 * Whether somebody may change an account. Only admins change accounts with a role: with a password
 * link for an admin, anybody could become one.
 */
export function mayChange(role: Role | null, account: { readonly role: Role | null }): boolean {
  return hasRole(role, account.role === null ? 'operator' : 'admin');
}

/** Why the only admin can neither lose the role nor be deleted. */
export const onlyAdminText = 'This is the only admin. Give another account the role first.';
