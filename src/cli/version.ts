/** `version`: which Brickmark this is. */
import { brickmarkVersion } from '../config.ts';
import { type Command, takeWords } from './command.ts';

/** The version command. */
export const versionCommand: Command = {
  name: 'version',
  operands: '',
  summary: 'Print the version',
  flags: {},
  run: async (args, context) => {
    takeWords(args, []);
    const bun = Bun.version;
    context.result(
      { version: brickmarkVersion, bun },
      `Brickmark ${brickmarkVersion} on Bun ${bun}`,
    );
  },
};
