/** Help texts, made from the commands themselves. */
import { consumerSettings, settings } from '../config.ts';
import type { Flag } from './command.ts';

/** What help tells of a command. */
interface HelpedCommand {
  readonly name: string;
  readonly operands: string;
  readonly summary: string;
  readonly flags: Readonly<Record<string, Flag>>;
}

/** All commands at a glance. */
export function overview(
  forConsumers: readonly HelpedCommand[],
  forOperators: readonly HelpedCommand[],
): string {
  return [
    'brickmark: a self-hosted LEGO market-data service',
    '',
    'Usage: brickmark COMMAND [FLAGS]',
    '',
    'Commands that call a server with an API key:',
    ...summaries(forConsumers),
    '',
    'Environment variables for these commands:',
    ...columns(Object.entries(consumerSettings)),
    '',
    'Commands that run a server:',
    ...summaries(forOperators),
    '',
    'Environment variables for these commands (flags take precedence):',
    ...columns(Object.entries(settings)),
    '',
    "Run 'brickmark COMMAND --help' for help with a command.",
    'Exit status: 0 success, 1 failure, 2 usage error.',
  ].join('\n');
}

/** The commands that begin with a word, such as `get`. */
export function groupHelp(word: string, commands: readonly HelpedCommand[]): string {
  return [
    `'${word}' commands:`,
    '',
    ...summaries(commands),
    '',
    "Run 'brickmark COMMAND --help' for help with a command.",
  ].join('\n');
}

/** One command with its flags. */
export function commandHelp(
  command: HelpedCommand,
  commonFlags: Readonly<Record<string, Flag>>,
): string {
  const rows = (flags: Readonly<Record<string, Flag>>) =>
    Object.entries(flags).map(([name, flag]): [string, string] => [
      `--${name}${flag.value ? ` ${flag.value}` : ''}`,
      flag.help,
    ]);
  return [
    ...wrapped(`${command.summary}.`, lineWidth),
    '',
    `Usage: brickmark ${`${command.name} ${command.operands}`.trim()} [FLAGS]`,
    '',
    'Flags:',
    ...columns([...rows(command.flags), ...rows(commonFlags)]),
  ].join('\n');
}

function summaries(commands: readonly HelpedCommand[]): string[] {
  return columns(commands.map((c) => [`${c.name} ${c.operands}`.trim(), c.summary]));
}

/** As wide as most terminals are at first. */
const lineWidth = 80;

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.flatMap(([left, right]) =>
    wrapped(right, lineWidth - width - 4).map(
      (line, index) => `  ${(index === 0 ? left : '').padEnd(width)}  ${line}`,
    ),
  );
}

/** The text in lines of so many characters, broken at spaces. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
