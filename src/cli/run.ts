/** Finds and runs the command of a command line, and turns errors into an exit status. */
import { parseArgs } from 'node:util';
import { ConfigError } from '../config.ts';
import { nearest } from '../contract/nearest.ts';
import { StoreBusyError, StoreLostError } from '../kernel/store-errors.ts';
import { ClockError } from '../store/sql/clock.ts';
import { SchemaError } from '../store/sql/schema-version.ts';
import { type Command, CommandError, type Context, commonFlags } from './command.ts';
import { runByRule } from './command-rules.ts';
import {
  type AnyCommand,
  allCommands,
  commands,
  commonFlagsOf,
  consumerCommands,
  flagsOf,
  isForConsumers,
} from './commands.ts';
import { type ConsumerContext, consumerFlags } from './consumer/consumer-command.ts';
import { commandHelp, groupHelp, overview } from './help.ts';
import { type Arguments, type Flags, UsageError } from './row.ts';
import { storeErrorMessage, unwritableMessage } from './store-error.ts';

/** Provided by `main.ts` to run commands. */
export interface Shell {
  print(text: string): void;
  say(text: string): void;
  /** Throws a `ConfigError` for invalid settings. */
  makeContext(flags: Arguments['flags'], command: Command): Context;
  /** Reads no operator settings. */
  makeConsumerContext(): ConsumerContext;
}

/** Resolves to the exit status: 0 success, 1 failure, 2 usage error. */
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
  const context = shell.makeContext(args.flags, command);
  const { databaseUrl, dataFolder } = context.config;
  await runByRule(command, args, context).catch((error) => {
    const message = databaseUrl === null ? unwritableMessage(error, dataFolder) : null;
    throw message === null ? error : new CommandError(message);
  });
}

/** Moves flags in front of the command behind it. */
function flagsLast(argv: readonly string[]): readonly string[] {
  let at = 0;
  while (argv[at]?.startsWith('--') && argv[at] !== '--version') at += takesNext(argv[at]) ? 2 : 1;
  if (at === 0) return argv;
  if (at < argv.length) return [...argv.slice(at), ...argv.slice(0, at)];
  if (argv.includes('--help')) return ['--help'];
  throw new UsageError(`No command after '${argv.join(' ')}'.`);
}

/** Whether the word after a flag is its value; throws for a flag that no command has. */
function takesNext(typed = ''): boolean {
  const [name = '', given] = typed.slice(2).split('=', 2);
  const everyFlags: Flags[] = [
    commonFlags,
    consumerFlags,
    ...allCommands.map(({ flags }) => flags),
  ];
  const known = everyFlags.find((flags) => Object.hasOwn(flags, name));
  if (!known) throw noFlag(name, Object.keys(commonFlags));
  return given === undefined && known[name]?.value !== undefined;
}

/** The end of a sentence: the nearest candidate, or only a full stop. */
function suggestion(typed: string, candidates: readonly string[], before = ''): string {
  const near = nearest(typed, candidates);
  return near === null ? '.' : `; did you mean '${before}${near}'?`;
}

function noFlag(typed: string, names: readonly string[]): UsageError {
  return new UsageError(`Unknown flag '--${typed}'${suggestion(typed, names, '--')}`);
}

/** The command and the words after it, or the help that was asked for. */
function findCommand(
  argv: readonly string[],
): { readonly command: AnyCommand; readonly rest: string[] } | { readonly help: string } {
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
  const names = allCommands.map(({ name }) => name.replace(/ .*/, ''));
  throw new UsageError(`Unknown command '${first}'${suggestion(first, names)}`);
}

/** Throws for a mistyped subcommand after a command that takes operands: `history sael`. */
function refuseMistyped(name: string, word: string): void {
  // Set numbers have digits; subcommands do not.
  if (word.startsWith('-') || /\d/.test(word)) return;
  const others = allCommands.flatMap((command) => {
    const [first, second] = command.name.split(' ');
    return first === name && second ? [second] : [];
  });
  const similar = nearest(word, others);
  if (similar === null) return;
  throw new UsageError(`Unknown command '${name} ${word}'; did you mean '${name} ${similar}'?`);
}

/** Two commands are named `watch`: the operator's has an operand, the key holder's has none. */
function commandNamed(name: string, rest: string[]): AnyCommand {
  const named = allCommands.filter((command) => command.name === name);
  const options = Object.assign({}, ...named.map((command) => optionsOf(flagsOf(command))));
  const typed = parseArgs({ args: rest, options, allowPositionals: true, strict: false });
  const hasFlags = (command: AnyCommand) =>
    Object.keys(typed.values).every((flag) => Object.hasOwn(flagsOf(command), flag));
  const hasWords = typed.positionals.length > 0;
  const able = named.filter(hasFlags);
  const fitting = able.find(({ operands }) => Object.keys(operands).length > 0 === hasWords);
  const command = fitting ?? able[0] ?? named[0];
  if (!command) throw new Error(`There is no command '${name}'.`);
  return command;
}

function optionsOf(flags: Flags) {
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

/** Prints one sentence and a next step, never a stack trace. */
function explain(error: unknown, argv: readonly string[], shell: Shell): number {
  if (error instanceof UsageError) {
    const words = argv.join(' ');
    const isTyped = ({ name }: AnyCommand) => new RegExp(`^(--.* )?${name}( |$)`).test(words);
    // The longest match: 'import undo' starts with 'import'.
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
