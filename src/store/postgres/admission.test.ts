/**
 * Guarantees of PostgreSQL when several nodes charge usage, add keys and remove accounts at once.
 */
// @runs PostgreSQL, PostgreSQL 17: is about its function for admission

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anAccount } from '../../../test/support/builders.ts';
import { databaseOf, isPostgres } from '../../../test/support/engines.ts';
import { keysById } from '../../../test/support/keys-by-id.ts';
import { until } from '../../../test/support/until.ts';
import type { KeyHash } from '../../accounts/keys/keys.ts';
import type { Admission } from '../../accounts/keys/quota.ts';
import { dayMs, hourMs } from '../../kernel/time.ts';
import { databaseClock, givenClock } from '../sql/clock.ts';
import { postgresAccounts } from './accounts.ts';
import { postgresAdmission } from './admission.ts';
import { type Client, openClient } from './client.ts';
import { sqlState } from './pool.ts';

const now = Date.UTC(2026, 10, 15, 12);
const given = givenClock;

describe.skipIf(!isPostgres)('several nodes on one PostgreSQL', () => {
  let folder: string;
  let clients: [Client, Client];
  let nodes: [ReturnType<typeof postgresAccounts>, ReturnType<typeof postgresAccounts>];
  let keysMade = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-nodes-'));
    const url = (await databaseOf(folder)) ?? '';
    const open = () => openClient(url, { max: 4, statementMs: 20_000, name: 'node' });
    clients = [open(), open()];
    nodes = [postgresAccounts(clients[0], given), postgresAccounts(clients[1], given)];
  });

  afterAll(async () => {
    for (const client of clients) await client.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const newHash = () => Bun.SHA256.hash(`key ${++keysMade}`) as Uint8Array as KeyHash;

  async function addAccount(email: string): Promise<void> {
    await nodes[0].addAccount(anAccount({ email, at: now }));
  }

  async function addKey(email: string, allowance: number, expiresAt: number | null = null) {
    const hash = newHash();
    const made = await nodes[0].addKey({
      email,
      name: 'k',
      hash,
      prefix: 'bmk_',
      allowance,
      expiresAt,
      at: now,
    });
    return { hash, allowance, id: typeof made === 'object' ? made.id : 0 };
  }

  /** Pseudo-random integers below a limit, the same in every run. */
  function dice(seed: bigint) {
    let state = seed;
    return (limit: number) => {
      state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffff_ffff_ffff_ffffn;
      return Number((state >> 33n) % BigInt(limit));
    };
  }

  test('checkCountable fails for a role without rights on usage, and on a read-only database', async () => {
    const url = (await databaseOf(folder)) ?? '';
    const connect = (options: string) => {
      const address = new URL(url);
      address.searchParams.set('options', options);
      return openClient(address.href, { max: 1, statementMs: 20_000, name: 'node' });
    };
    const stateOf = async (client: Client) => {
      const check = postgresAdmission(client, given).checkCountable(now);
      return check.then(() => 'counted').catch(sqlState);
    };
    await clients[0].script(
      `DROP ROLE IF EXISTS only_beats; CREATE ROLE only_beats;
       GRANT USAGE ON SCHEMA published, private TO only_beats;
       GRANT SELECT, INSERT, UPDATE ON private.heartbeat TO only_beats`,
    );
    const mayNot = connect('-c role=only_beats');
    const readOnly = connect('-c default_transaction_read_only=on');
    expect(await stateOf(clients[0])).toBe('counted');
    expect(await stateOf(mayNot)).toBe('42501');
    expect(await stateOf(readOnly)).toBe('25006');
    await mayNot.close();
    await readOnly.close();
    await clients[0].script('DROP OWNED BY only_beats; DROP ROLE only_beats');
  });

  test('concurrent groups on the same keys never deadlock or exceed a limit, and count each cost once', async () => {
    const roll = dice(1n);
    const keys: Awaited<ReturnType<typeof addKey>>[] = [];
    for (const email of ['a@example.com', 'b@example.com', 'c@example.com']) {
      await addAccount(email);
      for (let n = 0; n < 4; n++) keys.push(await addKey(email, 40 + roll(200)));
    }
    const spends = new Map<number, { cost: number; admission: Admission }[]>();
    let failed = 0;
    const counted = clients.map((client) => {
      const query: Client['query'] = (...asking) => {
        const answer = client.query<never>(...asking);
        answer.catch(() => failed++);
        return answer;
      };
      return postgresAdmission({ ...client, query }, given);
    });
    const groups = Array.from({ length: 300 }, (_, turn) => async () => {
      const chosen = Array.from({ length: 1 + roll(16) }, () => keys[roll(keys.length)]);
      const requests = chosen.map((key) => ({ keyHash: key?.hash ?? newHash(), cost: roll(4) }));
      const { admissions } = await (counted[turn % 2] ?? nodes[0]).admitGroup(requests, now);
      for (const [index, admission] of admissions.entries()) {
        if (!admission) throw new Error('The key is good.');
        const { keyId } = admission.caller;
        const known = spends.get(keyId) ?? [];
        spends.set(keyId, [...known, { cost: requests[index]?.cost ?? 0, admission }]);
      }
    });
    await Promise.all(groups.map((group) => group()));
    // No group was retried after a deadlock.
    expect(failed).toBe(0);
    for (const { id, allowance } of keys) {
      const made = spends.get(id) ?? [];
      const isSpend = ({ cost }: { cost: number }) => cost > 0;
      const granted = made.filter((s) => isSpend(s) && s.admission.outcome === 'granted');
      // Granted costs are contiguous, from zero to the day's total.
      const ends = granted.map(({ admission }) => admission.used).sort((a, b) => a - b);
      const starts = granted.map(({ admission, cost }) => admission.used - cost);
      expect(starts.sort((a, b) => a - b)).toEqual([0, ...ends.slice(0, -1)]);
      const total = ends.at(-1) ?? 0;
      expect(total).toBeLessThanOrEqual(allowance);
      for (const { cost, admission } of made) {
        if (admission.outcome === 'granted') continue;
        expect(admission.used + cost).toBeGreaterThan(allowance);
        expect(admission.used).toBeLessThanOrEqual(total);
      }
      const sql = 'SELECT used FROM private.usage WHERE key_id = $1::bigint';
      expect(await clients[0].query<{ used: number }>(sql, [id])).toEqual([{ used: total }]);
    }
    expect([...spends.values()].flat().some((s) => s.admission.outcome !== 'granted')).toBe(true);
  });

  test('a key that is limited to networks takes one statement once these are known', async () => {
    await addAccount('near@example.com');
    const { hash, id } = await addKey('near@example.com', 10);
    const limitTo = (networks: string | null) =>
      keysById(nodes[1]).setKeyAccess(id, { scopes: 15, networks }, { isLimited: false });
    await limitTo('203.0.113.0/24');
    let asked = 0;
    const query: Client['query'] = (...asking) => {
      asked++;
      return clients[0].query(...asking);
    };
    const { admitGroup } = postgresAdmission({ ...clients[0], query }, given);
    const admit = async (...addresses: string[]) => {
      asked = 0;
      const requests = addresses.map((address) => ({
        keyHash: hash,
        cost: 1,
        address: () => address,
      }));
      const { admissions } = await admitGroup(requests, now);
      return [asked, ...admissions.map((admission) => admission?.used ?? null)];
    };
    expect(await admit('203.0.113.1', '192.0.2.1')).toEqual([2, 1, null]);
    expect(await admit('203.0.113.1', '192.0.2.1', '203.0.113.2')).toEqual([1, 2, null, 3]);
    expect(await admit('192.0.2.1')).toEqual([1, null]);
    await limitTo('192.0.2.0/24 2001:db8::/32');
    expect(await admit('203.0.113.1', '192.0.2.1')).toEqual([2, null, 4]);
    expect(await admit('2001:db8::1')).toEqual([1, 5]);
    await limitTo(null);
    expect(await admit('203.0.113.1')).toEqual([1, 6]);
  });

  test('a group that read outdated usage is decided by the current usage of the place and day', async () => {
    const email = 'slow@example.com';
    await addAccount(email);
    const [key, second] = [await addKey(email, 5), await addKey(email, 5)];
    const spend = (hash: KeyHash, costs: readonly number[], at: number) =>
      nodes[0].admitGroup(
        costs.map((cost) => ({ keyHash: hash, cost })),
        at,
      );
    await spend(key.hash, [3], now - dayMs);
    await spend(second.hash, [3], now);
    let asked: ReturnType<typeof spend> | null = null;
    await clients[1].transaction(async (tx) => {
      await tx.run(
        `INSERT INTO private.usage (account_id, place, day, used, last_at, key_id)
         SELECT account_id, place, $2::integer, 4, 1, id FROM private.api_key
         WHERE id = $1::bigint`,
        [key.id, Math.floor(now / dayMs)],
      );
      const [holder] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      asked = spend(key.hash, [1, 1], now);
      const waiting = 'SELECT 1 FROM pg_stat_activity WHERE $1::int = ANY(pg_blocking_pids(pid))';
      const blocked = () => clients[1].query(waiting, [holder?.pid ?? 0]);
      await until(async () => (await blocked()).length > 0);
    });
    const { admissions } = await (asked ?? spend(key.hash, [], now));
    expect(admissions.map((each) => [each?.outcome === 'granted', each?.used])).toEqual([
      [true, 5],
      [false, 5],
    ]);
  });

  test('two keys in one place share its usage, also within one group', async () => {
    const email = 'shared@example.com';
    await addAccount(email);
    const keys = [await addKey(email, 3), await addKey(email, 3)];
    const ids = keys.map(({ id }) => id);
    await clients[0].run('UPDATE private.api_key SET place = 1 WHERE id = ANY($1::bigint[])', [
      ids,
    ]);
    const requests = [...keys, ...keys].map(({ hash }) => ({ keyHash: hash, cost: 1 }));
    const { admissions } = await nodes[0].admitGroup(requests, now);
    const granted = admissions.filter((each) => each?.outcome === 'granted');
    expect(granted.map((each) => each?.used).sort()).toEqual([1, 2, 3]);
    const used = await clients[0].query(
      `SELECT u.used FROM private.api_key k JOIN private.usage u ON u.key_id = k.id
       WHERE k.id = ANY($1::bigint[])`,
      [ids],
    );
    expect(used).toEqual([{ used: 3 }]);
  });

  test('a group without costs writes nothing', async () => {
    await addAccount('asks@example.com');
    const { hash } = await addKey('asks@example.com', 5);
    const ask = [{ keyHash: hash, cost: 0 }];
    await clients[0].transaction(async (tx) => {
      const { admissions } = await postgresAdmission(tx, given).admitGroup(ask, now);
      expect(admissions[0]).toMatchObject({ outcome: 'granted', used: 0 });
      const [wrote] = await tx.query('SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS it');
      expect(wrote).toEqual({ it: false });
    });
    expect((await nodes[0].listKeys('asks@example.com', now))?.[0]?.lastUsedAt).toBeNull();
  });

  test('of fifty keys added at once, five are added', async () => {
    await addAccount('many@example.com');
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (nodes[index % 2] ?? nodes[0]).addKey({
          email: 'many@example.com',
          name: 'k',
          hash: newHash(),
          prefix: 'bmk_',
          allowance: 1,
          expiresAt: null,
          at: now,
        }),
      ),
    );
    expect(made.filter((key) => typeof key === 'object')).toHaveLength(5);
    expect(await nodes[1].listKeys('many@example.com', now)).toHaveLength(5);
  });

  test("expiry and day depend on the database's clock and its shift", async () => {
    await addAccount('clock@example.com');
    const [real, slackMs] = [Date.now(), 1_000];
    const { hash } = await addKey('clock@example.com', 10, real + 3 * dayMs);
    // The clock of this node is years off.
    const wrong = Date.UTC(1999, 0, 1);
    const ahead = (shiftMs: number) => postgresAccounts(clients[1], databaseClock(shiftMs));
    const spend = (shiftMs: number) =>
      ahead(shiftMs).admitGroup([{ keyHash: hash, cost: 2 }], wrong);
    const first = await spend(0);
    expect(first.at).toBeWithin(real - slackMs, Date.now() + slackMs);
    expect(first.admissions[0]).toMatchObject({ outcome: 'granted', used: 2 });
    const tomorrow = await spend(dayMs);
    expect(tomorrow.at - dayMs).toBeWithin(real - slackMs, Date.now() + slackMs);
    expect(tomorrow.admissions[0]?.used).toBe(2);
    expect((await spend(3 * dayMs + hourMs)).admissions).toEqual([null]);
    const seen = await ahead(dayMs).listKeys('clock@example.com', wrong);
    expect(seen?.[0]).toMatchObject({ usedToday: 2, lastUsedAt: tomorrow.at });
    const active = async (shiftMs: number) =>
      (await ahead(shiftMs).findAccount('clock@example.com', wrong))?.activeKeys;
    expect([await active(0), await active(3 * dayMs + hourMs)]).toEqual([1, 0]);
  });

  test('an account can be removed while it is charged, and no other charge is lost', async () => {
    await addAccount('stays@example.com');
    const stays = await addKey('stays@example.com', 1_000_000);
    let granted = 0;
    for (let round = 0; round < 8; round++) {
      const email = `goes${round}@example.com`;
      await addAccount(email);
      const goes = [await addKey(email, 1_000_000), await addKey(email, 1_000_000)];
      let isGone = false;
      const spend = async (node: (typeof nodes)[number]) => {
        for (let turn = 0; turn < 200; turn++) {
          const wanted = [goes[1], stays, goes[0]].map((key) => key?.hash ?? newHash());
          const requests = wanted.map((keyHash) => ({ keyHash, cost: 1 }));
          const wasGone = isGone;
          const { admissions } = await node.admitGroup(requests, now);
          if (admissions[1]?.outcome === 'granted') granted++;
          if (wasGone) expect([admissions[0], admissions[2]]).toEqual([null, null]);
          if (wasGone) return;
        }
      };
      const spending = [...nodes, ...nodes].map(spend);
      await Bun.sleep(round);
      expect(await nodes[1].removeAccount(email)).toBe(true);
      isGone = true;
      await Promise.all(spending);
    }
    expect((await nodes[0].listKeys('stays@example.com', now))?.[0]?.usedToday).toBe(granted);
  });

  test('a group that loses a deadlock is repeated, and charged once', async () => {
    await addAccount('circle@example.com');
    const [one, two] = [
      await addKey('circle@example.com', 9),
      await addKey('circle@example.com', 9),
    ];
    const requests = [one, two].map(({ hash }) => ({ keyHash: hash, cost: 2 }));
    await nodes[0].admitGroup(requests, now);
    const add = 'UPDATE private.usage SET used = used + 3 WHERE key_id = $1::bigint';
    let admitted: ReturnType<(typeof nodes)[0]['admitGroup']> | null = null;
    await clients[0].transaction(async (tx) => {
      // The other transaction must detect the deadlock first, however busy the machine is.
      await tx.run("SET LOCAL deadlock_timeout = '1min'");
      await tx.run(add, [two.id]);
      admitted = nodes[1].admitGroup(requests, now);
      await waitingFor(clients[1], 1);
      await tx.run(add, [one.id]);
    });
    const { admissions } = (await (admitted as never)) as { admissions: Admission[] };
    expect(admissions.map(({ outcome, used }) => [outcome, used])).toEqual([
      ['granted', 7],
      ['granted', 7],
    ]);
  });

  test('a group with a lost connection fails, and is not repeated', async () => {
    await addAccount('lost@example.com');
    const { hash, id } = await addKey('lost@example.com', 9);
    const requests = [{ keyHash: hash, cost: 2 }];
    await nodes[0].admitGroup(requests, now);
    let failed: Promise<unknown> = Promise.resolve();
    await clients[0].transaction(async (tx) => {
      const touch = 'UPDATE private.usage SET used = used WHERE key_id = $1::bigint';
      await tx.run(touch, [id]);
      failed = nodes[1].admitGroup(requests, now).catch((error: unknown) => error);
      const [pid] = await waitingFor(clients[0], 1);
      await tx.query('SELECT pg_terminate_backend($1::integer)', [pid ?? 0]);
      expect(await failed).toBeInstanceOf(Error);
    });
    expect((await nodes[0].listKeys('lost@example.com', now))?.[0]?.usedToday).toBe(2);
  });
});

/** Backends waiting for a lock in this database, once there are `count` of them. */
async function waitingFor(client: Client, count: number): Promise<number[]> {
  let pids: number[] = [];
  await until(async () => {
    const rows = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    );
    pids = rows.map((row) => row.pid);
    return pids.length >= count;
  });
  return pids;
}
