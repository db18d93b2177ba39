/** Commands that call the API and print the response as text, JSON or CSV. */
import { Brickmark } from '../../../clients/typescript/src/index.ts';
import { csvCell } from '../../kernel/csv-cell.ts';
import { countText, nounText } from '../../kernel/format.ts';
import { escapeHiddenCharacters } from '../../kernel/text.ts';
import { CommandError } from '../command.ts';
import { type Flags, type Input, type Nothing, type Operands, UsageError } from '../row.ts';
import { callFailure } from './client-error.ts';
import { type Connection, findConnection } from './connection.ts';
import {
  type ConsumerCommand,
  type ConsumerContext,
  type ConsumerRow,
  consumerCommand,
} from './consumer-command.ts';
import { makeScreen, type Screen, showable } from './screen.ts';

export interface CsvTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** How API data is printed besides JSON. */
export interface Formats<Data> {
  csv(data: Data): CsvTable;
  /** Control characters in the data are already escaped. */
  text(data: Data, screen: Screen): string;
}

type Format = 'text' | 'json' | 'csv';

export type Answer = Readonly<Record<Format, (context: ConsumerContext) => string>>;

export function answerOf<Data>(data: Data, { csv, text }: Formats<Data>): Answer {
  return {
    json: () => `${escapeHiddenCharacters(JSON.stringify(data))}\n`,
    // Escaped for a terminal, but not for a file.
    csv: ({ columns }) => csvText(csv(columns === null ? data : showable(data))),
    text: ({ columns, environment }) =>
      `${text(showable(data), makeScreen(columns, environment))}\n`,
  };
}

interface CallRow<O extends Operands, F extends Flags>
  extends Omit<ConsumerRow<O, F & typeof formatFlags>, 'flags' | 'run'> {
  readonly flags?: F;
  /** A next step for the error that there is no such item. */
  missingHint?(input: Input<O, F & typeof formatFlags>): string;
  /** Rules between values; throws a `UsageError` before a connection is made. */
  check?(input: Input<O, F & typeof formatFlags>): void;
  call(
    input: Input<O, F & typeof formatFlags>,
    brickmark: Brickmark,
    context: ConsumerContext,
  ): Promise<Answer>;
}

const formatFlags = {
  json: { help: 'Print the API data as JSON' },
  csv: { help: 'Print CSV for spreadsheets' },
} as const satisfies Flags;

/** A command that calls the API and prints the result as text, JSON or CSV. */
export function callCommand<const O extends Operands = Nothing, const F extends Flags = Nothing>({
  call,
  check,
  missingHint,
  flags,
  ...row
}: CallRow<O, F>): ConsumerCommand {
  return consumerCommand<O, F & typeof formatFlags>({
    ...row,
    flags: { ...(flags as F), ...formatFlags },
    run: async (input, context) => {
      const format = formatOf(input as Input<Nothing, typeof formatFlags>);
      check?.(input);
      const connection = findConnection(context.environment);
      const brickmark = connect(connection, context);
      const answer = await call(input, brickmark, context).catch((error) => {
        throw callFailure(error, {
          url: connection.url,
          now: context.clock(),
          missingHint: missingHint?.(input),
        });
      });
      const isRead = await context.write(answer[format](context));
      if (isRead && brickmark.budget !== null) context.say(budgetText(brickmark.budget));
    },
  });
}

function formatOf({ json, csv }: Input<Nothing, typeof formatFlags>): Format {
  if (json && csv) throw new UsageError('Use --json or --csv, not both.');
  if (json) return 'json';
  return csv ? 'csv' : 'text';
}

/** Warns if the key would be sent unencrypted over the network. */
export function connect({ url, key }: Connection, context: ConsumerContext): Brickmark {
  const isOpen = !isSafeUrl(url);
  if (isOpen) {
    context.say(`Warning: ${url} is not encrypted; others on the network can read your key.`);
  }
  return new Brickmark({ url, key, allowHttp: isOpen });
}

function isSafeUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

/**
 * Throws if the allowance does not cover all calls of a command: each one is charged, and a failure
 * halfway would lose the first responses. Asking for the usage is free.
 */
export async function requireCalls(
  brickmark: Brickmark,
  count: number,
  advice: string,
): Promise<void> {
  const { remaining } = await brickmark.plus.getUsage();
  // With nothing left, the first call fails with the time of the reset.
  if (remaining === 0 || count <= remaining) return;
  const left = `${countText(remaining)} ${remaining === 1 ? 'is' : 'are'} left today`;
  throw new CommandError(
    `This needs ${nounText(count, 'call')}, and ${left}. No calls were used. ${advice}`,
  );
}

export function budgetText(budget: { readonly limit: number; readonly remaining: number }): string {
  return `${countText(budget.remaining)} of ${nounText(budget.limit, 'call')} left today.`;
}

/** A column of a CSV table: a field of the row by its name, or a name and its value. */
export type CsvField<Row> =
  | (keyof Row & string)
  | readonly [name: string, value: (row: Row) => unknown];

/** An item of a batch: its number, and the other fields if it was found. */
export type MaybeFound<Item extends { readonly found: true }> = Partial<Omit<Item, 'found'>> & {
  readonly found: boolean;
};

export function csvTable<Row>(rows: readonly Row[], fields: readonly CsvField<Row>[]): CsvTable {
  return {
    columns: fields.map((field) => (typeof field === 'string' ? field : field[0])),
    rows: rows.map((row) =>
      fields.map((field) => (typeof field === 'string' ? row[field] : field[1](row))),
    ),
  };
}

/** RFC 4180, with formulas escaped. */
function csvText({ columns, rows }: CsvTable): string {
  const lines = rows.map((row) => row.map((value) => csvCell(value ?? null)).join(','));
  return `${[columns.join(','), ...lines].join('\r\n')}\r\n`;
}
