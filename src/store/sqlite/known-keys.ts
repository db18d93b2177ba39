/** Keys and today's counts, cached until another connection writes to `accounts.db`. */
import type { Database } from 'bun:sqlite';
import { type FoundKey, foundKey, type KeyRow } from '../../accounts/keys/key-use.ts';

/** Today's count of a place. */
export interface KeyPlaceCount {
  readonly place: number;
  used: number;
}

/** A key that is not revoked. */
export interface KnownKey extends FoundKey {
  readonly count: KeyPlaceCount;
}

interface StoredRow extends Omit<KeyRow, 'isTest' | 'isOld'> {
  readonly isTest: 0 | 1;
  readonly place: number;
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
  private readonly counts = new Map<string, KeyPlaceCount>();
  private readonly findVersion;
  private readonly findKey;
  /** By the earlier secret of a rolled key. */
  private readonly findOld;
  private version: number | undefined;
  private day = 0;

  constructor(db: Database) {
    this.findVersion = db.query<{ data_version: number }, []>('PRAGMA data_version');
    const select = (ends: string, secret: string) => `
      SELECT k.id AS keyId, k.account_id AS accountId, k.place, k.allowance, k.scopes, k.networks,
        ${ends} AS expiresAt, k.is_test AS isTest, a.plan, a.private_version AS privateVersion,
        u.used
      FROM api_key k JOIN account a ON a.id = k.account_id
      LEFT JOIN usage u ON u.account_id = k.account_id AND u.place = k.place AND u.day = ?2
      WHERE k.${secret} = ?1 AND k.revoked_at IS NULL`;
    const old = select('min(k.old_until, coalesce(k.expires_at, k.old_until))', 'old_hash');
    this.findKey = db.query<StoredRow, [Uint8Array, number]>(select('k.expires_at', 'hash'));
    this.findOld = db.query<StoredRow, [Uint8Array, number]>(old);
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
    const current = this.findKey.get(hash, this.day);
    const row = current ?? this.findOld.get(hash, this.day);
    // Strangers can send any number of other keys.
    if (!row) return null;
    const found = foundKey({ ...row, isTest: row.isTest === 1, isOld: current === null });
    const key = { ...found, count: this.countOf(row) };
    this.keys.set(name, key);
    return key;
  }

  private countOf({ accountId, place, used }: StoredRow): KeyPlaceCount {
    const name = `${accountId} ${place}`;
    const count = this.counts.get(name) ?? { place, used: used ?? 0 };
    this.counts.set(name, count);
    return count;
  }
}
