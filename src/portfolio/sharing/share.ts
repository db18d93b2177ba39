/**
 * Shares: collections and saved boxes that others may read, with a link or as a member. The model
 * is in `docs/decisions/sharing.md`.
 */

import type { TokenHash } from '../../accounts/sign-in/session.ts';
import { dayMs } from '../../kernel/time.ts';

export const shareLimits = {
  /** Shares that an account gives. */
  given: 50,
  /** Shares that an account has accepted. */
  accepted: 200,
  /** Characters of the name of a link. */
  name: 60,
} as const;

export const shareInvitationDays = 14;
export const shareInvitationMs: number = shareInvitationDays * dayMs;

/** The path of a link, and the start of all its pages. */
export function shareLinkPath(token: string): string {
  return `/s/${token}`;
}

/** Exactly one of a collection and a saved box. */
export type SharedThing =
  | { readonly brickfolioId: number; readonly boxId: null }
  | { readonly brickfolioId: null; readonly boxId: number };

interface ShareTerms {
  readonly withCosts: boolean;
  /** Null: it does not end. */
  readonly expiresAt: number | null;
}

export type NewShare = SharedThing &
  ShareTerms & {
    /** Of a link, or the address that is invited. */
    readonly name: string;
    readonly tokenHash: TokenHash;
    /** Null for a link. */
    readonly acceptUntil: number | null;
    readonly at: number;
  };

/** A share, for its owner. */
export type Share = SharedThing &
  ShareTerms & {
    readonly id: number;
    /** The name of the collection or box. */
    readonly title: string;
    /** The name of the link, or the address that was invited; empty for members. */
    readonly name: string;
    readonly memberEmail: string | null;
    /** Null for links, and for members who have accepted. */
    readonly acceptUntil: number | null;
    readonly createdAt: number;
    readonly lastUsedAt: number | null;
  };

/** A share, for operators: neither who reads it nor what it is called. */
export interface ListedShare extends Pick<Share, 'id' | 'withCosts' | 'createdAt' | 'lastUsedAt'> {
  readonly ownerEmail: string;
  readonly shows: 'collection' | 'box';
  readonly reader: 'link' | 'member' | 'invited';
  readonly expiresAt: number | null;
}

/** A share that a reader may open now. Its pages read nothing but what it names. */
export type OpenShare = SharedThing &
  ShareTerms & {
    readonly id: number;
    /** The owner. */
    readonly accountId: number;
    /** The name of the collection or box. */
    readonly title: string;
  };

/** A share, for the member who has accepted it or is invited. */
export type OfferedShare = OpenShare & { readonly ownerEmail: string };
