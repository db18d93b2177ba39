/**
 * Which suites run on both engines, decided here and nowhere else. They take their store from
 * engines.ts; a suite that does and is in neither list fails a test.
 */

/** Suites that run on SQLite and on PostgreSQL: files, or folders with everything in them. */
export const engineSuites: readonly string[] = [
  'src/accounts/',
  'src/alerts/alerts.test.ts',
  'src/api/answer.test.ts',
  'src/api/large-accounts.test.ts',
  'src/api/private-answers.test.ts',
  'src/api/search-index.test.ts',
  'src/api/set-values.test.ts',
  'src/delivery/delivery-work.test.ts',
  'src/ingest/import-private.test.ts',
  'src/ingest/import.test.ts',
  'src/ingest/market/offers-csv.test.ts',
  'src/ingest/private/',
  'src/publish/',
  'src/store/accounts/account-registry.test.ts',
  'src/store/accounts/alert-rules.test.ts',
  'src/store/accounts/alert-work.test.ts',
  'src/store/accounts/brickfolios.test.ts',
  'src/store/accounts/deliveries.test.ts',
  'src/store/accounts/import-drafts.test.ts',
  'src/store/accounts/keys.test.ts',
  'src/store/accounts/ledger.test.ts',
  'src/store/accounts/lot-edits.test.ts',
  'src/store/accounts/lots.test.ts',
  'src/store/accounts/private-rows.test.ts',
  'src/store/accounts/sheet-links.test.ts',
  'src/store/accounts/watch-lists.test.ts',
  'src/store/catalog-reading.test.ts',
  'src/store/catalog.test.ts',
  'src/store/holding-edits.test.ts',
  'src/store/holdings.test.ts',
  'src/store/journal.test.ts',
  'src/store/key-places.test.ts',
  'src/store/lookups.test.ts',
  'src/store/lot-sales.test.ts',
  'src/store/market/deals.test.ts',
  'src/store/market/events.test.ts',
  'src/store/market/evidence.test.ts',
  'src/store/market/history.test.ts',
  'src/store/market/ingest/changes.test.ts',
  'src/store/market/ingest/undo-newer.test.ts',
  'src/store/market/inputs.test.ts',
  'src/store/market/interest.test.ts',
  'src/store/market/planning.test.ts',
  'src/store/market/publish-items.test.ts',
  'src/store/market/publishing.test.ts',
  'src/store/market/search-entries.test.ts',
  'src/store/market/reading.test.ts',
  'src/store/market/series.test.ts',
  'src/store/most-rows.test.ts',
  'src/store/parameters.test.ts',
  'src/store/retail-weeks.test.ts',
  'src/store/retail.test.ts',
  'src/store/scores.test.ts',
  'src/store/sessions.test.ts',
  'src/store/store.test.ts',
  'src/store/sweep.test.ts',
  'src/store/sync.test.ts',
  'src/store/undo.test.ts',
  'src/store/usage.test.ts',
  'src/sync/loop.test.ts',
  'src/sync/round.test.ts',
  'test/api/',
  'test/cli/',
  'test/decisions/',
  'test/fuzz.test.ts',
  'test/process/delivering.test.ts',
  'test/process/keys.test.ts',
  'test/process/killed-import.test.ts',
  'test/process/killed-publishing.test.ts',
  'test/process/killed-sync.test.ts',
  'test/process/learning.test.ts',
  'test/process/kills.test.ts',
  'test/process/quota.test.ts',
  'test/process/serving.test.ts',
  'test/process/streams.test.ts',
  'test/process/subscribers.test.ts',
  'test/process/told.test.ts',
  'test/process/watching.test.ts',
  'test/real/private.test.ts',
  'test/sync/planner.test.ts',
  'test/web/',
];

/** Suites that need the PostgreSQL at hand, and run on it alone. */
export const postgresSuites: readonly string[] = [
  'src/publish/engines.test.ts',
  'src/store/move/target.test.ts',
  'src/store/postgres/account-lock.test.ts',
  'src/store/postgres/admission.test.ts',
  'src/store/postgres/ingest-equals-sqlite.test.ts',
  'src/store/postgres/migrations.test.ts',
  'src/store/postgres/private-rows.test.ts',
];

/** Suites or folders that would be among them, and why one run of each is enough. */
export const onceOnly: Readonly<Record<string, string>> = {
  'src/ingest/market/bricklink-prices.test.ts':
    'is about what files hold; offers-csv.test.ts has both',
  'src/ingest/market/keepa.test.ts': 'is about what files hold; offers-csv.test.ts has both',
  'src/ingest/private/brickstore.test.ts':
    'is about what files hold; import-private.test.ts has both',
  'src/ingest/private/collection.test.ts':
    'is about what files hold; import-private.test.ts has both',
  'src/ingest/private/order-answers.test.ts':
    'is about what files hold; import-private.test.ts has both',
  'src/ingest/private/orders.test.ts': 'is about what files hold; import-private.test.ts has both',
  'src/store/sqlite/slices.test.ts': 'is about how long the file of SQLite is locked',
  'test/api/demo-world.test.ts': 'looks at answers; engines-agree.test.ts compares the engines',
  'test/api/draining.test.ts': 'is about connections',
  'test/api/engines-agree.test.ts': 'compares both engines itself',
  'test/cli/backtest.test.ts': 'keeps nothing',
  'test/cli/backup.test.ts': 'is about the files of SQLite',
  'test/cli/broken-files.test.ts': 'refuses what it reads before anything is kept',
  'test/cli/commands.test.ts': 'is about what is typed',
  'test/cli/consumer.test.ts': 'is about what is typed',
  'test/cli/demo.test.ts': 'is about the files of SQLite',
  'test/cli/explain.test.ts': 'is about what is told; src/publish/verify.test.ts has both',
  'test/cli/format-examples.test.ts': 'is about what files hold; import.test.ts has both',
  'test/cli/health.test.ts': 'asks a server that keeps nothing',
  'test/cli/move.test.ts': 'moves from SQLite to a server of its own',
  'test/cli/moved.test.ts': 'moves from SQLite to a server of its own',
  'test/cli/restore.test.ts': 'is about the files of SQLite',
  'test/cli/signed-backup.test.ts': 'is about the files of SQLite',
  'test/cli/watch.test.ts': 'is about folders and their files; import.test.ts has both',
  'test/openapi-tools.test.ts': 'is about what others read in documents',
  'test/nodes/': 'starts a PostgreSQL of its own',
  'test/process/countable.test.ts': 'is about the files of SQLite',
  'test/process/fair.test.ts': 'is about processes and connections',
  'test/process/following.test.ts': 'is about programs of users; subscribers.test.ts has both',
  'test/process/guarded.test.ts': 'is about addresses and connections',
  'test/process/mcp.test.ts': 'is about processes; test/api/mcp.test.ts has both',
  'test/process/pages.test.ts': 'is about processes',
  'test/process/syncing.test.ts': 'is about processes; test/nodes/syncing.test.ts has PostgreSQL',
  'test/process/connections.test.ts': 'is about connections',
  'test/real/catalog.test.ts': 'takes minutes; ingest-equals-sqlite.test.ts compares the engines',
  'test/real/keepa.test.ts': 'is about what files hold; offers-csv.test.ts has both',
  'test/real/offers-csv.test.ts': 'is about what files hold; src/ingest/market/ has both',
  'test/spreadsheets.test.ts': 'is about programs of users; api/sheet-links.test.ts has both',
  'test/sync/fault-day.test.ts': 'is about sources; src/sync/ and killed-sync.test.ts have both',
  'test/web/front.test.ts': 'keeps nothing',
  'test/web/import-limits.test.ts': 'refuses what it reads before anything is kept',
  'test/web/keys-browser.test.ts': 'is about the browser',
  'test/web/catalog-browser.test.ts': 'is about what a browser shows',
  'test/web/long-names.test.ts': 'is about what a browser shows',
  'test/web/markup.test.ts': 'is about how pages are written, whatever keeps the text',
  'test/web/pictures.test.ts': 'is about hosts of pictures and what a browser shows',
  'test/web/selling.test.ts': 'is about what a browser shows',
  'test/systemd.test.ts': 'is about the files of SQLite',
};

/** Whether a suite runs on both engines. */
export function isEngineSuite(path: string): boolean {
  return isIn(engineSuites, path) && !isOnceOnly(path) && !isPostgresSuite(path);
}

/** Whether a suite runs on PostgreSQL alone. */
export function isPostgresSuite(path: string): boolean {
  return isIn(postgresSuites, path);
}

/** Whether a suite is one that runs once, for a reason that is given. */
export function isOnceOnly(path: string): boolean {
  return isIn(Object.keys(onceOnly), path);
}

function isIn(suites: readonly string[], path: string): boolean {
  return suites.some((suite) => (suite.endsWith('/') ? path.startsWith(suite) : path === suite));
}
