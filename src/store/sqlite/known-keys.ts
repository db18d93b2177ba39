/** Keys and today's counts, in memory for as long as nobody else has written to `accounts.db`. */
import type { Database } from 'bun:sqlite';
import type { Caller, Plan } from '../../domain/account/quota.ts';

/** Today's count of a place. */
export interface PlaceCount {
  readonly place: number;
  used: number;
}

/** A key that is not revoked. */
export interface KnownKey {
  readonly caller: Caller;
  readonly expiresAt: number | null;
  readonly count: PlaceCount;
}

interface KeyRow {
  readonly id: number;
  readonly account_id: number;
  readonly place: number;
  readonly allowance: number;
  readonly expires_at: number | null;
  readonly plan: Plan;
  readonly private_version: number;
  readonly used: number | null;
}

/** With more keys than this, the next transaction starts over. */
const keysMax = 10_000;

/**
 * Finds keys by their hashes, within a transaction. At its start, SQLite says whether another
 * connection has committed anything since the one before; if so, everything is read again. So what
 * is in memory is what the transaction would read. It does not say what this connection has
 * committed itself, which may therefore only be what is counted here.
 */
export class KnownKeys {
  private readonly keys = new Map<string, KnownKey>();
  /** By account and place, since keys may share a place. */
  private readonly counts = new Map<string, PlaceCount>();
  private readonly findVersion;
  private readonly findKey;
  private version: number | undefined;
  private day = 0;

  constructor(db: Database) {
    this.findVersion = db.query<{ data_version: number }, []>('PRAGMA data_version');
    this.findKey = db.query<KeyRow, [Uint8Array, number]>(`
      SELECT k.id, k.account_id, k.place, k.allowance, k.expires_at, a.plan, a.private_version,
        u.used
      FROM api_key k JOIN account a ON a.id = k.account_id
      LEFT JOIN usage u ON u.account_id = k.account_id AND u.place = k.place AND u.day = ?2
      WHERE k.hash = ?1 AND k.revoked_at IS NULL`);
  }

  /** Begins a transaction: forgets what may have changed. */
  check(day: number): void {
    const version = this.findVersion.get()?.data_version;
    const isFull = this.keys.size >= keysMax;
    if (version !== this.version || day !== this.day || isFull) this.forget();
    this.version = version;
    this.day = day;
  }

  forget(): void {
    this.keys.clear();
    this.counts.clear();
    this.version = undefined;
  }

  /** Null if there is no such key. */
  find(hash: Uint8Array): KnownKey | null {
    const name = Buffer.prototype.latin1Slice.call(hash);
    const known = this.keys.get(name);
    if (known) return known;
    const row = this.findKey.get(hash, this.day);
    // Strangers can send any number of other keys.
    if (!row) return null;
    const key = this.toKey(row);
    this.keys.set(name, key);
    return key;
  }

  private toKey(row: KeyRow): KnownKey {
    return {
      caller: {
        keyId: row.id,
        accountId: row.account_id,
        plan: row.plan,
        allowance: row.allowance,
        privateVersion: row.private_version,
      },
      expiresAt: row.expires_at,
      count: this.countOf(row),
    };
  }

  private countOf({ account_id, place, used }: KeyRow): PlaceCount {
    const name = `${account_id} ${place}`;
    const count = this.counts.get(name) ?? { place, used: used ?? 0 };
    this.counts.set(name, count);
    return count;
  }
}
