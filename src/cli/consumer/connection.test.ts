/** Server and key of a command, and the file in which `login` saves them. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionFile, findConnection, saveConnection, serverUrl } from './connection.ts';

const folder = mkdtempSync(join(tmpdir(), 'brickmark-connection-'));
const path = join(folder, 'own', 'config.toml');
const saved = { url: 'https://saved.example.com', key: 'bmk_saved' };
const environment = { BRICKMARK_CONFIG: path };

beforeEach(() => saveConnection(path, saved));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the environment takes precedence over the file', () => {
  const given = { BRICKMARK_URL: 'https://given.example.com', BRICKMARK_KEY: 'bmk_given' };

  test('with both variables, the file is not read', () => {
    const found = findConnection({ ...given, BRICKMARK_CONFIG: folder });
    expect(found).toEqual({ url: given.BRICKMARK_URL, key: given.BRICKMARK_KEY });
  });

  test('BRICKMARK_KEY is sent to the saved server', () => {
    const found = findConnection({ ...environment, BRICKMARK_KEY: 'bmk_given' });
    expect(found).toEqual({ url: saved.url, key: 'bmk_given' });
  });

  test('the saved key is not sent to another server', () => {
    const other = { ...environment, BRICKMARK_URL: given.BRICKMARK_URL };
    expect(() => findConnection(other)).toThrow('The saved key is for https://saved.example.com');
    const same = { ...environment, BRICKMARK_URL: `${saved.url}/api/v1/` };
    expect(findConnection(same)).toEqual(saved);
  });
});

test('the file is readable only by its owner, and no temporary file remains', () => {
  expect(findConnection(environment)).toEqual(saved);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'own')).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(folder, 'own'))).toEqual(['config.toml']);
});

test('a failed save leaves no file with the key', () => {
  const taken = join(folder, 'taken');
  mkdirSync(join(taken, 'config.toml', 'full'), { recursive: true });
  const save = () => saveConnection(join(taken, 'config.toml'), saved);
  expect(errorOf(save)).toContain('Cannot write ');
  expect(readdirSync(taken)).toEqual(['config.toml']);
});

test('an existing link is not followed', () => {
  const victim = join(folder, 'victim');
  symlinkSync(victim, `${path}.${process.pid}.new`);
  saveConnection(path, saved);
  expect(existsSync(victim)).toBe(false);
  expect(findConnection(environment)).toEqual(saved);
  rmSync(`${path}.${process.pid}.new`);
});

test.each([0o604, 0o640, 0o620, 0o602])(
  'a file with rights %o is refused, with the fix',
  (mode) => {
    chmodSync(path, mode);
    expect(() => findConnection(environment)).toThrow(`chmod 600 ${path}`);
  },
);

test.each([
  'key = "bmk_secret',
  'key = bmk_secret',
  'key = "bmk_secret"',
  'url = "https://a.example.com"\nkey = "bmk secret"',
  'url = "https://user:secret@a.example.com"\nkey = "bmk_secret"',
  'url = 5\nkey = "bmk_secret"',
])('a file that holds %j is refused without showing it', (text) => {
  writeFileSync(path, text);
  const message = errorOf(() => findConnection(environment));
  expect(message).toContain(path);
  expect(message).not.toContain('secret');
});

test.each<[environment: Record<string, string>, message: string]>([
  [{}, "Not logged in. Run 'brickmark login URL', or set BRICKMARK_URL and BRICKMARK_KEY."],
  [{ BRICKMARK_KEY: 'bmk_a' }, 'BRICKMARK_KEY is set, but no server'],
  [{ BRICKMARK_URL: 'https://a.example.com' }, 'BRICKMARK_URL is set, but no key'],
  [{ BRICKMARK_URL: 'a.example.com' }, 'BRICKMARK_URL is not an address such as https://'],
  [{ BRICKMARK_KEY: 'bmk_ä' }, 'BRICKMARK_KEY is not an API key'],
])('%j: what is missing is named', (given, message) => {
  const nowhere = { ...given, BRICKMARK_CONFIG: join(folder, 'nowhere') };
  expect(errorOf(() => findConnection(nowhere))).toContain(message);
});

test.each([
  [{ BRICKMARK_CONFIG: '/a/b.toml', HOME: '/h' }, '/a/b.toml'],
  [{ XDG_CONFIG_HOME: '/x', HOME: '/h' }, '/x/brickmark/config.toml'],
  [{ XDG_CONFIG_HOME: 'x', HOME: '/h' }, '/h/.config/brickmark/config.toml'],
  [{ HOME: '/h' }, '/h/.config/brickmark/config.toml'],
])('%j: it is saved in %p', (given, expected) => {
  expect(connectionFile(given)).toBe(expected);
});

test.each([
  ['https://a.example.com', 'https://a.example.com'],
  ['https://a.example.com/', 'https://a.example.com'],
  ['http://127.0.0.1:8080/api/v1', 'http://127.0.0.1:8080'],
  ['https://a.example.com/bricks/api/plus/v1/', 'https://a.example.com/bricks'],
])('the server at %p is %p', (text, url) => {
  expect(serverUrl(text, 'URL')).toBe(url);
});

function errorOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return 'No error.';
}
