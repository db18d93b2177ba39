/**
 * Changes of one account on PostgreSQL wait for each other, and read only once they have the lock.
 * In each test, another connection holds the account and has changed what the rules depend on: a
 * change that reads before it waits would decide by the old state.
 */
// @runs PostgreSQL, PostgreSQL 17: is about locks of rows
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQL } from 'bun';
import { AlertOwner } from '../../../test/support/alerts.ts';
import { anAccount } from '../../../test/support/builders.ts';
import { databaseOf, isPostgres, openTestStore } from '../../../test/support/engines.ts';
import { applyRows, rowsOf } from '../../../test/support/own-rows.ts';
import { until } from '../../../test/support/until.ts';
import type { KeyHash } from '../../accounts/keys/keys.ts';
import type { TokenHash } from '../../accounts/sign-in/session.ts';
import { activeKeysMax } from '../../contract/limits.ts';
import type { Store } from '../store.ts';

const at = Date.UTC(2026, 10, 15, 12);
const email = 'ann@example.com';
const { brickfolio, lot: lotRow, sale } = rowsOf(email);
const oneUnit = lotRow('l', { quantity: 1 });
const hashOf = (text: string) => Bun.SHA256.hash(text) as Uint8Array;

describe.skipIf(!isPostgres)('an account on PostgreSQL', () => {
  let folder: string;
  let store: Store;
  let other: SQL;
  let ann: number;
  let shelf: number;
  let attic: number;
  let lot: number;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-lock-'));
    store = await openTestStore(folder);
    other = new SQL({ url: (await databaseOf(folder)) ?? '', max: 2 });
    ann = (await store.accounts.addAccount(anAccount({ email, passwordHash: 'old', at })))?.id ?? 0;
    await applyRows(store.accounts, [brickfolio('Shelf'), brickfolio('Attic'), oneUnit], at);
    const { brickfolios } = await store.accounts.findHoldings(ann, null);
    [shelf = 0, attic = 0] = ['Shelf', 'Attic'].map(
      (name) => brickfolios.find((each) => each.name === name)?.id ?? 0,
    );
    const everything = { brickfolioId: null, limit: 9, offset: 0 };
    lot = (await store.accounts.listEntries(ann, everything))?.rows[0]?.id ?? 0;
  });

  afterEach(async () => {
    await other.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /**
   * The result of a change that starts while another connection holds the account and has run
   * `sql`. That connection runs `more` once the change waits for it.
   */
  async function after<T>(sql: string, change: () => Promise<T>, more = 'SELECT 1'): Promise<T> {
    const { outcome } = await other.begin(async (tx) => {
      const [holder] = await tx`SELECT pg_backend_pid() AS pid FROM private.account
        WHERE id = ${ann} FOR NO KEY UPDATE`;
      await tx.unsafe(sql);
      let isDone = false;
      const outcome = change().finally(() => {
        isDone = true;
      });
      // Handled where the outcome is awaited.
      outcome.catch(() => {});
      const isWaiting = async () => {
        const waiting = await other`SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND ${holder.pid} = ANY(pg_blocking_pids(pid))`;
        return waiting.length > 0;
      };
      await until(async () => isDone || (await isWaiting()));
      expect(isDone).toBe(false);
      await tx.unsafe(more);
      return { outcome };
    });
    return outcome;
  }

  const sell = () => `UPDATE private.lot SET sold = 1 WHERE id = ${lot}`;

  test('a lot with a unit being sold is not removed', async () => {
    const rows = [{ kind: 'lot_removal', lotId: lot } as const];
    const remove = () => store.accounts.change(ann, { rows }, at);
    expect((await after(sell(), remove)).outcomes).toMatchObject([{ refusal: 'sold' }]);
    expect(await store.accounts.findLot(ann, lot)).not.toBeNull();
  });

  test('a collection with a lot being sold is not removed with its lots', async () => {
    const remove = () => store.accounts.removeBrickfolio(ann, shelf, { lots: 'remove', to: null });
    expect(await after(sell(), remove)).toBe('lots left');
    expect(await store.accounts.findLot(ann, lot)).not.toBeNull();
  });

  test('a removal locks the account before its rows', async () => {
    await other`UPDATE private.account SET email_key = 'removed ' || id WHERE id = ${ann}`;
    const remove = () => store.accounts.sweep(at, 100);
    // The holder of the account may still lock its lots; otherwise both would deadlock.
    await after(
      'SELECT 1',
      remove,
      `SELECT 1 FROM private.lot WHERE id = ${lot} FOR UPDATE NOWAIT`,
    );
    expect(await other`SELECT 1 FROM private.account WHERE id = ${ann}`).toHaveLength(0);
  });

  test('channels and accounts of alerts are locked in order of their ids', async () => {
    const { accounts } = store;
    const later = 'later@example.com';
    const id = (await accounts.addAccount(anAccount({ email: later, at })))?.id ?? 0;
    const [own, others] = [new AlertOwner(accounts, ann, at), new AlertOwner(accounts, id, at)];
    const [first, second] = [await own.email(), await others.email()];
    const channel = (one: number) => `SELECT 1 FROM private.channel WHERE id = ${one} FOR UPDATE`;
    const message = { messageId: 'm', type: 'alert', orderKey: null, body: '{}', at };
    const send = () =>
      accounts.addDeliveries([second, first].map((channelId) => ({ ...message, channelId })));
    expect(await after(channel(first), send, `${channel(second)} NOWAIT`)).toEqual(
      new Set([first, second]),
    );
    // The later account has the earlier rule.
    const rules = [await others.rule(), await own.rule()].map((rule) => ({ id: rule, since: at }));
    const reported = rules.map((rule) => ({
      ...({
        ruleId: rule.id,
        itemKind: 'set',
        itemKey: '1',
        retailer: null,
        baseCents: null,
      } as const),
      reportedAt: at,
    }));
    const step = { kind: 'log', from: null, to: 1 } as const;
    const settle = () =>
      accounts.settleAlerts(step, { notifications: [], reported, ended: [], rules });
    const free = `SELECT 1 FROM private.account WHERE id = ${id} FOR NO KEY UPDATE NOWAIT`;
    expect(await after('SELECT 1', settle, free)).toBe(true);
  });

  test('old usage is summed up once, and accounts are locked in order of their ids', async () => {
    const later = 'later@example.com';
    const id = (await store.accounts.addAccount(anAccount({ email: later, at })))?.id ?? 0;
    for (const account of [ann, id]) {
      await other`INSERT INTO private.usage (account_id, place, day, used, last_at, key_id)
        VALUES (${account}, 1, 1, 5, 1, 1)`;
    }
    const free = `SELECT 1 FROM private.account WHERE id = ${id} FOR NO KEY UPDATE NOWAIT;
      DELETE FROM private.usage WHERE account_id = ${ann}`;
    await after('SELECT 1', () => store.accounts.sweep(at, 9), free);
    // Usage that another process summed up meanwhile is not summed up again.
    const earlier = async (account: number) => (await store.accounts.findUsage(account, 0)).earlier;
    expect([await earlier(ann), await earlier(id)]).toEqual([0, 5]);
  });

  test('removing an account waits for other changes, and includes usage since', async () => {
    await other`INSERT INTO private.usage (account_id, place, day, used, last_at, key_id)
      VALUES (${ann}, 1, 1, 5, 1, 1)`;
    // The holder of the account may still lock its usage.
    const free = `SELECT 1 FROM private.usage WHERE account_id = ${ann} FOR UPDATE NOWAIT`;
    expect(await after('SELECT 1', () => store.accounts.removeAccount(email), free)).toBe(true);
    expect(await other`SELECT 1 FROM private.usage WHERE account_id = ${ann}`).toHaveLength(0);
  });

  test('a name being given to another collection is taken', async () => {
    const rename = () =>
      store.accounts.changeBrickfolio(ann, attic, { name: 'Cellar', description: null });
    const taken = `UPDATE private.brickfolio SET name = 'Cellar' WHERE id = ${shelf}`;
    expect(await after(taken, rename)).toBe('taken');
  });

  test('a collection being removed does not become the default', async () => {
    const removal = `DELETE FROM private.brickfolio WHERE id = ${attic}`;
    expect(await after(removal, () => store.accounts.setDefault(ann, attic))).toBe(false);
  });

  test('units of a sale are returned once, even if it is removed twice at once', async () => {
    await applyRows(store.accounts, [sale('a')], at);
    const page = { limit: 9, offset: 0 };
    const id = (await store.accounts.listSales(ann, page)).rows[0]?.id ?? 0;
    const removal = `UPDATE private.lot SET sold = 0 WHERE id = ${lot};
      DELETE FROM private.ledger_sale WHERE id = ${id}`;
    const rows = [{ kind: 'sale_removal', saleId: id } as const];
    const remove = () => store.accounts.change(ann, { rows }, at);
    expect((await after(removal, remove)).outcomes).toEqual([{ kind: 'unchanged' }]);
    expect(await store.accounts.findLot(ann, lot)).toMatchObject({ sold: 0 });
  });

  test.each([true, false])(
    'the last unit is sold once, even if two sell it at once (by a file: %p)',
    async (isFile) => {
      const change = { rows: [sale('a')], isFile };
      const { outcomes } = await after(sell(), () => store.accounts.change(ann, change, at));
      expect(outcomes).toMatchObject([{ kind: 'rejected' }]);
      expect(await store.accounts.findLot(ann, lot)).toMatchObject({ sold: 1 });
    },
  );

  test('a key is refused while the last free place is being used', async () => {
    const key = (name: string) => ({
      email,
      name,
      hash: hashOf(name) as KeyHash,
      prefix: name,
      allowance: 9,
      expiresAt: null,
      at,
    });
    for (let n = 0; n < activeKeysMax; n++) await store.accounts.addKey(key(`k${n}`));
    // The revoked key frees a place, until the revocation is undone.
    await other`UPDATE private.api_key SET revoked_at = ${at - 1} WHERE prefix = 'k0'`;
    const last = "UPDATE private.api_key SET revoked_at = NULL WHERE prefix = 'k0'";
    expect(await after(last, () => store.accounts.addKey(key('one more')))).toBe('too many active');
  });

  test('signing in with a password that is being changed fails', async () => {
    const change = `UPDATE private.account SET password_hash = 'new' WHERE id = ${ann}`;
    const session = {
      accountId: ann,
      passwordHash: 'old',
      method: 'password' as const,
      tokenHash: hashOf('t') as TokenHash,
      expiresAt: at + 1,
      agent: '',
      at,
    };
    expect(await after(change, () => store.accounts.addSession(session))).toBeNull();
    expect(await store.accounts.listSessions(ann, at)).toEqual([]);
  });

  test('a reset link is used after the lock is acquired, and exists until then', async () => {
    const tokenHash = hashOf('t') as TokenHash;
    await store.accounts.addResetLink({ email, tokenHash, expiresAt: at + 1 });
    const use = () => store.accounts.useResetLink(tokenHash, 'new', at);
    const free = `SELECT 1 FROM private.reset_link WHERE account_id = ${ann} FOR UPDATE NOWAIT`;
    expect(await after('SELECT 1', use, free)).toEqual({ accountId: ann, email });
    expect(await store.accounts.findResetLink(tokenHash, at)).toBeNull();
  });

  test('if two replace the same password, one succeeds', async () => {
    const change = `UPDATE private.account SET password_hash = 'new' WHERE id = ${ann}`;
    const replace = () => store.accounts.setPassword(email, 'mine', 'old');
    expect(await after(change, replace)).toBe(false);
    expect(await store.accounts.findPasswordHash(email)).toMatchObject({ passwordHash: 'new' });
  });
});
