/** Codes of authenticator apps: time-based one-time passwords (RFC 6238), SHA-1 with 6 digits. */
import { createHmac } from 'node:crypto';
import { secondMs } from '../../kernel/time.ts';

/** As long as the hash, as RFC 4226 recommends. */
export const totpSecretBytes = 20;

const stepMs = 30 * secondMs;
const digits = 6;

/** Steps before and after the current one whose codes are accepted, for clocks that are off. */
const stepsAround = [0, -1, 1];

export function totpStep(at: number): number {
  return Math.floor(at / stepMs);
}

export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 0xf;
  const number = (hash.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

/** The step whose code was typed; null if the code is wrong. */
export function matchingStep(secret: Uint8Array, typed: string, at: number): number | null {
  const code = typed.replace(/\s/g, '');
  if (!/^\d{6}$/.test(code)) return null;
  const now = totpStep(at);
  const found = stepsAround.find((around) => totpCode(secret, now + around) === code);
  return found === undefined ? null : now + found;
}

const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 without padding, which apps and people type. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let [bits, count] = [0, 0];
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff;
    count += 8;
    for (; count >= 5; count -= 5) text += base32Letters[(bits >> (count - 5)) & 31];
  }
  return count === 0 ? text : text + base32Letters[(bits << (5 - count)) & 31];
}

/** The address that authenticator apps read from a QR code. */
export function totpUrl(secret: Uint8Array, account: { email: string; site: string }): string {
  const label = encodeURIComponent(`${account.site}:${account.email}`);
  const issuer = encodeURIComponent(account.site);
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${issuer}`;
}
