/**
 * Copies of bulk files in a folder or bucket of the operator. Each edition has names of its own,
 * and the manifest, which is written last, says which edition is complete.
 */
import { hourMs, minuteMs } from '../../kernel/time.ts';
import { type BulkFile, bulkEndings } from '../../market/published/bulk.ts';

export const manifestName = 'manifest.json';

/** The setting: where files are copied to. */
export type BulkTargetSettings =
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 'bucket';
      readonly bucket: string;
      /** Empty, or with a slash at the end. */
      readonly prefix: string;
      /** Null: Amazon's. */
      readonly endpoint: string | null;
      readonly region: string | null;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
    };

/** In words, without secrets. */
export function targetText(target: BulkTargetSettings): string {
  return target.kind === 'folder' ? target.path : `s3://${target.bucket}/${target.prefix}`;
}

/** The state of the copies; there is one target at a time. */
export interface BulkExport {
  /** As `targetText`. */
  readonly target: string;
  /** The latest complete edition there; null: none yet. */
  readonly edition: string | null;
  readonly exportedAt: number | null;
  /** Consecutive failures, and the latest one, without secrets; null: none. */
  readonly failures: number;
  readonly failedAt: number | null;
  readonly error: string | null;
}

/** The state of a target that nothing was copied to. */
export function notExported(target: string): BulkExport {
  return { target, edition: null, exportedAt: null, failures: 0, failedAt: null, error: null };
}

/** The name of an edition: when its files were finished, such as `20261115T120000000Z`. */
export function editionOf({ createdAt }: Pick<BulkFile, 'createdAt'>): string {
  return new Date(createdAt).toISOString().replace(/[-:.]/g, '');
}

const editionForm = /^\d{8}T\d{9}Z$/;

export function exportedName({ type, format, createdAt }: BulkFile): string {
  return `${editionOf({ createdAt })}/${type}.${bulkEndings[format]}`;
}

/**
 * Names of files that are no longer needed: all that belong to an edition other than the current
 * and the previous one, which may still be read. Files that are not ours are never among them.
 */
export function outdatedNames(names: readonly string[], kept: readonly string[]): string[] {
  return names.filter((name) => {
    const [edition = '', file, ...more] = name.split('/');
    return editionForm.test(edition) && file && more.length === 0 && !kept.includes(edition);
  });
}

/** The pause after a failure, which doubles up to a limit. */
const retryMs = { first: minuteMs, most: hourMs };

/** When to try again. */
export function retryAtOf({ failures, failedAt }: BulkExport): number {
  if (failedAt === null) return Number.NEGATIVE_INFINITY;
  return failedAt + Math.min(retryMs.first * 2 ** (failures - 1), retryMs.most);
}
