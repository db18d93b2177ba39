/** What rows about keys become, whichever engine they come from. */
import type { ApiKey } from '../domain/account/account-store.ts';
import { type PlaceDay, type PlacedKey, usageByKey } from '../domain/account/key-places.ts';

/** A key as it is stored, with when it was last used. */
export interface KeyRow extends PlacedKey {
  readonly name: string;
  readonly prefix: string;
  readonly allowance: number;
  readonly lastUsedAt: number | null;
}

/** Keys with what was spent today. */
export function toApiKeys(rows: readonly KeyRow[], today: readonly PlaceDay[]): ApiKey[] {
  const own = new Map(usageByKey(rows, today).map((row) => [row.keyId, row.used]));
  const counted = new Map(today.map((row) => [row.place, row.used]));
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    allowance: row.allowance,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    revokedAt: row.revokedAt,
    usedToday: own.get(row.id) ?? 0,
    countedToday: counted.get(row.place) ?? 0,
    lastUsedAt: row.lastUsedAt,
  }));
}
