/** Sessions and sign-in. Only hashes of secrets are stored. */
import { hourMs } from '../../kernel/time.ts';
import type { Plan } from '../keys/quota.ts';
import type { Region } from '../people/region.ts';
import type { Role } from '../people/role.ts';

/** SHA-256 of the token of a session or link, as stored. */
export type TokenHash = Uint8Array & { readonly tokenHash: unique symbol };

/**
 * How a session began: with a password alone, a password and a code, a passkey, or an account of
 * the identity provider.
 */
export type SignInMethod = 'password' | 'code' | 'passkey' | 'provider';

export interface SignedIn extends Region {
  readonly sessionId: number;
  readonly accountId: number;
  readonly email: string;
  readonly plan: Plan;
  /** Null: no access to the operator pages. */
  readonly role: Role | null;
  readonly method: SignInMethod;
  readonly signedInAt: number;
  /** When the visit before this one ended; null if this is the first. */
  readonly lastVisitAt: number | null;
  /** Alerts that fired and were not seen in the app, `unseenAlertsMax` at most. */
  readonly unseenAlerts: number;
}

/** A visit begins with the first page after this long without one. */
export const absenceMs = 4 * hourMs;

/** More alerts are not counted. */
export const unseenAlertsMax = 100;

export interface Visit {
  readonly seenAt: number;
  /** When the visit before ended; null if this is the first. */
  readonly beforeAt: number | null;
}

/** The visit that a page belongs to; null if the account was never seen before. */
export function nextVisit(known: Visit | null, at: number): Visit {
  if (known === null) return { seenAt: at, beforeAt: null };
  const isNew = at - known.seenAt >= absenceMs;
  return { seenAt: at, beforeAt: isNew ? known.seenAt : known.beforeAt };
}

export interface Session {
  readonly id: number;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  /** The user agent at sign-in. */
  readonly agent: string;
}

export interface NewSession {
  readonly accountId: number;
  /** The hash of the accepted password; null if it was not the password. */
  readonly passwordHash: string | null;
  readonly method: SignInMethod;
  readonly tokenHash: TokenHash;
  readonly expiresAt: number;
  readonly agent: string;
  /** Whether it replaces a session of the same browser, which is not a sign-in. */
  readonly isRenewed?: boolean;
  /** The network of the sign-in, for the audit log. */
  readonly network?: string;
  readonly at: number;
}

/** A limit of attempts within a time window. */
export interface Throttle {
  /** The subject whose attempts are counted, such as an account or a network. */
  readonly key: string;
  readonly max: number;
  /** How much an attempt counts; 1 if undefined. */
  readonly cost?: number;
}

export interface TryWindow {
  readonly at: number;
  readonly ms: number;
}
