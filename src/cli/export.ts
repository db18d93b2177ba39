/** `export`: an account's collection or sales, for other programs or another store. */
import { exportKinds, titlesFrom } from '../portfolio/export/export-records.work.ts';
import { exportFormats, exportText } from '../portfolio/export/export-text.work.ts';
import { findAccount } from './accounts.ts';
import { command } from './command.ts';
import { checkFormat } from './table.ts';

export const exportCommand = command({
  name: 'export',
  operands: { kind: { choices: exportKinds } },
  summary: "Export an account's collection or sales to standard output",
  flags: {
    account: { help: 'Account to export', value: 'EMAIL', isRequired: true },
    format: { help: 'csv (default), json or ghostfolio', value: 'HOW', choices: exportFormats },
  },
  needs: 'store to read',
  check: checkFormat,
  run: async ({ kind, account: email, format }, context) => {
    const { accounts, market } = context.store;
    const { id: accountId } = await findAccount(context, email);
    const parts = exportText(kind, format ?? (context.isJson ? 'json' : 'csv'), {
      accounts,
      market: titlesFrom(market),
      accountId,
    });
    for await (const text of parts) {
      if (text !== '' && !(await context.write(text))) return;
    }
  },
});
