/** `export`: an account's collection or sales, for other programs or another store. */
import { exportKinds, titlesFrom } from '../accounts/export-records.ts';
import { exportFormats, exportText } from '../accounts/export-text.ts';
import { unknownAccount } from './accounts.ts';
import { command } from './command.ts';
import { UsageError } from './row.ts';

export const exportCommand = command({
  name: 'export',
  operands: { kind: { choices: exportKinds } },
  summary: "Export an account's collection or sales to standard output",
  flags: {
    account: { help: 'Account to export', value: 'EMAIL', isRequired: true },
    format: { help: 'csv (default), json or ghostfolio', value: 'HOW', choices: exportFormats },
  },
  needs: 'store to read',
  check: ({ format }, { isJson }) => {
    if (format === 'csv' && isJson) throw new UsageError('--json cannot be used with csv.');
  },
  run: async ({ kind, account: email, format }, { store, config, isJson, write }) => {
    const account = await store.accounts.findAccount(email, config.clock());
    if (!account) throw unknownAccount(email);
    const parts = exportText(kind, format ?? (isJson ? 'json' : 'csv'), {
      accounts: store.accounts,
      market: titlesFrom(store.market),
      accountId: account.id,
    });
    for await (const text of parts) {
      if (text !== '' && !(await write(text))) return;
    }
  },
});
