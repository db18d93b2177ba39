/** Sign-ins that failed, as operators see them: counts, without what was typed. */
import { dayMs, hourMs } from '../../kernel/time.ts';
import type { SignInMethod } from './session.ts';

export const signInMethods = [
  'password',
  'code',
  'passkey',
  'provider',
] as const satisfies readonly SignInMethod[];

/** In words, for operators. */
export const methodTexts: Readonly<Record<SignInMethod, string>> = {
  password: 'Password',
  code: 'Code',
  passkey: 'Passkey',
  provider: 'Identity provider',
};

/** Who failed to sign in: the owner of an email, a known account, or somebody in a network. */
export interface FailedSignIn {
  readonly method: SignInMethod;
  readonly email?: string;
  readonly accountId?: number | undefined;
  readonly network: string;
  readonly at: number;
}

/** How often it failed within an hour. */
export interface FailedSignIns {
  readonly id: number;
  readonly hourAt: number;
  readonly method: SignInMethod;
  /** Null: no account is known. */
  readonly accountId: number | null;
  readonly accountEmail: string | null;
  /** Only without an account; null without one: of many networks. */
  readonly network: string | null;
  readonly count: number;
}

export const failedSignInDays = 90;
export const failedSignInsKeptMs: number = failedSignInDays * dayMs;

/** More networks of an hour are counted together. */
export const networksPerHour = 1_000;

/** So many recent ones are worth a look; as in `deploy/alerts.yaml`. */
export const manyFailedSignIns = 100;

/** Counts of this hour and the one before are recent. */
export function recentHours(at: number): number {
  return hourOf(at) - hourMs;
}

export function hourOf(at: number): number {
  return at - (at % hourMs);
}

/** Which account, or from where. */
export function failedOfText({ accountId, accountEmail, network }: FailedSignIns): string {
  if (accountId === null) return network ?? 'Other networks';
  return accountEmail ?? `Account ${accountId}`;
}
