/**
 * Creates things that are expensive and the same for every suite. `npm test` names a shared folder,
 * where the first process that needs a thing creates it for all; a process started otherwise
 * creates its own.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGuard } from './postgres-place.ts';

/** Fills an empty folder. */
export type Make = (folder: string) => Promise<void>;

/** The folder named by `npm test`; undefined if this process was started otherwise. */
const named = process.env.BRICKMARK_TEST_SHARED;

/** Whether other processes use what is created here. */
export const isShared: boolean = named !== undefined;

const made = new Map<string, Promise<string>>();

/** The folder with this name, created on first use. */
export function makeOnce(name: string, make: Make): Promise<string> {
  const known = made.get(name);
  if (known) return known;
  const making = findOrMake(join(sharedFolder(), name), make);
  made.set(name, making);
  return making;
}

let own: string | null = null;

/**
 * The shared folder, readable by the user that PostgreSQL runs as; removed when this process ends.
 */
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

/** Creates the folder unless another process has or is doing so; takes over if that one fails. */
export async function findOrMake(folder: string, make: Make): Promise<string> {
  const claim = `${folder}.claimed`;
  while (!existsSync(folder)) {
    if (isClaimed(claim)) await Bun.sleep(waitMs);
    else await makeWhole(folder, make).catch((error) => giveUp(claim, error));
  }
  return folder;
}

/** mkdir is atomic: only one process can create the claim. */
function isClaimed(claim: string): boolean {
  try {
    mkdirSync(claim);
    return false;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
    return true;
  }
}

/** Renames the folder once it is complete, so that others never see it half filled. */
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
