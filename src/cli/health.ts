/** `health`: whether a server is ready, for monitoring without an HTTP client. */
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';
import { CommandError, command } from './command.ts';
import { type ReadOptions, UsageError } from './row.ts';

const urlDefault = 'http://127.0.0.1:8080';

const timeoutMs = 3_000;

/** A longer body is not from Brickmark. */
const bodyLengthMax = 1_000;

export const healthCommand = command({
  name: 'health',
  summary: 'Check that a server is ready (exit status 0) or not (1)',
  flags: {
    url: { help: 'Address of the server', value: 'URL', read: readUrl, default: urlDefault },
  },
  run: async ({ url }, context) => {
    const status = await fetchReadiness(url);
    if (status !== 'ready') throw new CommandError(`The server at ${url} is ${status}.`);
    context.result({ url, status }, `The server at ${url} is ready.`);
  },
});

/** Removes trailing slashes. */
function readUrl(text: string, { name }: ReadOptions): string {
  if (/^https?:\/\/[^\s?#/@]+[^\s?#]*$/.test(text) && URL.canParse(text)) {
    return text.replace(/\/+$/, '');
  }
  throw new UsageError(`${name} must be an address such as ${urlDefault}, not '${text}'.`);
}

/** `ready`, `starting`, `draining` or `unavailable`. */
async function fetchReadiness(url: string): Promise<string> {
  const { code, body } = await get(`${url}/readyz`).catch((error) => {
    const within = error instanceof TimeoutError ? ` within ${timeoutMs / 1_000} seconds` : '';
    throw new CommandError(`No response from ${url}${within}. Check that the server is running.`);
  });
  const status = readStatus(body);
  if (status !== null && (code === 503 || (code === 200 && status === 'ready'))) return status;
  throw new CommandError(`The server at ${url} is not Brickmark. Set its address with --url.`);
}

function readStatus(body: string): string | null {
  const [, status = null] =
    /^\{"status":"(ready|starting|draining|unavailable)"\}$/.exec(body) ?? [];
  return status;
}

class TimeoutError extends Error {}

/** Unlike `fetch`, this uses no proxy from the environment. */
function get(url: string): Promise<{ code: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number; body: string }>();
  const getUrl = url.startsWith('https:') ? getHttps : getHttp;
  // Without an agent, no idle connection keeps the process running.
  const request = getUrl(url, { agent: false }, (response) => {
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
