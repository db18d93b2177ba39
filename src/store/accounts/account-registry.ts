/** Accounts, and how they are removed. */
import type {
  Account,
  AccountRegistry,
  NewAccount,
} from '../../domain/account/account-registry.ts';
import { emailKey } from '../../domain/account/email.ts';
import type { StoreClock } from '../sql/clock.ts';
import { type Engine, first, type Operation, query, run } from '../sql/operation.ts';
import { type Table, tables } from '../sql/tables.ts';

/** Accounts. What has ended is removed by `sweep.ts`. */
export function accountRegistry(engine: Engine, clock: StoreClock): Omit<AccountRegistry, 'sweep'> {
  return {
    addAccount: (account) => engine.run(() => addAccount(account, clock(account.at))),
    findAccount: (email, at) => engine.run(() => findAccount(email, clock(at))),
    listAccounts: (at) =>
      engine.run(() =>
        query<Account>(`${selectAccounts} WHERE NOT ${isRemoved} ORDER BY a.email_key`, clock(at)),
      ),
    setPlan: async (email, plan) =>
      (await engine.run(() =>
        run('UPDATE private.account SET plan = $1::text WHERE email_key = $2::text', [
          plan,
          emailKey(email),
        ]),
      )) > 0,
    removeAccount: async (email) => {
      const id = await engine.transaction(() => closeAccount(emailKey(email)));
      if (id === null) return false;
      await engine.inSlices((rows) => removeSome(id, rows));
      return true;
    },
  };
}

/** The first two values of a statement make this its clock. */
export const instant = '(SELECT published.instant($1::bigint, $2::bigint) AS at) clock';

const selectAccounts = `
  SELECT a.id, a.email, a.plan, a.is_operator AS "isOperator", a.created_at AS "createdAt",
    (SELECT count(*) FROM private.api_key k WHERE k.account_id = a.id AND k.revoked_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > clock.at)) AS "activeKeys"
  FROM ${instant} CROSS JOIN private.account a`;

function findAccount(email: string, time: ReturnType<StoreClock>): Operation<Account | null> {
  return first(`${selectAccounts} WHERE a.email_key = $3::text`, [...time, emailKey(email)]);
}

/** An e-mail that has an account already uses up no id, unless two come at the very same time. */
function* addAccount(account: NewAccount, time: ReturnType<StoreClock>): Operation<Account | null> {
  const written = yield* run(
    `INSERT INTO private.account (email, email_key, password_hash, plan, is_operator, created_at)
     SELECT $3::text, $4::text, $5::text, $6::text, $7::boolean, clock.at FROM ${instant}
     WHERE NOT EXISTS (SELECT 1 FROM private.account WHERE email_key = $4::text)
     ON CONFLICT DO NOTHING`,
    [
      ...time,
      account.email.trim(),
      emailKey(account.email),
      account.passwordHash,
      account.plan,
      account.isOperator,
    ],
  );
  return written > 0 ? yield* findAccount(account.email, time) : null;
}

/** Accounts on their way out: no e-mail has a blank in it. */
const removedKey = 'removed ';
const isRemoved = `(email_key >= '${removedKey}' AND email_key < 'removed!')`;

/**
 * From here on nobody can sign in or call, and the e-mail is free. The account is locked first,
 * then its usage, in the order in which it is spent. A key that is used for the first time that day
 * at this very moment can still make a deadlock; whoever loses tries again.
 */
function* closeAccount(key: string): Operation<number | null> {
  const account = yield* first<{ id: number }>(
    'SELECT id FROM private.account WHERE email_key = $1::text FOR UPDATE',
    [key],
  );
  if (!account) return null;
  const { id } = account;
  yield* query(
    'SELECT 1 FROM private.usage WHERE account_id = $1::bigint ORDER BY place, day FOR UPDATE',
    [id],
  );
  yield* run(
    `UPDATE private.account SET email_key = '${removedKey}' || id, password_hash = NULL
     WHERE id = $1::bigint`,
    [id],
  );
  for (const table of ['api_key', 'session', 'reset_link']) {
    yield* run(`DELETE FROM private.${table} WHERE account_id = $1::bigint`, [id]);
  }
  // Nothing is sent or told any more.
  yield* run("UPDATE private.channel SET state = 'off' WHERE account_id = $1::bigint", [id]);
  yield* run('UPDATE private.alert_rule SET is_on = false WHERE account_id = $1::bigint', [id]);
  return id;
}

/**
 * Removes some of what an account held, and in the end the account. Sales point at lots. The
 * account is locked first, as everybody does it: whoever took its lots first would wait for ever.
 */
function* removeSome(id: number, rows: number): Operation<number | 'more'> {
  yield* query('SELECT 1 FROM private.account WHERE id = $1::bigint FOR UPDATE', [id]);
  let removed = 0;
  for (const { name, key } of removedTables) {
    const columns = key.join(', ');
    removed += yield* run(
      `DELETE FROM private.${name} WHERE (${columns}) IN (
         SELECT ${columns} FROM private.${name} WHERE account_id = $1::bigint LIMIT $2::bigint)`,
      [id, rows - removed],
    );
    if (removed === rows) return 'more';
  }
  removed += yield* run(
    `DELETE FROM private.delivery WHERE id IN (
       SELECT d.id FROM private.delivery d JOIN private.channel c ON c.id = d.channel_id
       WHERE c.account_id = $1::bigint LIMIT $2::bigint)`,
    [id, rows - removed],
  );
  if (removed === rows) return 'more';
  yield* run('DELETE FROM private.account WHERE id = $1::bigint', [id]);
  return removed;
}

/** What there may be very much of. Sales point at lots, and notifications at rules. */
const removedTables: readonly Pick<Table, 'name' | 'key'>[] = [
  tables.ledgerSale,
  tables.lot,
  tables.notification,
  tables.alertTold,
];

/** Whether there are accounts whose removal was interrupted. */
export const hasRemoved = `EXISTS (SELECT 1 FROM private.account WHERE ${isRemoved})`;

/** Goes on with one of them; how many rows that were. */
export function* sweepRemoved(rows: number): Operation<number> {
  const account = yield* first<{ id: number }>(
    `SELECT id FROM private.account WHERE ${isRemoved} LIMIT 1`,
  );
  if (!account) return 0;
  const removed = yield* removeSome(account.id, rows);
  return removed === 'more' ? rows : Math.max(1, removed);
}
