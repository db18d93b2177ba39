/** Tokens, and how a session is opened once somebody has proved who they are. */

import { dayMs } from '../../kernel/time.ts';
import type { AccountRoomStore } from '../accounts.store.ts';
import type { NewSession, TokenHash } from './session.ts';

/** A session ends after this time, regardless of use. */
export const sessionMs = 30 * dayMs;

/** Longer user agents are cut. */
const agentLengthMax = 200;

const tokenBytes = 32;

interface FirstBrickfolio {
  readonly name: string;
  readonly description: null;
  readonly isDefault: boolean;
}

export interface SignInDeps {
  readonly accounts: AccountRoomStore & {
    /** Adds a collection, which a later room stores. */
    change(
      accountId: number,
      change: { readonly rows: readonly { kind: 'brickfolio'; facts: FirstBrickfolio }[] },
      at: number,
    ): Promise<unknown>;
  };
  readonly randomBytes: (count: number) => Uint8Array;
}

export interface Visitor {
  readonly network: string;
  readonly agent: string;
  readonly at: number;
  /** The token of a browser that signed in before, to any account; null if it has none. */
  readonly device?: string | null;
}

/** SHA-256 of a token, which is what the store has. */
export function hashToken(token: string): TokenHash {
  return Bun.SHA256.hash(token) as Uint8Array as TokenHash;
}

export function newToken({ randomBytes }: Pick<SignInDeps, 'randomBytes'>): string {
  return Buffer.from(randomBytes(tokenBytes)).toString('base64url');
}

/** A new session, and the browser it is in, as the tokens of its cookies. */
export interface Opened {
  readonly token: string;
  readonly device: string;
  readonly isNewDevice: boolean;
  readonly accountId: number;
}

/** Opens a session, unless the password has been changed since it was checked. */
export async function openSession(
  deps: SignInDeps,
  proof: Pick<NewSession, 'accountId' | 'passwordHash' | 'method' | 'isRenewed'>,
  visitor: Visitor,
): Promise<Opened | 'wrong'> {
  const token = newToken(deps);
  const sessionId = await deps.accounts.addSession({ ...proof, ...newSession(token, visitor) });
  if (sessionId === null) return 'wrong';
  const { accountId } = proof;
  return { token, accountId, ...(await rememberBrowser(deps, accountId, visitor)) };
}

/** A session for the store. */
export function newSession(token: string, { agent, network, at }: Visitor) {
  const expiresAt = at + sessionMs;
  const shown = agent.slice(0, agentLengthMax);
  return { tokenHash: hashToken(token), at, expiresAt, agent: shown, network };
}

/** Remembers a browser whose user has proved to own the account. */
export async function rememberBrowser(
  deps: SignInDeps,
  accountId: number,
  visitor: Visitor,
): Promise<Pick<Opened, 'device' | 'isNewDevice'>> {
  const device = visitor.device ?? newToken(deps);
  const known = { tokenHash: hashToken(device), at: visitor.at };
  return { device, isNewDevice: await deps.accounts.rememberDevice(accountId, known) };
}
