/** The link that confirms an email address. Its token has the time it was sent, and expires. */
import { dayMs, secondMs } from '../../kernel/time.ts';

export const confirmLinkDays = 3;

/** The store has only a hash of the whole token, so its time cannot be changed. */
export function confirmToken(random: string, at: number): string {
  return `${Math.floor(at / secondMs).toString(36)}-${random}`;
}

export function isConfirmTokenValid(token: string, at: number): boolean {
  const [, time] = /^([\da-z]{1,9})-/.exec(token) ?? [];
  if (time === undefined) return false;
  return at < Number.parseInt(time, 36) * secondMs + confirmLinkDays * dayMs;
}
