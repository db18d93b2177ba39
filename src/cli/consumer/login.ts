/** `login`: saves a server's address and a key, once the server has accepted it. */
import { type Arguments, CommandError, takeWords, UsageError } from '../command.ts';
import { readHidden } from '../hidden-input.ts';
import { budgetText, connect } from './asking.ts';
import { callFailure } from './client-error.ts';
import { apiKey, connectionFile, findUrl, saveConnection, serverUrl } from './connection.ts';
import type { ConsumerCommand, ConsumerContext } from './consumer-command.ts';

/** The login command. */
export const loginCommand: ConsumerCommand = {
  audience: 'consumer',
  name: 'login',
  operands: '[URL]',
  summary: "saves a server's address and your API key, typed or from standard input",
  flags: { json: { help: 'prints where both were saved as JSON' } },
  run: async (args, context) => {
    const url = readUrl(args, context);
    const key = apiKey((await readHidden(context, `API key for ${url}: `)).trim(), 'That');
    const usage = await connect({ url, key }, context)
      .plus.getUsage()
      .catch((error) => {
        throw callFailure(error, { url, now: context.clock() });
      });
    const path = connectionFile(context.environment);
    saveConnection(path, { url, key });
    const text = `${url} accepts the key. Both are saved in ${path}, for you alone.`;
    const json = JSON.stringify({ url, config: path });
    await context.write(`${args.flags.json === true ? json : text}\n`);
    context.say(budgetText(usage));
    const wins = ['BRICKMARK_URL', 'BRICKMARK_KEY'].filter((name) => context.environment[name]);
    if (wins.length > 0) {
      const verb = wins.length === 1 ? 'wins' : 'win';
      context.say(`${wins.join(' and ')} in the environment still ${verb}.`);
    }
  },
};

function readUrl(args: Arguments, { environment }: ConsumerContext): string {
  const [typed] = args.words.length > 0 ? takeWords(args, ['URL']) : [];
  if (typed !== undefined && /^bmk_/.test(typed)) {
    throw new UsageError('The key is not typed after login, where others could read it.');
  }
  const url = typed === undefined ? findUrl(environment) : serverUrl(typed, 'URL');
  if (url !== null) return url;
  throw new CommandError(
    "Which server? Give its address, as in 'brickmark login https://brickmark.example.com'.",
  );
}
