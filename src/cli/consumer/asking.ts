/** Asks a server for a command: reads what was typed, makes the call, and shows the answer. */
import { Brickmark } from '../../client/index.ts';
import { csvCell } from '../../domain/kernel/csv-cell.ts';
import { countText, nounText } from '../../domain/kernel/format.ts';
import { escapeHiddenCharacters } from '../../domain/kernel/text.ts';
import { type Arguments, CommandError, type Flag, UsageError } from '../command.ts';
import { callFailure } from './client-error.ts';
import { type Connection, findConnection } from './connection.ts';
import type { ConsumerCommand, ConsumerContext } from './consumer-command.ts';
import { makeScreen, type Screen, showable } from './screen.ts';

/** A table for spreadsheets: the names of its columns, and its rows. */
export interface CsvTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** How data of the API is shown besides JSON. */
export interface Forms<Data> {
  csv(data: Data): CsvTable;
  /** What people read; the data is free of characters that would act on the terminal. */
  text(data: Data, screen: Screen): string;
}

/** What a command answers, in the three forms that can be asked for. */
export type Answer = Readonly<Record<Form, (context: ConsumerContext) => string>>;

/** How an answer is written. */
type Form = 'text' | 'json' | 'csv';

/** The answer that shows data of the API. */
export function answerOf<Data>(data: Data, { csv, text }: Forms<Data>): Answer {
  return {
    // Written out, such characters are the same JSON.
    json: () => `${escapeHiddenCharacters(JSON.stringify(data))}\n`,
    // A spreadsheet is given texts as they are.
    csv: ({ columns }) => csvText(csv(columns === null ? data : showable(data))),
    text: ({ columns, environment }) =>
      `${text(showable(data), makeScreen(columns, environment))}\n`,
  };
}

/** A command that makes calls, and shows what they answer. */
interface AskingCommand extends Omit<ConsumerCommand, 'audience' | 'run'> {
  /** What to do where there is no such thing. */
  missingHint?(args: Arguments): string;
  /** Reads what was typed, before anything is asked; the result asks. */
  read(args: Arguments, context: ConsumerContext): (brickmark: Brickmark) => Promise<Answer>;
}

const formFlags: Readonly<Record<string, Flag>> = {
  json: { help: 'Print the API data as JSON' },
  csv: { help: 'Print CSV for spreadsheets' },
};

/** Makes the command. */
export function askingCommand({ read, missingHint, ...command }: AskingCommand): ConsumerCommand {
  return {
    ...command,
    flags: { ...command.flags, ...formFlags },
    audience: 'consumer',
    run: async (args, context) => {
      const form = readForm(args);
      const ask = read(args, context);
      const connection = findConnection(context.environment);
      const brickmark = connect(connection, context);
      const answer = await ask(brickmark).catch((error) => {
        throw callFailure(error, {
          url: connection.url,
          now: context.clock(),
          missingHint: missingHint?.(args),
        });
      });
      const isRead = await context.write(answer[form](context));
      if (isRead && brickmark.budget !== null) context.say(budgetText(brickmark.budget));
    },
  };
}

function readForm({ flags }: Arguments): Form {
  if (flags.json === true && flags.csv === true) {
    throw new UsageError('Use --json or --csv, not both.');
  }
  if (flags.json === true) return 'json';
  return flags.csv === true ? 'csv' : 'text';
}

/** The client for a server; says so where whoever is on the way could read the key. */
export function connect({ url, key }: Connection, context: ConsumerContext): Brickmark {
  const isOpen = !isSafeUrl(url);
  if (isOpen) {
    context.say(`Warning: ${url} is not encrypted; others on the network can read your key.`);
  }
  return new Brickmark({ url, key, allowHttp: isOpen });
}

/** Whether the key cannot be read on the way: it is encrypted, or stays on this machine. */
function isSafeUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

/**
 * Several calls are paid one by one: the allowance must cover them all, or what the first ones
 * answered would be lost. Asking is free.
 */
export async function requireCalls(
  brickmark: Brickmark,
  count: number,
  advice: string,
): Promise<void> {
  const { remaining } = await brickmark.plus.getUsage();
  // Where nothing is left, the first call is refused, and says when there is more.
  if (remaining === 0 || count <= remaining) return;
  const left = `${countText(remaining)} ${remaining === 1 ? 'is' : 'are'} left today`;
  throw new CommandError(
    `This needs ${nounText(count, 'call')}, and ${left}. No calls were used. ${advice}`,
  );
}

/** The remaining allowance. */
export function budgetText(budget: { readonly limit: number; readonly remaining: number }): string {
  return `${countText(budget.remaining)} of ${nounText(budget.limit, 'call')} left today.`;
}

/** The table as RFC 4180 has it; what looks like a formula is none. */
function csvText({ columns, rows }: CsvTable): string {
  const lines = rows.map((row) => row.map((value) => csvCell(value ?? null)).join(','));
  return `${[columns.join(','), ...lines].join('\r\n')}\r\n`;
}
