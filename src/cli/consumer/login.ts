/** `login`: saves a server's address and a key, once the server has accepted it. */
import { CommandError } from '../command.ts';
import { readHidden } from '../hidden-input.ts';
import { UsageError } from '../row.ts';
import { budgetText, connect } from './call-command.ts';
import { callFailure } from './client-error.ts';
import { apiKey, connectionFile, findUrl, saveConnection, serverUrl } from './connection.ts';
import { type ConsumerContext, consumerCommand } from './consumer-command.ts';

export const loginCommand = consumerCommand({
  name: 'login',
  operands: { typedUrl: { label: 'URL', isOptional: true, read: refuseKey } },
  summary: 'Save a server address and your API key, typed or from standard input',
  flags: { json: { help: 'Print the file they were saved in as JSON' } },
  run: async ({ typedUrl, json: isJson }, context) => {
    const url = chooseUrl(typedUrl, context);
    const key = apiKey((await readHidden(context, `API key for ${url}: `)).trim(), 'That');
    const usage = await connect({ url, key }, context)
      .plus.getUsage()
      .catch((error) => {
        throw callFailure(error, { url, now: context.clock() });
      });
    const path = connectionFile(context.environment);
    saveConnection(path, { url, key });
    const text = `Logged in to ${url}. Saved in ${path}, readable only by you.`;
    const json = JSON.stringify({ url, config: path });
    await context.write(`${isJson ? json : text}\n`);
    context.say(budgetText(usage));
    const wins = ['BRICKMARK_URL', 'BRICKMARK_KEY'].filter((name) => context.environment[name]);
    if (wins.length > 0) {
      const verb = wins.length === 1 ? 'wins' : 'win';
      context.say(`${wins.join(' and ')} in the environment still ${verb}.`);
    }
  },
});

function refuseKey(text: string): string {
  if (!/^bmk_/.test(text)) return text;
  throw new UsageError(
    "Don't type the key after 'login', where others can read it. You will be asked for it.",
  );
}

function chooseUrl(typed: string | null, { environment }: ConsumerContext): string {
  const url = typed === null ? findUrl(environment) : serverUrl(typed, 'URL');
  if (url !== null) return url;
  throw new CommandError(
    "URL is missing. Example: 'brickmark login https://brickmark.example.com'.",
  );
}
