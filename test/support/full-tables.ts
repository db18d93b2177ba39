/**
 * A store with rows in every table, including awkward values, and how to compare it with another.
 */
import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { fixedDetails } from '../../src/portfolio/lots/lot-fields.ts';
import {
  type ColumnType,
  movedTables,
  type Table,
  tablesNotMoved,
} from '../../src/store/sql/tables.ts';
import { fileNames } from '../../src/store/sqlite/files.ts';
import { candidate } from './deals.ts';
import { type FullPlace, makeFullPlace } from './full-place.ts';
import type { PostgresServer } from './postgres-server.ts';

/** Text that breaks code with wrong escaping. */
const awkward = `\\N \\. \\\\ \t\n\r\b\v\f "'" é ß 🧱 \ufffd \u2028 NULL ''`;

/** Extreme doubles, and some without an exact short decimal form. */
const doubles = [0.1 + 0.2, 1e-300, Number.MIN_VALUE, Number.MAX_VALUE, 1 / 3, -2.5];

/**
 * Creates the store with commands: seals and restates history, retracts a sale, holds and sells a
 * minifig, revokes a key, removes an account whose ID must not be reused, and counts calls. Rows
 * that would take months to appear are written directly.
 */
export async function makeEverything(): Promise<FullPlace> {
  const place = await makeFullPlace();
  await place.json(['history', 'seal']);
  const restate = ['history', 'restate', '--from', '2026-10', '--reason', 'Wrong prices'];
  await place.json(restate);
  const fig = { account: place.email, minifig_number: 'cas002', source_id: 'fig', quantity: 2 };
  const bought = { brickfolio: 'Shelf', condition: 'used', purchase_price_usd: 1.5 };
  const stdin = [
    { kind: 'retract', source: 'shop', source_id: 'sealed-3' },
    { kind: 'holding', ...fig, ...bought, purchase_date: '2026-03-04' },
    {
      kind: 'ledger_sale',
      ...fig,
      platform: 'local',
      sale_date: '2026-05-06',
      gross_proceeds_usd: 9,
    },
  ]
    .map((line) => JSON.stringify(line))
    .join('\n');
  await place.json(['import', 'feed', '-', '--strict'], { stdin });
  await place.json(['account', 'add', 'gone@example.com', '--plan', 'reseller']);
  const { key_id } = await place.json<{ key_id: number }>(['key', 'add', place.email]);
  await place.json(['key', 'revoke', String(key_id)]);
  await place.json(['account', 'remove', 'gone@example.com', '--now', '--yes']);
  await place.json(['account', 'password', place.email, '--link']);
  const server = await place.serve();
  await server.get('/set/75192', place.key);
  await server.kill('SIGTERM');
  edit(place.data, 'market.db', (db) => {
    const insert = db.query('INSERT INTO fx VALUES (?, ?, ?, 7)');
    for (const [index, rate] of doubles.entries()) insert.run('ZZZ', `2020-01-0${index}`, rate);
    db.query("INSERT INTO waiting VALUES ('YYY', 9, '2020-01-01', '2020-01-02')").run();
    const wanted = db.query("INSERT INTO interest VALUES ('minifig', ?, 20000, 1, ?, 0, 0, 3)");
    for (const rate of doubles) wanted.run(`cas${rate}`, rate);
    db.query("INSERT INTO score VALUES (-2, 'set', 'sealed', 'high', -3, ?, 7)").run(1);
    db.query("INSERT INTO score VALUES (-2, 'set', 'sealed', 'high', -3, ?, 9)").run(0);
    db.query('INSERT OR REPLACE INTO evidence VALUES (77, ?)').run(awkward);
    db.query('INSERT OR REPLACE INTO evidence VALUES (78, ?)').run('');
    db.query('INSERT INTO retail_week VALUES (1, -5, 9900)').run();
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    db.query('INSERT INTO checkpoint SELECT min(id), 5, 1, ?, ? FROM item').run(awkward, bytes);
    const series = db.query('INSERT INTO series VALUES (77, ?, -1, ?, 0, ?, 3000000000)');
    series.run('sealed', bytes, new Uint8Array(0));
    series.run('used', new Uint8Array(0), bytes);
    db.query('INSERT INTO parted_minifig VALUES (?, ?, 5)').run(awkward, 'fig-1');
    const numbers = Array.from({ length: 10 }, (_, index) => 3_000_000_000 + index);
    const marks = numbers.map(() => '?').join(', ');
    db.query(`INSERT OR REPLACE INTO uncertainty VALUES (77, 'set', ?, ${marks}, 1, 0)`).run(
      awkward,
      ...numbers,
    );
    db.query("INSERT INTO listings SELECT min(id), 'used', ?, 5, 41, NULL, 'EUR' FROM item").run(
      awkward,
    );
    const parts = 'INSERT INTO part_out SELECT min(id), ?, ?, 5, 41, ?, NULL, 3 FROM item';
    db.query(parts).run('used', awkward, 'EUR');
    db.query('INSERT INTO sync_source VALUES (?, ?)').run('ecb', awkward);
    const asked = db.query("INSERT INTO sync_item VALUES ('ecb', 'set', ?, 'sold', ?, 2, ?, ?)");
    asked.run(awkward, 5, null, 1);
    asked.run('1-1', null, 7, 0);
    const logged = db.query('INSERT INTO deal_log VALUES (?, ?, ?, 5, 99, ?, ?, ?)');
    logged.run(400, awkward, 'retailer_a', awkward, null, null);
    logged.run(401, awkward, 'retailer_b', '{}', 7, 'no_offer');
    db.query("INSERT INTO grade_effect VALUES ('damaged_box', 0.8123, 60)").run();
    db.query("INSERT INTO deal_score VALUES (-2, 'high', -100, 3, 2, 1)").run();
    const body = JSON.stringify(candidate({ set: { title: awkward } }));
    db.query('INSERT INTO deal VALUES (?, ?, ?)').run(awkward, 'retailer_a', body);
    const happened = db.query("INSERT INTO event VALUES (?, 5, 'value.tier', ?, ?, ?, '{}', ?)");
    const text = JSON.stringify({ reason: awkward });
    happened.run(1_800_000_000_000, 'set', awkward, 'retailer_a', text);
    happened.run(1_800_000_000_001, null, null, null, '{}');
    db.query('INSERT INTO event_state VALUES (77, ?, 1)').run(awkward);
    const change = db.query('INSERT INTO retail_change VALUES (?, ?, ?, ?, ?, ?, ?)');
    change.run(awkward, 'retailer_a', 5, null, null, null, 1);
    change.run(awkward, 'retailer_b', 6, 1999, awkward, 0, 0);
    db.query("INSERT INTO removed_document VALUES ('retail', ?, 3000000000, 7)").run(awkward);
    db.query('UPDATE catalog_record SET gone_at = 1 WHERE item_id = 1').run();
  });
  edit(place.data, 'accounts.db', (db) => {
    db.query('UPDATE lot SET is_estimated = 1 WHERE id = (SELECT min(id) FROM lot)').run();
    db.query('UPDATE account SET calls_earlier = 3000000000').run();
    db.query(
      `INSERT INTO endpoint_usage
       SELECT id, 20000, 3000000000, ?, 3000000000, 5, 1 FROM account LIMIT 1`,
    ).run(awkward);
    db.query('UPDATE api_key SET used_before = 12, last_used_at = 5 WHERE revoked_at > 0').run();
    db.query(
      `UPDATE api_key SET scopes = 5, warned = 2, networks = ?, old_hash = ?,
         old_prefix = 'bmk_0000', old_until = 3000000000000, old_used_at = 7, is_test = 1,
         is_limited = 1
       WHERE id = (SELECT max(id) FROM api_key)`,
    ).run(awkward, new Uint8Array(32).fill(9));
  });
  edit(place.data, 'accounts.db', (db) => {
    const hash = new Uint8Array(32).fill(7);
    db.query("INSERT INTO session VALUES (5, 1, ?, 1, 2, 3, ?, 'code')").run(hash, awkward);
    db.query('INSERT INTO device VALUES (5, 1, ?, 6)').run(hash);
    db.query('INSERT INTO authenticator VALUES (1, ?, 5, ?)').run(hash, 60_000_000);
    db.query('INSERT INTO recovery_code VALUES (1, ?)').run(hash);
    db.query('INSERT INTO sign_in_step VALUES (?, 1, 4000000000000)').run(hash);
    const failed = db.query("INSERT INTO failed_sign_in VALUES (?, ?, 'password', ?, ?, ?)");
    failed.run(7, 1_800_000_000_000, 1, null, 3_000_000_000);
    failed.run(8, 1_800_000_000_000, null, awkward, 1);
    const passkey = db.query('INSERT INTO passkey VALUES (?, 1, ?, ?, ?, ?, 5, ?)');
    passkey.run(7, awkward, 'id', hash, 3_000_000_000, 6);
    passkey.run(8, '', awkward, new Uint8Array(), 0, null);
    const challenge = db.query('INSERT INTO challenge VALUES (?, ?, 4000000000000)');
    challenge.run(hash, 1);
    challenge.run(new Uint8Array(32).fill(8), null);
    db.query('INSERT INTO identity VALUES (?, ?, 1, 5)').run('https://id.example.com', awkward);
    const invitation = db.query('INSERT INTO invitation VALUES (?, ?, ?, ?, 5, 4000000000000)');
    invitation.run(7, hash, 'reseller', 1);
    invitation.run(8, new Uint8Array(32).fill(8), 'free', 0);
    const notice = db.query('INSERT INTO notice VALUES (?, ?, ?, ?, 5, ?)');
    notice.run(7, 'info', awkward, awkward, null);
    notice.run(8, 'critical', awkward, '', 4_000_000_000_000);
    const link = db.query('INSERT INTO sheet_link VALUES (?, 1, ?, ?, ?, ?, 5, ?, ?, ?)');
    link.run(7, 1, awkward, 'values', 'handle', 6, 20_000, 3_000_000_000);
    link.run(8, 1, '', 'retail-watch', awkward, null, 0, 0);
    db.query('INSERT INTO tries VALUES (?, 1, 2)').run(awkward);
    const draft = db.query('INSERT INTO import_draft VALUES (?, 1, ?, ?, ?, 4000000000000, ?, ?)');
    draft.run(6, awkward, hash, null, awkward, awkward);
    draft.run(7, '', new Uint8Array(), awkward, '', null);
    const settings = db.query(
      'INSERT INTO buying_settings VALUES (?, 0.85, 2500, 1, 2, 3, 4, ?, 5, 6, 7, 8, 9, 10)',
    );
    settings.run(1, JSON.stringify([{ platform: awkward, basisPoints: 1, feeCents: 2 }]));
    const predicted = db.query('INSERT INTO lot_prediction VALUES (?, 1, 5, ?, 1, -2, 3, ?, ?)');
    predicted.run(1, 'sealed', 'ebay', 1 / 3);
    predicted.run(2, 'used', awkward, null);
    db.query("INSERT INTO edit VALUES (7, 1, 5, 'move', 3, '{}', ?)").run(awkward);
    const photo = db.query(
      'INSERT INTO photo VALUES (?, 1, ?, ?, ?, 1600, 1200, 3000000000, ?, 5)',
    );
    photo.run(7, 1, null, -1, awkward);
    photo.run(8, null, 7, 2, '');
    const picture = db.query('INSERT INTO photo_picture VALUES (?, ?, ?)');
    picture.run(
      7,
      hash,
      Uint8Array.from({ length: 700_000 }, (_, index) => (index * 7) & 0xff),
    );
    picture.run(8, new Uint8Array(), new Uint8Array());
    const texts = fixedDetails.filter(({ kind }) => kind !== 'money');
    const lot = db.query(
      `UPDATE lot SET ${texts.map(({ wire }) => `${wire} = ?1`).join(', ')}, own_fields = ?2,
         asking_cents = 5 WHERE id = 1`,
    );
    lot.run(awkward, JSON.stringify({ [awkward]: awkward }));
    db.query('INSERT INTO own_field VALUES (7, 1, ?)').run(awkward);
    db.query('INSERT INTO visit VALUES (1, 5000000000000, NULL, 3000000000)').run();
    const skip = db.query('INSERT INTO skipped_deal VALUES (1, ?, ?, 5)');
    skip.run(awkward, 3_000_000_000);
    skip.run('', 0);
    const barcode = db.query('INSERT INTO own_barcode VALUES (1, ?, ?, 5, 3000000000)');
    barcode.run(awkward, awkward);
    barcode.run('', null);
    db.query('INSERT INTO sent_form VALUES (1, ?, NULL, 3000000000)').run(awkward);
    const view = db.query('INSERT INTO saved_view VALUES (?, 1, ?, ?, ?, 5)');
    view.run(7, awkward, 'q=%22', 1);
    view.run(8, '', '', 0);
    const purchase = db.query('INSERT INTO purchase VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, 5)');
    purchase.run(7, awkward, awkward, '2026-11-01', 3_000_000_000, 5, 6, awkward, awkward);
    purchase.run(8, 'web:b', null, '2026-11-02', 0, 0, 0, '{}', '[]');
    const box = db.query('INSERT INTO saved_box VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, 5, 6)');
    box.run(7, awkward, awkward, '[]', 3_000_000_000, '{}', 3_000_000_001, 5, awkward);
    box.run(8, 'web:b', '', awkward, null, awkward, null, null, null);
    const share = db.query('INSERT INTO share VALUES (?, 1, ?, ?, ?, ?, ?, ?, ?, 5, ?, ?)');
    share.run(7, 1, null, 1, awkward, hash, 3_000_000_000_000, null, 4_000_000_000_000, 6);
    share.run(8, null, 7, 0, '', null, null, 1, null, null);
    db.query('INSERT INTO watch_list VALUES (7, 1, ?, 5)').run(awkward);
    const watched = db.query('INSERT INTO watched_item VALUES (?, 1, 7, ?, ?, ?, ?, ?, 5)');
    watched.run(20, 'set', '75192', '75192', 499_99, '');
    watched.run(21, 'minifig', awkward, awkward, null, awkward);
    const marks = (count: number) => Array.from({ length: count }, () => '?').join(', ');
    const channel = db.query(`INSERT INTO channel VALUES (${marks(20)})`);
    const failing = [
      'off',
      awkward,
      5,
      6,
      7,
      8,
      'retail.low,retail.flip',
      'all',
      9,
      10,
      awkward,
      11,
    ];
    channel.run(3, 1, 'webhook', awkward, hash, hash, hash, 4, ...failing);
    const email = ['active', null, null, 0, null, null, null, null, null, 10, null, null];
    channel.run(4, 1, 'email', '', null, null, null, null, ...email);
    const told = db.query('INSERT INTO account_notice VALUES (?, ?, ?, ?, 5, ?)');
    told.run(9_000_000_000_000_001, 1, 'quota.reached', awkward, awkward);
    told.run(9_000_000_000_000_002, null, 'bulk.ready', 'bulk', '{}');
    const delivery = db.query(`INSERT INTO delivery VALUES (${marks(14)})`);
    const answered = ['waiting', 2, 6, 7, 500, awkward];
    delivery.run(5, 3, awkward, 'retail.low', awkward, 9, awkward, 5, ...answered);
    delivery.run(6, 4, 'b', 'alert', null, null, '{}', 5, 'done', 1, 6, null, null, null);
    db.query("INSERT INTO delivery_tally VALUES ('email', 'done', 3000000000)").run();
    const rule = db.query(`INSERT INTO alert_rule VALUES (${marks(17)})`);
    const often = [7, 'weekly', 20, 1, 5, 1_800_000_000_000, 6];
    rule.run(8, 1, awkward, 'list', 7, null, 'price_of_value', null, 1 / 3, null, ...often);
    const rarely = [null, 'none', 1, 0, 5, 0, 6];
    rule.run(9, 1, '', 'theme', null, awkward, 'flip', 3_000_000_000, null, 'retailer', ...rarely);
    db.query('INSERT INTO alert_rule_channel VALUES (8, 3)').run();
    const matchOf = db.query("INSERT INTO alert_match VALUES ('set', ?, ?, ?, 1, 5, ?)");
    matchOf.run(awkward, 8, 'retailer_a', null);
    matchOf.run('75192', 9, '', 3_000_000_000);
    const notification = db.query(`INSERT INTO notification VALUES (${marks(17)})`);
    const cheap = [
      awkward,
      awkward,
      'retailer_a',
      awkward,
      awkward,
      'sent',
      5,
      'quiet',
      hash,
      '5 6',
    ];
    notification.run(10, 1, 8, awkward, 5, 'set', '75192', ...cheap);
    const later = ['1', '', null, '', '{}', 'waiting', 6, null, null, null];
    notification.run(11, 1, null, '', 5, 'minifig', 'fig-1', ...later);
    db.query('INSERT INTO alert_settings VALUES (1, 1320, null)').run();
    db.query("UPDATE account SET time_zone = 'America/New_York', currency = 'EUR'").run();
    db.query("UPDATE account SET locale = 'de-DE' WHERE id = 1").run();
    const reached = db.query('INSERT INTO alert_progress VALUES (?, ?, ?, ?, ?)');
    reached.run('log', 1_800_000_000_000, null, 8, 1_800_000_000_001);
    reached.run('look', 5, awkward, null, null);
  });
  return place;
}

/** Changes a database file of a store that is not open. */
export function edit(data: string, file: string, change: (db: Database) => void): void {
  const db = new Database(join(data, file), { create: false, readwrite: true });
  try {
    change(db);
  } finally {
    db.close();
  }
}

/** All rows of a table in SQLite, ordered by its key. */
export function rowsHere(data: string, table: Table): unknown[][] {
  let rows: unknown[][] = [];
  edit(data, table.file, (db) => {
    rows = db.query(select(table, table.name, '')).values();
  });
  return rows.map((row) => row.map(plain));
}

/** All rows of a table in PostgreSQL, ordered by its key. */
export async function rowsThere(
  server: PostgresServer,
  database: string,
  table: Table,
): Promise<unknown[][]> {
  const sql = select(table, table.target, ' COLLATE "C"');
  const rows = await server.query<Record<string, unknown>>(sql, database);
  return rows.map((row) =>
    table.columns.map(({ name, type }) => {
      const value = plain(row[name]);
      return type === 'integer' && value !== null ? Number(value) : value;
    }),
  );
}

/** The number of rows in all tables except `meta`, which is never empty. */
export async function countThere(server: PostgresServer, database: string): Promise<number> {
  const tables = movedTables.filter(({ name }) => name !== 'meta');
  const counts = tables.map(({ target }) => `(SELECT count(*) FROM ${target})`);
  const sql = `SELECT (${counts.join(' + ')})::int AS count`;
  const [row] = await server.query<{ count: number }>(sql, database);
  return row?.count ?? -1;
}

function select(table: Table, name: string, collation: string): string {
  const columns = table.columns.map((column) => column.name).join(', ');
  const isText = (key: string) =>
    table.columns.some((column) => column.name === key && column.type === 'text');
  const order = table.key.map((key) => (isText(key) ? `${key}${collation}` : key)).join(', ');
  return `SELECT ${columns} FROM ${name} ORDER BY ${order}`;
}

/** Booleans as numbers, bytes as arrays. */
function plain(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  return value instanceof Uint8Array ? [...value] : value;
}

/** Columns with their types, by table. */
type Columns = Readonly<Record<string, readonly string[]>>;

/** The listed tables, in the form that SQLite reports. */
export function listedHere(): Columns {
  const types = { integer: 'INTEGER', boolean: 'INTEGER', double: 'REAL' } as const;
  return listed(({ name }) => name, { ...types, text: 'TEXT', bytes: 'BLOB' });
}

/** The listed tables, in the form that PostgreSQL reports. */
export function listedThere(): Columns {
  const types = { integer: 'bigint', boolean: 'boolean', double: 'double precision' } as const;
  return listed(({ target }) => target, { ...types, text: 'text', bytes: 'bytea' });
}

function listed(
  nameOf: (table: Table) => string,
  types: Readonly<Record<ColumnType, string>>,
): Columns {
  return Object.fromEntries(
    movedTables.map((table) => [
      nameOf(table),
      table.columns.map(({ name, type }) => `${name} ${types[type]}`).sort(),
    ]),
  );
}

/** The tables that SQLite reports, without those that are not moved. */
export function reportedHere(data: string): Columns {
  const found: Record<string, string[]> = {};
  for (const file of fileNames) {
    edit(data, file, (db) => {
      const tables = db.query<{ name: string }, []>(
        `SELECT name FROM sqlite_master
         WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
      );
      for (const { name } of tables.all()) {
        if (tablesNotMoved.includes(name)) continue;
        const columns = db.query<{ text: string }, [string]>(
          "SELECT name || ' ' || type AS text FROM pragma_table_info(?)",
        );
        found[name] = columns
          .all(name)
          .map(({ text }) => text)
          .sort();
      }
    });
  }
  return found;
}

/** The tables that PostgreSQL reports, without its own; all integer types count as bigint. */
export async function reportedThere(server: PostgresServer, database: string): Promise<Columns> {
  const rows = await server.query<{ place: string; text: string }>(
    `SELECT table_schema || '.' || table_name AS place,
       column_name || ' ' || replace(data_type, 'integer', 'bigint') AS text
     FROM information_schema.columns JOIN information_schema.tables
       USING (table_catalog, table_schema, table_name)
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')
       AND table_name <> 'migration'`,
    database,
  );
  const found: Record<string, string[]> = {};
  const moved = rows.filter(({ place }) => !tablesNotMoved.includes(place.split('.')[1] ?? ''));
  for (const { place, text } of moved) found[place] = [...(found[place] ?? []), text].sort();
  return found;
}

/** SQL for a trigger that runs a statement before each insert into a table. */
export function changing(table: string, statement: string): string {
  return `CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN ${statement} RETURN NEW; END $$;
    CREATE TRIGGER change BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION change()`;
}
