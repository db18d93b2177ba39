/** The synopses in the command table of `docs/reference.md`, generated from the commands. */
import { commonFlags } from '../src/cli/command.ts';
import { commands } from '../src/cli/commands.ts';
import { withOperands } from '../src/cli/help.ts';
import type { CommandSummary } from '../src/cli/row.ts';

/** The page with current synopses; descriptions and their order are written by hand. */
export function withCommandTable(page: string): string {
  const start = page.indexOf('\n## Commands\n');
  const end = page.indexOf('\n## ', start + 1);
  const section = page
    .slice(start, end)
    .replace(/^\| `([^`]+)` \|/gm, (cell, written: string) => synopsisCell(written) ?? cell);
  return `${page.slice(0, start)}${section}${page.slice(end)}`;
}

/** Null if the cell is not about a command. */
function synopsisCell(written: string): string | null {
  const named = commands.filter(({ name }) => `${written} `.startsWith(`${name} `));
  // 'import log' also starts with 'import', which is listed first.
  const command = named.at(-1);
  if (!command) return null;
  const own = Object.entries(command.flags).filter(([name]) => !Object.hasOwn(commonFlags, name));
  const text = synopsis({ ...command, flags: Object.fromEntries(own) });
  return `| \`${text.replaceAll('|', '\\|')}\` |`;
}

/** A command with its operands and flags, such as `key add EMAIL [--name TEXT]`. */
function synopsis(command: CommandSummary): string {
  const flags = Object.entries(command.flags).map(([name, flag]) => {
    const value = flag.choices?.join('|') ?? flag.default ?? flag.value;
    const text = `--${name}${flag.value ? ` ${value}` : ''}`;
    return flag.isRequired ? text : `[${text}]`;
  });
  return [withOperands(command), ...flags].join(' ');
}
