/** What the private side of a store keeps so that people can sign in. Of secrets, only hashes. */
import type { Plan } from './quota.ts';

/** SHA-256 of a session's or a link's token: what the store holds of it. */
export type TokenHash = Uint8Array & { readonly tokenHash: unique symbol };

/** Whoever is signed in. */
export interface SignedIn {
  readonly sessionId: number;
  readonly accountId: number;
  readonly email: string;
  readonly plan: Plan;
  readonly isOperator: boolean;
}

/** A session as its owner sees it. */
export interface Session {
  readonly id: number;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  /** What the browser called itself at sign-in. */
  readonly agent: string;
}

/** A session to be. */
export interface NewSession {
  readonly accountId: number;
  /** The hash of the password that was right. */
  readonly passwordHash: string;
  readonly tokenHash: TokenHash;
  readonly expiresAt: number;
  readonly agent: string;
  readonly at: number;
}

/** How often something may be tried within a time. */
export interface Throttle {
  /** What is counted together, such as an account or a network. */
  readonly key: string;
  readonly max: number;
}

/** Signing in and out. */
export interface SessionStore {
  /** Null when there is no such account; the hash is null when it has no password yet. */
  findPasswordHash(
    email: string,
  ): Promise<{ readonly accountId: number; readonly passwordHash: string | null } | null>;
  /**
   * Null when the account has another password by now: whoever had the old one stays out. An
   * account that has as many sessions as it may have loses its oldest.
   */
  addSession(session: NewSession): Promise<number | null>;
  /** Who a session belongs to, if it has not expired; remembers that it was seen. */
  findSignedIn(tokenHash: TokenHash, at: number): Promise<SignedIn | null>;
  /** The sessions that have not expired, the last seen first. */
  listSessions(accountId: number, at: number): Promise<Session[]>;
  /** False when the account has no such session. */
  endSession(accountId: number, sessionId: number): Promise<boolean>;
  /** Ends all sessions of an account but one; how many. */
  endOtherSessions(accountId: number, sessionId: number | null): Promise<number>;
  /**
   * Sets the password; all sessions and links end with the old one. False when there is no such
   * account, or when its password is not the one that it is to replace, if that is given.
   */
  setPassword(email: string, passwordHash: string, replaced?: string): Promise<boolean>;
  /** A link that sets a password, in the place of earlier ones; false: no such account. */
  addResetLink(link: {
    readonly email: string;
    readonly tokenHash: TokenHash;
    readonly expiresAt: number;
  }): Promise<boolean>;
  /** Whether a link can still be used. */
  hasResetLink(tokenHash: TokenHash, at: number): Promise<boolean>;
  /**
   * Sets the password, uses up the link, ends all sessions and revokes all keys: they may have
   * been made by somebody else. The e-mail of the account; null when the link is no good.
   */
  useResetLink(tokenHash: TokenHash, passwordHash: string, at: number): Promise<string | null>;
  /** Counts a try, unless one of the limits is reached; then false, and nothing is counted. */
  countTry(throttles: readonly Throttle[], window: TryWindow): Promise<boolean>;
  /** Forgets the tries of a key: whoever it was has got in. */
  forgetTries(key: string): Promise<void>;
}

/** The time within which tries count together. */
export interface TryWindow {
  readonly at: number;
  readonly ms: number;
}
