/** Help texts and synopses, generated from the rows of the commands. */
import { consumerCommandSettings, settings } from '../config.ts';
import { type CommandSummary, type Flag, type Flags, type Operands, operandsText } from './row.ts';

export function overview(
  forConsumers: readonly CommandSummary[],
  forOperators: readonly CommandSummary[],
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
    ...columns(Object.entries(consumerCommandSettings)),
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

/** The commands that start with a word, such as `get`. */
export function groupHelp(word: string, commands: readonly CommandSummary[]): string {
  return [
    `'${word}' commands:`,
    '',
    ...summaries(commands),
    '',
    "Run 'brickmark COMMAND --help' for help with a command.",
  ].join('\n');
}

export function commandHelp(command: CommandSummary, commonFlags: Flags): string {
  const flags = Object.entries({ ...command.flags, ...commonFlags }).map(
    ([name, flag]) => [`--${name}${flag.value ? ` ${flag.value}` : ''}`, flagHelp(flag)] as const,
  );
  return [
    ...wrapped(`${command.summary}.`, lineWidth),
    '',
    `Usage: brickmark ${withOperands(command)} [FLAGS]`,
    '',
    ...Object.values(command.operands).flatMap(choiceLines),
    'Flags:',
    ...columns(flags),
  ].join('\n');
}

function choiceLines({ label, choiceHelp }: Operands[string]): string[] {
  if (!choiceHelp) return [];
  return [`${label}:`, ...columns(Object.entries(choiceHelp)), ''];
}

function flagHelp({ help, choices, default: value }: Flag): string {
  return value === undefined || choices ? help : `${help} (default ${value})`;
}

/** The name with its operands, such as `key add EMAIL`. */
export function withOperands({ name, operands }: CommandSummary): string {
  return `${name} ${operandsText(operands)}`.trim();
}

function summaries(commands: readonly CommandSummary[]): string[] {
  return columns(commands.map((command) => [withOperands(command), command.summary]));
}

/** The default width of most terminals. */
const lineWidth = 80;

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.flatMap(([left, right]) =>
    wrapped(right, lineWidth - width - 4).map(
      (line, index) => `  ${(index === 0 ? left : '').padEnd(width)}  ${line}`,
    ),
  );
}

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
