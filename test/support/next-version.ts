/**
 * A made-up next version of Brickmark: the current source with further migrations and the
 * statements that use them, bundled. Its process kills itself before a chosen commit of a
 * migration.
 */
import { join } from 'node:path';
import type { Migration } from '../../src/store/sql/migrations.ts';
import { makeOnce } from './made-once.ts';

const source = join(import.meta.dir, '..', '..', 'src');

/**
 * Two columns with values for the rows that exist, one of them a new name for `note`, and an index.
 * Nodes of the version before know only the old name, so a trigger copies what they write. The next
 * version writes both.
 */
export const madeUpMigrations: readonly Migration[] = [
  {
    sql: {
      'accounts.db': `
  ALTER TABLE private.lot ADD COLUMN
    cost_cents bigint;
`,
    },
  },
  {
    sql: {
      'accounts.db': `
  ALTER TABLE private.watched_item ADD COLUMN
    remark text COLLATE "C";
`,
    },
    postgres: `
      CREATE FUNCTION private.keep_remark() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'INSERT' OR NEW.note IS DISTINCT FROM OLD.note THEN
          NEW.remark := NEW.note;
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER keep_remark BEFORE INSERT OR UPDATE ON private.watched_item
        FOR EACH ROW EXECUTE FUNCTION private.keep_remark();`,
  },
  {
    fill: {
      file: 'accounts.db',
      table: 'private.watched_item',
      by: 'id',
      set: 'remark = note',
      where: 'remark IS NULL',
    },
  },
  {
    fill: {
      file: 'accounts.db',
      table: 'private.lot',
      by: 'id',
      set: 'cost_cents = quantity * price_cents',
      where: 'cost_cents IS NULL',
    },
  },
  {
    sql: {
      'market.db': `
  ALTER TABLE source.sale ADD COLUMN
    total_cents bigint;
`,
    },
  },
  {
    fill: {
      file: 'market.db',
      table: 'source.sale',
      by: 'item_id',
      set: 'total_cents = price_cents + shipping_cents',
      where: 'total_cents IS NULL',
    },
  },
  { sql: { 'accounts.db': 'CREATE INDEX lot_cost ON private.lot (account_id, cost_cents);' } },
];

type Edit = readonly [from: string, to: string];

/** Ends the process before the commit whose number is in the environment. */
const killing = `
let commits = 0;
function mayKill() {
  if (++commits === Number(process.env.KILL_BEFORE_COMMIT)) process.kill(process.pid, 'SIGKILL');
}
`;

const watchLists = 'alerts/watchlists/watch-lists.store.ts';

const edits: Readonly<Record<string, readonly Edit[]>> = {
  'store/sql/migrations.ts': [
    ['export const laterMigrations: readonly Migration[] =', 'const released: Migration[] ='],
    [
      'const rowsPerSlice = 1_000;',
      `export const laterMigrations: readonly Migration[] =
         [...released, ...${JSON.stringify(madeUpMigrations)}];
       const rowsPerSlice = 1_000;`,
    ],
  ],
  'store/sqlite/database.ts': [
    ['/** Opens SQLite files', `${killing}/** Opens SQLite files`],
    ['from + 1}`);', 'from + 1}`); mayKill();'],
    [
      'rows += change.run(after, last).changes;',
      'rows += change.run(after, last).changes; mayKill();',
    ],
  ],
  'store/postgres/migrations.ts': [
    ['/** Migrates a database.', `${killing}/** Migrates a database.`],
    ["(version) VALUES ($1)', [version]);", "(version) VALUES ($1)', [version]); mayKill();"],
    [
      'rows += await tx.run(statements.change, [after, last]);',
      'rows += await tx.run(statements.change, [after, last]); mayKill();',
    ],
  ],
  [watchLists]: [
    [
      "columnsBut(tables.watchedItem, 'i', ['accountId'])",
      `columnsBut(tables.watchedItem, 'i', ['accountId', 'note', 'remark']) +
         ', i.remark AS "note"'`,
    ],
    ['note, addedAt: at };', 'note, remark: note, addedAt: at };'],
    ['[{ id: item.id, targetCents, note }]', '[{ id: item.id, targetCents, note, remark: note }]'],
    ["['targetCents', 'note'], changed)", "['targetCents', 'note', 'remark'], changed)"],
  ],
};

/** The command that starts the next version, without its arguments. */
export async function nextVersionCommand(): Promise<string[]> {
  const folder = await makeOnce('next-version', async (made) => {
    await Bun.build({
      entrypoints: [join(source, 'main.ts')],
      outdir: made,
      target: 'bun',
      jsx: { runtime: 'automatic', importSource: 'preact', development: false },
      plugins: [{ name: 'next version', setup: editSource }],
    });
  });
  return [process.execPath, '--no-env-file', '--config=/dev/null', join(folder, 'main.js')];
}

function editSource(build: Bun.PluginBuilder): void {
  for (const [file, list] of Object.entries(edits)) {
    const path = join(source, file);
    const filter = new RegExp(`^${path.replaceAll('.', '\\.')}$`);
    build.onLoad({ filter }, async () => {
      const text = await Bun.file(path).text();
      return { contents: list.reduce(edited, text), loader: 'ts' };
    });
  }
}

/** Throws if the source has changed and the edit no longer applies. */
function edited(text: string, [from, to]: Edit): string {
  if (text.split(from).length !== 2) throw new Error(`The source does not have once: ${from}`);
  return text.replace(from, () => to);
}
