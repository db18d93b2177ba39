/** Keys and usage as they were while each key had its own counter, and what becomes of them. */
import { expect } from 'bun:test';
import type { KeyHash } from '../../src/domain/account/keys.ts';
import { dayMs, dayOf } from '../../src/domain/kernel/time.ts';
import type { Store } from '../../src/domain/store.ts';

const email = 'ann@example.com';

/** A hash of 32 equal bytes. */
export function hashOf(byte: number): KeyHash {
  return new Uint8Array(32).fill(byte) as KeyHash;
}

/** Three active keys, and five that ended, the last two of them today; `schema` is a prefix. */
export function oldKeysSql(schema: '' | 'private.', now: number): string {
  const hash = (byte: number) => {
    const hex = byte.toString(16).padStart(2, '0').repeat(32);
    return schema === '' ? `x'${hex}'` : `decode('${hex}', 'hex')`;
  };
  const ends = [null, now - 9 * dayMs, now - 3000, null, now - 8 * dayMs, now - 2000, null];
  const keys = ends.map((end, index) => {
    const id = index + 1;
    // Keys 3 and 5 expired, the others were revoked.
    const [expired, revoked] = id === 3 || id === 5 ? [end, null] : [null, end];
    return `(${id}, 1, 'Key ${id}', ${hash(id)}, 'bmk_000${id}', 10, 1, ${expired}, ${revoked})`;
  });
  const today = dayOf(now);
  return `
    INSERT INTO ${schema}account (id, email, email_key, plan, is_operator, created_at)
      VALUES (1, '${email}', '${email}', 'reseller', ${schema === '' ? '0' : 'false'}, 1);
    INSERT INTO ${schema}api_key (id, account_id, name, hash, prefix, allowance, created_at,
      expires_at, revoked_at) VALUES ${keys.join()};
    INSERT INTO ${schema}usage (key_id, day, used, last_at) VALUES
      (1, ${today}, 4, ${now - 50}), (1, ${today - 1}, 6, ${now - dayMs}),
      (2, ${today - 10}, 7, ${now - 10 * dayMs}), (3, ${today}, 10, ${now - 4000}),
      (6, ${today}, 9, ${now - 2500});
    ${schema === '' ? '' : 'ALTER TABLE private.api_key ALTER id RESTART WITH 8;'}`;
}

/** Keys have what they used, and the account has five allowances for today, no more. */
export async function expectPlacedKeys(store: Store, now: number): Promise<void> {
  const today = dayOf(now);
  const list = (await store.accounts.listKeys(email, now)) ?? [];
  expect(list.map((key) => key.usedToday)).toEqual([4, 0, 10, 0, 0, 9, 0]);
  expect(list.map((key) => key.countedToday)).toEqual([4, 0, 10, 0, 0, 9, 0]);
  expect(list[1]?.lastUsedAt).toBe(now - 10 * dayMs);
  expect((await store.accounts.findUsage(1, 0)).days).toEqual([
    { keyId: 2, day: today - 10, used: 7 },
    { keyId: 1, day: today - 1, used: 6 },
    { keyId: 1, day: today, used: 4 },
    { keyId: 3, day: today, used: 10 },
    { keyId: 6, day: today, used: 9 },
  ]);
  const spend = async (byte: number) => {
    const requests = Array.from({ length: 12 }, () => ({ keyHash: hashOf(byte), cost: 1 }));
    const { admissions } = await store.accounts.admitGroup(requests, now);
    return admissions.filter((admission) => admission?.outcome === 'granted').length;
  };
  expect(await spend(1)).toBe(6);
  expect([await spend(2), await spend(3)]).toEqual([0, 0]);
  const facts = { email, name: 'New', prefix: 'bmk_', allowance: 10, expiresAt: null, at: now };
  const added: number[] = [];
  for (const byte of [100, 101]) {
    expect(await store.accounts.addKey({ ...facts, hash: hashOf(byte) })).toBeObject();
    added.push(await spend(byte));
  }
  // The two places that are free are those of the keys that ended today: 9 and 10 of 10 are gone.
  expect(added).toEqual([1, 0]);
  await store.close();
}
