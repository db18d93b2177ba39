/**
 * The server and key of a command: from the environment, else from the file that `login` wrote,
 * which only its owner may read.
 */
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { CommandError, type Terminal } from '../command.ts';

type Environment = Terminal['environment'];

export interface Connection {
  readonly url: string;
  readonly key: string;
}

/** Throws a `CommandError` if the server or the key is missing. */
export function findConnection(environment: Environment): Connection {
  const given = { url: readUrl(environment), key: readKey(environment) };
  if (given.url !== null && given.key !== null) return { url: given.url, key: given.key };
  const path = connectionFile(environment);
  const saved = readSaved(path);
  if (saved === null) throw notSet(given);
  const url = given.url ?? saved.url;
  if (given.key === null && url !== saved.url) {
    throw new CommandError(
      `The saved key is for ${saved.url}, but BRICKMARK_URL is another server. ` +
        'Set BRICKMARK_KEY too.',
    );
  }
  return { url, key: given.key ?? saved.key };
}

/** The default of `login` without URL; null if there is none. */
export function findUrl(environment: Environment): string | null {
  return readUrl(environment) ?? readSaved(connectionFile(environment))?.url ?? null;
}

function read(environment: Environment, name: string): string | null {
  return environment[name]?.trim() || null;
}

function readUrl(environment: Environment): string | null {
  const text = read(environment, 'BRICKMARK_URL');
  return text === null ? null : serverUrl(text, 'BRICKMARK_URL');
}

function readKey(environment: Environment): string | null {
  const text = read(environment, 'BRICKMARK_KEY');
  return text === null ? null : apiKey(text, 'BRICKMARK_KEY');
}

/** Checks that the key can be sent in a header. The error does not contain it. */
export function apiKey(text: string, name: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new CommandError(`${name} is not an API key such as bmk_…. Copy it again.`);
}

function notSet({ url, key }: { readonly url: string | null; readonly key: string | null }) {
  if (url === null && key === null) {
    return new CommandError(
      "Not logged in. Run 'brickmark login URL', or set BRICKMARK_URL and BRICKMARK_KEY.",
    );
  }
  return new CommandError(
    url === null
      ? 'BRICKMARK_KEY is set, but no server. Set BRICKMARK_URL too.'
      : "BRICKMARK_URL is set, but no key. Set BRICKMARK_KEY too, or run 'brickmark login'.",
  );
}

/** Removes the path of the API; throws for an invalid address. */
export function serverUrl(text: string, name: string): string {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  // Messages contain the address, so it must not have a password.
  if (url === null || url.username !== '' || url.password !== '') {
    throw new CommandError(`${name} is not an address such as https://brickmark.example.com.`);
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/api(\/plus)?\/v1$/, '');
  return `${url.origin}${path}`;
}

export function connectionFile(environment: Environment): string {
  const named = read(environment, 'BRICKMARK_CONFIG');
  if (named !== null) return named;
  const folder = read(environment, 'XDG_CONFIG_HOME');
  const home = read(environment, 'HOME') ?? homedir();
  const base = folder !== null && isAbsolute(folder) ? folder : join(home, '.config');
  return join(base, 'brickmark', 'config.toml');
}

function readSaved(path: string): Connection | null {
  if (!existsSync(path)) return null;
  const { mode, uid } = statSync(path);
  if ((mode & 0o077) !== 0) {
    throw new CommandError(
      `Other users can read your API key in ${path}. Fix it with: chmod 600 ${path}`,
    );
  }
  if (uid !== process.getuid?.()) {
    throw new CommandError(
      `${path} belongs to another user. Set BRICKMARK_CONFIG to your own file.`,
    );
  }
  return parseSaved(readText(path), path);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(`Cannot read ${path} (${(error as { code?: string }).code}).`);
  }
}

/** Errors contain nothing of the file, as it contains the key. */
function parseSaved(text: string, path: string): Connection {
  const { url, key } = parseToml(text) ?? {};
  if (typeof url !== 'string' || typeof key !== 'string') {
    throw new CommandError(
      `${path} is not a valid login file (url = "…" and key = "…"). Run 'brickmark login' again.`,
    );
  }
  return { url: serverUrl(url, `'url' in ${path}`), key: apiKey(key, `'key' in ${path}`) };
}

function parseToml(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return Bun.TOML.parse(text) as Record<string, unknown>;
  } catch {
    // The message of the parser contains a line of the file.
    return null;
  }
}

/** Atomic, and readable only by the owner. */
export function saveConnection(path: string, { url, key }: Connection): void {
  const text = `url = ${JSON.stringify(url)}\nkey = ${JSON.stringify(key)}\n`;
  const next = `${path}.${randomUUID()}.new`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // `wx` fails if the path exists, for example as another user's link.
    writeFileSync(next, text, { mode: 0o600, flag: 'wx' });
    chmodSync(next, 0o600);
    renameSync(next, path);
  } catch (error) {
    rmSync(next, { force: true });
    throw new CommandError(`Cannot write ${path} (${(error as { code?: string }).code}).`);
  }
}
