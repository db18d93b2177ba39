/** `export`: an account's collection or sales, to be kept, moved or opened elsewhere. */
import { type ExportKind, exportKinds } from '../accounts/export-records.ts';
import { type ExportFormat, exportFormats, exportText } from '../accounts/export-text.ts';
import { noAccount } from '../domain/account/email.ts';
import {
  type Arguments,
  type Command,
  CommandError,
  type Context,
  flagText,
  takeWords,
  UsageError,
} from './command.ts';
import { withExistingStore } from './with-store.ts';

/** The export command. */
export const exportCommand: Command = {
  name: 'export',
  operands: 'collection|sales',
  summary: "Export an account's collection or sales to standard output",
  flags: {
    account: { help: 'Account to export', value: 'EMAIL' },
    format: { help: 'csv (default), json or ghostfolio', value: 'HOW' },
  },
  run: async (args, context) => {
    const [word = ''] = takeWords(args, ['collection|sales']);
    const kind = readKind(word);
    const format = readFormat(args, context);
    const email = flagText(args, 'account');
    if (email === null) throw new UsageError("'export' needs --account.");
    await withExistingStore(context, async (store) => {
      const account = await store.accounts.findAccount(email, context.config.clock());
      if (!account)
        throw new CommandError(
          `There is ${noAccount(email)}. Run 'brickmark account list' to see all accounts.`,
        );
      for await (const text of exportText(kind, format, { ...store, accountId: account.id })) {
        if (text !== '' && !(await context.write(text))) return;
      }
    });
  },
};

function readKind(word: string): ExportKind {
  const kind = exportKinds.find((each) => each === word);
  if (!kind) throw new UsageError(`Export 'collection' or 'sales', not '${word}'.`);
  return kind;
}

function readFormat(args: Arguments, context: Context): ExportFormat {
  const typed = flagText(args, 'format') ?? (context.isJson ? 'json' : 'csv');
  const format = exportFormats.find((each) => each === typed);
  if (!format) {
    throw new UsageError(`--format must be one of ${exportFormats.join(', ')}, not '${typed}'.`);
  }
  if (format === 'csv' && context.isJson) throw new UsageError('--json cannot be used with csv.');
  return format;
}
