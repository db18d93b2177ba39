/** Help texts: they fit the terminal, and name what flags default to. */
import { expect, test } from 'bun:test';
import { allCommands, commonFlagsOf, consumerCommands } from './commands.ts';
import { commandHelp } from './help.ts';

test('the help of a command fits into 80 columns', () => {
  const lines = allCommands.flatMap((command) =>
    commandHelp(command, commonFlagsOf(command)).split('\n'),
  );
  // Without the synopsis, which is one line to copy.
  const others = lines.filter((line) => !line.startsWith('Usage: '));
  expect(Math.max(...others.map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('the help of a list names how many rows it has by default', () => {
  const helpOf = (name: string) => {
    const command = consumerCommands.find((each) => each.name === name);
    return command ? commandHelp(command, commonFlagsOf(command)) : '';
  };
  expect(helpOf('history')).toContain('Number of months to list (default 12)');
  expect(helpOf('search')).toContain('(default 10)');
  expect(helpOf('deals')).toContain('(default 20)');
});
