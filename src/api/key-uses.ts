/**
 * Records uses of keys that no charge records: of test keys, and of the earlier secrets of rolled
 * keys. About once a minute for each, in the background.
 */

import type { KeyStore } from '../accounts/keys/keys.store.ts';
import type { Caller } from '../accounts/keys/quota.ts';
import { minuteMs } from '../kernel/time.ts';

/** Secrets that are remembered; the oldest are dropped first. */
const namesMax = 10_000;

export class KeyUses {
  private readonly notedAt = new Map<string, number>();

  constructor(
    private readonly accounts: Pick<KeyStore, 'noteKeyUse'>,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  note({ keyId, isOld }: Pick<Caller, 'keyId' | 'isOld'>, at: number): void {
    const name = `${keyId} ${isOld}`;
    const before = this.notedAt.get(name);
    if (before !== undefined && at - before < minuteMs) return;
    this.notedAt.delete(name);
    this.notedAt.set(name, at);
    const [oldest] = this.notedAt.keys();
    if (this.notedAt.size > namesMax && oldest !== undefined) this.notedAt.delete(oldest);
    this.accounts.noteKeyUse(keyId, { isOld, at }).catch(this.onFailure);
  }
}
