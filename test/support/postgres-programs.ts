/** PostgreSQL's own programs for backups, which the server for tests does not bring along. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from './apt.ts';

const packaged = '/usr/lib/postgresql';
const wanted = ['pg_dump', 'pg_restore', 'pg_basebackup'];

/**
 * The folder that they are in; null when they are neither there nor can be installed. As root on
 * Debian they are installed.
 */
export function findBackupPrograms(): string | null {
  const found = find();
  if (found !== null) return found;
  installPackages('postgresql-client');
  return find();
}

function find(): string | null {
  const versions = existsSync(packaged) ? readdirSync(packaged).sort().reverse() : [];
  const onPath = Bun.which('pg_dump');
  const folders = [
    ...versions.map((version) => join(packaged, version, 'bin')),
    ...(onPath ? [join(onPath, '..')] : []),
  ];
  return folders.find((folder) => wanted.every((name) => existsSync(join(folder, name)))) ?? null;
}

/** Runs one of them; throws with what it said when it fails. */
export async function runProgram(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = Bun.spawn([...words], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${words[0]} failed: ${errors}`);
}
