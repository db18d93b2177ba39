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
  const summaries = (commands: readonly HelpedCommand[]) =>
    columns(commands.map((c) => [`${c.name} ${c.operands}`.trim(), c.summary]));
  return [
    'brickmark: a self-hosted LEGO market-data service',
    '',
    'Usage: brickmark COMMAND [FLAGS]',
    '',
    'Ask a server, with an API key:',
    ...summaries(forConsumers),
    '',
    'Their settings from the environment:',
    ...columns(Object.entries(consumerSettings)),
    '',
    'Run a server:',
    ...summaries(forOperators),
    '',
    'Their settings from the environment (flags win over these):',
    ...columns(Object.entries(settings)),
    '',
    "'brickmark COMMAND --help' explains a command. Exit status: 0 done, 1 failed, 2 wrong usage.",
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
    `brickmark ${command.name}: ${command.summary}`,
    '',
    `Usage: brickmark ${`${command.name} ${command.operands}`.trim()} [FLAGS]`,
    '',
    ...columns([...rows(command.flags), ...rows(commonFlags)]),
  ].join('\n');
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
