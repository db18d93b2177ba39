/** Uploaded files, which are stored as drafts for an hour, and imports of them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { SourceFileError } from '../../../ingest/readers/source-file.work.ts';
import type { Corrections } from '../../../ingest/runner/corrections.work.ts';
import { membersMax, type OwnImport } from '../../../ingest/runner/own-import.work.ts';
import { idOf } from '../../kit/address.ts';
import type { FormReader } from '../../kit/form-reader.ts';
import { countText } from '../../kit/format.ts';
import type { OwnRequest, WebDeps } from '../../page.ts';
import { parseCorrections } from './row-corrections.ts';
import { zipFiles } from './zip-files.ts';

export const uploadBytesMax = 4 * 1024 * 1024;
export const pastedLengthMax = 200_000;

export const tooLarge = `The file is larger than ${uploadBytesMax / 1024 / 1024} MB; split it.`;

const tooLargeTogether = `The files together are larger than ${uploadBytesMax / 1024 / 1024} MB.`;

export interface Uploaded {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A file name that is safe on every file system, with its extension. */
export function safeName(name: string): string {
  const base = name.split(/[/\\]/).at(-1) ?? '';
  return (
    base
      .replace(/[^\w.-]/g, '_')
      .replace(/^\.+/, '')
      .slice(-80) || 'file'
  );
}

/** Reads the file, several as an archive, or the pasted text; an empty file if none is valid. */
export async function readUpload(fields: FormReader, pasted: string): Promise<Uploaded> {
  const files = fields.form.files('file');
  const [file] = files;
  const text = fields.form.text(pasted);
  if (file && text !== '') fields.fail('file', 'Choose a file or paste text, not both.');
  else if (file) fields.check('file', filesProblem(files));
  else if (text.length > pastedLengthMax) {
    fields.fail(pasted, `Use at most ${countText(pastedLengthMax)} characters, or upload a file.`);
  } else if (text === '') fields.fail('file', 'Choose a file that is not empty, or paste text.');
  if (!fields.isGood) return { name: '', bytes: new Uint8Array() };
  if (!file) return { name: 'Pasted text', bytes: Buffer.from(text) };
  const read = await Promise.all(files.map(readFile));
  const [only, ...others] = read;
  if (only && others.length === 0) return only;
  return { name: `${read.length} files.zip`, bytes: await zipFiles(read) };
}

async function readFile(file: File): Promise<Uploaded> {
  return { name: safeName(file.name), bytes: new Uint8Array(await file.arrayBuffer()) };
}

function filesProblem(files: readonly File[]): string | null {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const isAny = (pattern: RegExp) => files.some(({ name }) => pattern.test(name));
  if (files.length > membersMax) return `Choose at most ${membersMax} files at once.`;
  if (size > uploadBytesMax) return files.length === 1 ? tooLarge : tooLargeTogether;
  if (isAny(/\.(xlsx?|ods|numbers)$/i)) {
    return 'Save the spreadsheet as CSV (UTF-8), then choose that file.';
  }
  const isAlone = files.length === 1 || !isAny(/\.(zip|gz|ndjson|jsonl)$/i);
  return isAlone ? null : 'Choose .zip, .gz and .ndjson files one at a time.';
}

export async function keepDraft(
  { accounts }: Pick<WebDeps, 'accounts'>,
  { who, path, at }: OwnRequest,
  { name, bytes }: Uploaded,
): Promise<number> {
  const content = await promisify(gzip)(bytes);
  const id = await accounts.addImportDraft(who.accountId, { name, content, path, at });
  if (id === null) throw new Error('The account of a session is gone.');
  return id;
}

export interface KeptFile {
  readonly id: number;
  readonly file: Uploaded;
  /** The stored result; null until it is imported. */
  readonly result: string | null;
  readonly corrections: Corrections;
}

/** Finds the draft in a path; null if there is none or it has expired. */
export async function findDraft(
  { accounts }: Pick<WebDeps, 'accounts'>,
  { who, params, at }: OwnRequest,
): Promise<KeptFile | null> {
  const id = idOf(params.draft);
  const draft = id === null ? null : await accounts.findImportDraft(who.accountId, id, at);
  if (id === null || !draft) return null;
  const bytes = await promisify(gunzip)(draft.content);
  const { name, result } = draft;
  return { id, file: { name, bytes }, result, corrections: parseCorrections(draft.corrections) };
}

/** A file, alone in a temporary folder. */
interface FileOnDisk {
  readonly path: string;
  /** Aborted when the browser disconnects, or reading the file takes too long. */
  readonly signal: AbortSignal;
  /** Removes the folder from a message or a location. */
  readonly bare: (text: string) => string;
}

/** Calls `use` with the file in a temporary folder; or returns why the file cannot be read. */
export async function withFile<T extends object>(
  { site }: Pick<WebDeps, 'site'>,
  { name, bytes }: Uploaded,
  request: Pick<OwnRequest, 'signal'>,
  use: (file: FileOnDisk) => Promise<T>,
): Promise<T | { readonly fault: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-upload-'));
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(site.readingMsMax)]);
  const bare = (text: string) => text.replaceAll(`${folder}/`, '');
  try {
    const path = join(folder, name);
    writeFileSync(path, bytes, { mode: 0o600 });
    return await use({ path, signal, bare });
  } catch (error) {
    if (error instanceof SourceFileError) return { fault: bare(error.message) };
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type FileWork = Pick<
  OwnImport,
  'settings' | 'answers' | 'corrections' | 'prices' | 'names' | 'isRehearsal'
> & {
  readonly file: Uploaded;
};

/**
 * Calls `use` with an import of the file; or returns why the file cannot be read. Locations in the
 * file begin with our temporary folder, which `bare` removes.
 */
export function withOwnFile<T extends object>(
  deps: WebDeps,
  request: OwnRequest,
  { file, ...how }: FileWork,
  use: (work: OwnImport, bare: (text: string) => string) => Promise<T>,
): Promise<T | { readonly fault: string }> {
  const { accounts, market, clock } = deps;
  const store = { accounts, market };
  return withFile(deps, file, request, ({ path, signal, bare }) =>
    use({ path, owner: request.who, store, clock, signal, ...how }, bare),
  );
}
