/**
 * What is costly to make and the same for every suite. `npm test` names a folder for such things,
 * where the first process that needs one makes it for all; a process that is started otherwise
 * makes its own.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGuard } from './postgres-place.ts';

/** Makes a thing in a folder that is there and empty. */
export type Make = (folder: string) => Promise<void>;

/** The folder that `npm test` names; undefined for a process by itself. */
const named = process.env.BRICKMARK_TEST_SHARED;

/** Whether what is made here is for other processes, too. */
export const isShared: boolean = named !== undefined;

const made = new Map<string, Promise<string>>();

/** The folder of the thing with this name, which is made when it is asked for first. */
export function makeOnce(name: string, make: Make): Promise<string> {
  const known = made.get(name);
  if (known) return known;
  const making = findOrMake(join(sharedFolder(), name), make);
  made.set(name, making);
  return making;
}

let own: string | null = null;

/** Where such things are made; open to the user whom PostgreSQL runs as. Gone when we are. */
export function sharedFolder(): string {
  if (named !== undefined) return named;
  own ??= makeFolder();
  return own;
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-shared-'));
  chmodSync(folder, 0o711);
  startGuard([folder]);
  return folder;
}

const waitMs = 20;

/** Makes the folder unless another process has, or does so now; when that one fails, it is ours. */
export async function findOrMake(folder: string, make: Make): Promise<string> {
  const claim = `${folder}.claimed`;
  while (!existsSync(folder)) {
    if (isClaimed(claim)) await Bun.sleep(waitMs);
    else await makeWhole(folder, make).catch((error) => giveUp(claim, error));
  }
  return folder;
}

/** Only one process can make a folder; whoever could not has to wait. */
function isClaimed(claim: string): boolean {
  try {
    mkdirSync(claim);
    return false;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
    return true;
  }
}

/** A folder has its name not before everything is in it. */
async function makeWhole(folder: string, make: Make): Promise<void> {
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial);
  await make(partial);
  renameSync(partial, folder);
}

function giveUp(claim: string, error: unknown): never {
  rmSync(claim, { recursive: true });
  throw error;
}
