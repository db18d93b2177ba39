/** PostgreSQL's backup programs, which the embedded test server does not include. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from './apt.ts';

const packaged = '/usr/lib/postgresql';
const wanted = ['pg_dump', 'pg_restore', 'pg_basebackup'];

/**
 * The folder of the programs, installed if necessary; null if they are missing and cannot be
 * installed.
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

/** Throws with its standard error if it fails. */
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
