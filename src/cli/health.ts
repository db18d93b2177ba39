/** `health`: whether a server is ready, for whoever watches it and has no other way to ask. */
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { type Command, CommandError, flagText, takeWords, UsageError } from './command.ts';

const urlDefault = 'http://127.0.0.1:8080';

/** A server that takes longer to say that it is ready is not. */
const timeoutMs = 3_000;

/** Readiness is a short body; a longer one is not from Brickmark. */
const bodyLengthMax = 1_000;

/** The health command. */
export const healthCommand: Command = {
  name: 'health',
  operands: '',
  summary: 'Check that a server is ready (exit status 0) or not (1)',
  flags: { url: { help: `Address of the server (default ${urlDefault})`, value: 'URL' } },
  run: async (args, context) => {
    takeWords(args, []);
    const url = readUrl(flagText(args, 'url') ?? urlDefault);
    const status = await askReadiness(url);
    if (status !== 'ready') throw new CommandError(`The server at ${url} is ${status}.`);
    context.result({ url, status }, `The server at ${url} is ready.`);
  },
};

/** The address without a slash at its end. */
function readUrl(text: string): string {
  if (/^https?:\/\/[^\s?#/@]+[^\s?#]*$/.test(text) && URL.canParse(text)) {
    return text.replace(/\/+$/, '');
  }
  throw new UsageError(`--url must be an address such as ${urlDefault}, not '${text}'.`);
}

/** What the server says of itself: `ready`, `draining` or `unavailable`. */
async function askReadiness(url: string): Promise<string> {
  const { code, body } = await ask(`${url}/readyz`).catch((error) => {
    const within = error instanceof TimeoutError ? ` within ${timeoutMs / 1_000} seconds` : '';
    throw new CommandError(`No response from ${url}${within}. Check that the server is running.`);
  });
  const status = readStatus(body);
  if (status !== null && (code === 503 || (code === 200 && status === 'ready'))) return status;
  throw new CommandError(`The server at ${url} is not Brickmark. Set its address with --url.`);
}

function readStatus(body: string): string | null {
  const [, status = null] = /^\{"status":"(ready|draining|unavailable)"\}$/.exec(body) ?? [];
  return status;
}

class TimeoutError extends Error {}

/** Asks the address itself: unlike `fetch`, this takes no proxy from the environment. */
function ask(url: string): Promise<{ code: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number; body: string }>();
  const get = url.startsWith('https:') ? getHttps : getHttp;
  // The connection ends with the answer, so that nothing keeps this process from ending.
  const request = get(url, { agent: false }, (response) => {
    let body = '';
    const done = () => resolve({ code: response.statusCode ?? 0, body });
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      body += text;
      if (body.length <= bodyLengthMax) return;
      done();
      request.destroy();
    });
    response.on('end', done);
    response.on('error', reject);
  });
  request.on('error', reject);
  const timer = setTimeout(() => request.destroy(new TimeoutError()), timeoutMs);
  return promise.finally(() => clearTimeout(timer));
}
