/** Finds the command that was typed, runs it, and turns whatever happens into an exit status. */
import { parseArgs } from 'node:util';
import { ConfigError } from '../config.ts';
import { nearest } from '../contract/nearest.ts';
import { StoreBusyError, StoreLostError } from '../domain/store.ts';
import { ClockError } from '../store/sql/clock.ts';
import { SchemaError } from '../store/sql/schema-version.ts';
import { accountCommands } from './accounts.ts';
import { backtestCommand } from './backtest.ts';
import { backupCommands } from './backup.ts';
import {
  type Arguments,
  type Command,
  CommandError,
  type Context,
  type Flag,
  UsageError,
} from './command.ts';
import {
  type ConsumerCommand,
  type ConsumerContext,
  consumerFlags,
} from './consumer/consumer-command.ts';
import { consumerCommands } from './consumer/consumer-commands.ts';
import { databaseCommands } from './database.ts';
import { explainCommand } from './explain.ts';
import { exportCommand } from './export.ts';
import { healthCommand } from './health.ts';
import { commandHelp, groupHelp, overview } from './help.ts';
import { importCommand } from './import.ts';
import { importLogCommands } from './import-undo.ts';
import { keyCommands } from './keys.ts';
import { minifigCommands } from './minifigs.ts';
import { moveCommand } from './move.ts';
import { openApiCommand } from './openapi.ts';
import { scorecardCommand } from './scorecard.ts';
import { serveCommands } from './serve.ts';
import { sourcesCommand } from './sources.ts';
import { storeErrorMessage } from './store-error.ts';
import { suggestion } from './suggestion.ts';
import { syncCommands } from './sync.ts';
import { valueCommands } from './values.ts';
import { versionCommand } from './version.ts';
import { watchCommand } from './watch.ts';

/** Every command of an operator, in the order in which the overview shows them. */
export const commands: readonly Command[] = [
  ...serveCommands,
  importCommand,
  ...importLogCommands,
  watchCommand,
  ...syncCommands,
  exportCommand,
  ...valueCommands,
  explainCommand,
  sourcesCommand,
  ...minifigCommands,
  scorecardCommand,
  backtestCommand,
  ...accountCommands,
  ...keyCommands,
  ...backupCommands,
  moveCommand,
  ...databaseCommands,
  healthCommand,
  openApiCommand,
  versionCommand,
];

/** Flags that go with every command of an operator. */
export const commonFlags: Readonly<Record<string, Flag>> = {
  json: { help: 'Print one JSON object to standard output' },
  data: { help: 'Data folder of the embedded store', value: 'DIR' },
  database: { help: 'Use PostgreSQL instead of the embedded store', value: 'URL' },
  help: { help: 'Show help for this command' },
};

/** A command of either kind. */
type AnyCommand = Command | ConsumerCommand;

/** All of them; a command comes before those whose names begin with its own. */
const allCommands: readonly AnyCommand[] = [...consumerCommands, ...commands];

/** What the shell around the commands provides. */
export interface Shell {
  print(text: string): void;
  say(text: string): void;
  /** The context of a command; throws a `ConfigError` for settings that make no sense. */
  makeContext(flags: Arguments['flags'], command: Command): Context;
  /** The context of a command that asks a server; reads no setting of an operator. */
  makeConsumerContext(): ConsumerContext;
}

/** Runs a command line; the exit status: 0 done, 1 failed, 2 wrong usage. */
export async function runCommandLine(argv: readonly string[], shell: Shell): Promise<number> {
  try {
    const found = findCommand(flagsLast(argv));
    if ('help' in found) {
      shell.print(found.help);
      return 0;
    }
    const args = parse(found.command, found.rest);
    if (args.flags.help) {
      const named = allCommands.filter(({ name }) => name === found.command.name);
      shell.print(named.map((each) => commandHelp(each, commonFlagsOf(each))).join('\n\n'));
      return 0;
    }
    await runCommand(found.command, args, shell);
    return 0;
  } catch (error) {
    return explain(error, argv, shell);
  }
}

async function runCommand(command: AnyCommand, args: Arguments, shell: Shell): Promise<void> {
  if (isForConsumers(command)) return command.run(args, shell.makeConsumerContext());
  await command.run(args, shell.makeContext(args.flags, command));
}

function isForConsumers(command: AnyCommand): command is ConsumerCommand {
  return 'audience' in command;
}

function commonFlagsOf(command: AnyCommand): Readonly<Record<string, Flag>> {
  return isForConsumers(command) ? consumerFlags : commonFlags;
}

/** The words with the flags that stand before the command behind it, where they are read. */
function flagsLast(argv: readonly string[]): readonly string[] {
  let at = 0;
  while (argv[at]?.startsWith('--') && argv[at] !== '--version') at += takesNext(argv[at]) ? 2 : 1;
  if (at === 0) return argv;
  if (at < argv.length) return [...argv.slice(at), ...argv.slice(0, at)];
  if (argv.includes('--help')) return ['--help'];
  throw new UsageError(`No command after '${argv.join(' ')}'.`);
}

/** Whether the word after a flag is its value; what is no flag of any command is a mistake. */
function takesNext(typed = ''): boolean {
  const [name = '', given] = typed.slice(2).split('=', 2);
  const everyFlags = [commonFlags, consumerFlags, ...allCommands.map(({ flags }) => flags)];
  const known = everyFlags.find((flags) => Object.hasOwn(flags, name));
  if (!known) throw noFlag(name, Object.keys(commonFlags));
  return given === undefined && known[name]?.value !== undefined;
}

function noFlag(typed: string, names: readonly string[]): UsageError {
  return new UsageError(`Unknown flag '--${typed}'${suggestion(typed, names, '--')}`);
}

/** The command and what follows it; or help, where only that was asked for. */
function findCommand(
  argv: readonly string[],
): { readonly command: AnyCommand; readonly rest: string[] } | { readonly help: string } {
  // Everybody types this one.
  const [first, second] = argv[0] === '--version' ? ['version', ...argv.slice(1)] : argv;
  if (first === undefined || first === '--help' || first === 'help')
    return { help: overview(consumerCommands, commands) };
  const typed = [`${first} ${second}`, first].find((words) =>
    allCommands.some(({ name }) => name === words),
  );
  if (typed !== undefined) {
    const rest = argv.slice(typed.split(' ').length);
    const command = commandNamed(typed, rest);
    if (isForConsumers(command)) refuseMistyped(typed, rest[0] ?? '');
    return { command, rest };
  }
  const group = allCommands.filter((c) => c.name.startsWith(`${first} `));
  if (group.length > 0) {
    if (second === '--help') return { help: groupHelp(first, group) };
    const names = group.map((c) => `'${c.name}'`).join(', ');
    throw new UsageError(`'${first}' needs a subcommand: ${names}.`);
  }
  const names = allCommands.map((c) => c.name.split(' ')[0] ?? '');
  throw new UsageError(`Unknown command '${first}'${suggestion(first, names)}`);
}

/** A word after a command that looks like one of its own commands: `history sael`. */
function refuseMistyped(name: string, word: string): void {
  // What has a digit is the number of a set.
  if (word.startsWith('-') || /\d/.test(word)) return;
  const others = allCommands.flatMap((command) => {
    const [first, second] = command.name.split(' ');
    return first === name && second ? [second] : [];
  });
  const meant = nearest(word, others);
  if (meant === null) return;
  throw new UsageError(`Unknown command '${name} ${word}'; did you mean '${name} ${meant}'?`);
}

/**
 * The command of a name. `watch` is two: that of an operator is given a folder, that of a key
 * holder is not.
 */
function commandNamed(name: string, rest: string[]): AnyCommand {
  const named = allCommands.filter((command) => command.name === name);
  const options = Object.assign({}, ...named.map((command) => optionsOf(flagsOf(command))));
  const typed = parseArgs({ args: rest, options, allowPositionals: true, strict: false });
  const hasFlags = (command: AnyCommand) =>
    Object.keys(typed.values).every((flag) => Object.hasOwn(flagsOf(command), flag));
  const hasWords = typed.positionals.length > 0;
  const able = named.filter(hasFlags);
  const fitting = able.find(({ operands }) => (operands !== '') === hasWords);
  const command = fitting ?? able[0] ?? named[0];
  if (!command) throw new Error(`There is no command '${name}'.`);
  return command;
}

function flagsOf(command: AnyCommand): Readonly<Record<string, Flag>> {
  return { ...command.flags, ...commonFlagsOf(command) };
}

function optionsOf(flags: Readonly<Record<string, Flag>>) {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [
      name,
      { type: flag.value ? ('string' as const) : ('boolean' as const) },
    ]),
  );
}

function parse(command: AnyCommand, rest: string[]): Arguments {
  const flags = flagsOf(command);
  const options = optionsOf(flags);
  try {
    const parsed = parseArgs({ args: rest, options, allowPositionals: true, strict: true });
    return { words: parsed.positionals, flags: parsed.values };
  } catch (error) {
    const { message } = error as Error;
    const typed = /'(--[^' =]+)/.exec(message)?.[1]?.slice(2);
    if (typed && !Object.hasOwn(flags, typed)) {
      throw noFlag(typed, Object.keys(flags));
    }
    if (typed && /ambiguous|argument missing/.test(message)) {
      throw new UsageError(
        `'--${typed}' needs a value. If the value starts with a dash, write --${typed}=VALUE.`,
      );
    }
    throw new UsageError(`${message.split(/\.? *\n|\. /)[0]?.replace(/\.$/, '')}.`);
  }
}

/** One sentence and a next step, never a stack trace. */
function explain(error: unknown, argv: readonly string[], shell: Shell): number {
  if (error instanceof UsageError) {
    const words = argv.join(' ');
    const isTyped = ({ name }: AnyCommand) => new RegExp(`^(--.* )?${name}( |$)`).test(words);
    // The longest: 'import' is also how 'import undo' begins.
    const command = allCommands.filter(isTyped).at(-1);
    const help = command ? `brickmark ${command.name} --help` : 'brickmark --help';
    shell.say(`${error.message} See '${help}'.`);
    return 2;
  }
  if (error instanceof StoreBusyError) {
    shell.say('The store is locked by another process. Try again in a moment.');
    return 1;
  }
  const isOurs = [CommandError, ConfigError, SchemaError, ClockError, StoreLostError].some(
    (kind) => error instanceof kind,
  );
  if (isOurs) {
    shell.say((error as Error).message);
    return 1;
  }
  const { message } = error as { message?: string };
  shell.say(storeErrorMessage(error) ?? `Unexpected error: ${message}.`);
  return 1;
}
