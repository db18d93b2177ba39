/** The manifest of a backup, `manifest.json`. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Type from 'typebox';
import { Compile } from 'typebox/schema';
import { lazy } from '../../kernel/lazy.ts';
import { carryOver, firstVersion, isEarlierBuild, otherBuild } from '../sql/schema-version.ts';
import type { FileName } from '../sql/tables.ts';
import { fileNames } from './files.ts';

/** Why a backup or a restore cannot be done; the message is for the user. */
export class BackupError extends Error {}

export const manifestName = 'manifest.json';

/** The version of the manifest's format. */
export const backupFormat = 1;

/** A larger file is not a manifest. */
const manifestBytesMax = 65_536;

export interface BackupFile {
  readonly schema: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Manifest {
  readonly format: number;
  readonly brickmark: string;
  /** The time at which the backup started. */
  readonly created_at: string;
  readonly files: Readonly<Record<FileName, BackupFile>>;
  /** HMAC-SHA256 of everything else; null if the backup is unsigned. */
  readonly signature: string | null;
}

const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const File = Type.Object({
  schema: Type.Integer({ minimum: firstVersion }),
  bytes: Type.Integer({ minimum: 1 }),
  sha256,
});
const form = lazy(() =>
  Compile(
    Type.Object({
      format: Type.Literal(backupFormat),
      brickmark: Type.String(),
      created_at: Type.String(),
      files: Type.Object({ 'accounts.db': File, 'market.db': File }),
      signature: Type.Union([sha256, Type.Null()]),
    }),
  ),
);
const earlierFile = Type.Object({
  schema: Type.Integer({ minimum: 1, maximum: firstVersion - 1 }),
});
/** The fields that manifests of all earlier builds have. */
const earlierForm = lazy(() =>
  Compile(Type.Object({ files: Type.Object({ 'market.db': earlierFile }) })),
);

/** Reads the manifest of a backup, and checks the sizes of its files. */
export function readManifest(path: string): Manifest {
  const given = parse(path);
  const { format, brickmark } = (given ?? {}) as { format?: unknown; brickmark?: unknown };
  if (typeof format === 'number' && format > backupFormat) {
    throw new BackupError(
      `The backup in '${path}' was made by a newer version of Brickmark (${brickmark}). ` +
        'Upgrade this one.',
    );
  }
  if (earlierForm().Check(given)) {
    throw new BackupError(
      `The backup in '${path}' ${otherBuild} and cannot be restored: ` +
        `${carryOver('restore it with that build,')}.`,
    );
  }
  if (!form().Check(given)) {
    throw new BackupError(`'${join(path, manifestName)}' is damaged; use another backup.`);
  }
  const manifest: Manifest = given;
  for (const name of fileNames) {
    if (sizeOf(join(path, name)) === manifest.files[name].bytes) continue;
    throw new BackupError(
      `'${join(path, name)}' is missing, or its size differs from the manifest; ` +
        'copy the backup again, or use another one.',
    );
  }
  return manifest;
}

/** Throws if this version does not know the schema. */
export function checkKnown(file: string, schema: number, newest: number): void {
  if (isEarlierBuild(schema)) {
    throw new BackupError(`'${file}' ${otherBuild} and cannot be opened: ${carryOver()}.`);
  }
  if (schema <= newest) return;
  throw new BackupError(
    `'${file}' was made by a newer version of Brickmark (schema ${schema}; this version ` +
      `has ${newest}). Upgrade Brickmark.`,
  );
}

function parse(path: string): unknown {
  const file = join(path, manifestName);
  const bytes = sizeOf(file);
  if (bytes === null) {
    throw new BackupError(`There is no backup in '${path}': it has no ${manifestName}.`);
  }
  if (bytes > manifestBytesMax) return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Null if there is no such file. */
function sizeOf(path: string): number | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : null;
}
