/** Bulk files, and changes since they were made. */
import { ApiError } from '../../contract/errors.ts';
import { bad } from '../../contract/input-messages.ts';
import {
  bulkFilesOff,
  bulkMediaTypes,
  presentChange,
  presentFile,
} from '../../contract/plus/bulk.ts';
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import {
  type BulkFile,
  type BulkFileType,
  type BulkPosition,
  type BulkType,
  bulkEndings,
  bulkPositionAfter,
  bulkTypes,
  formatBulkPosition,
  isFollowed,
  parseBulkPosition,
  stampAt,
} from '../../market/published/bulk.ts';
import type { BulkReading } from '../../publish/bulk/bulk.store.ts';
import { AnswerData, dataOf } from '../answer-data.ts';
import type { BulkOffer } from '../bulk-files.ts';
import type { Answer, Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';

export function bulkHandlers({ market: { store }, bulk }: HandlerDeps) {
  return {
    listBulkFiles: ({ query: { format } }) => ({
      read: async () => {
        offered(bulk);
        const all = latestOf(await store.listBulkFiles());
        const files = all.filter((file) => file.format === format);
        return dataOf({ files: files.map(presentFile) });
      },
    }),
    getBulkFile: ({ params: { type }, query: { format, position } }) => ({
      cost: bulk?.cost ?? 0,
      read: async () => {
        const offer = offered(bulk);
        const kept = await store.listBulkFiles();
        const stamp =
          position === undefined ? kept[0]?.stamp : stampAt(parseBulkPosition(position));
        const file = kept.find(
          (each) => each.type === type && each.format === format && each.stamp === stamp,
        );
        const path = file && (await offer.find(file));
        if (!file || !path) throw new ApiError('NotFound', missingFile(type, position));
        return fileAnswer(file, path);
      },
    }),
    listBulkChanges: ({ query: { after, types, limit } }) => ({
      read: async () => {
        offered(bulk);
        // Validated by the schema.
        const requested = (types?.split(',') as BulkType[] | undefined) ?? bulkTypes;
        return new AnswerData(
          await readChanges(store, { after: after ?? null, types: requested, limit }),
        );
      },
    }),
  } satisfies Partial<Handlers>;
}

function offered(bulk: BulkOffer | null): BulkOffer {
  if (bulk === null) throw new ApiError('NotFound', bulkFilesOff);
  return bulk;
}

function latestOf(files: readonly BulkFile[]): BulkFile[] {
  return files.filter(({ stamp }) => stamp === files[0]?.stamp);
}

function missingFile(type: BulkFileType, position: string | undefined): string {
  return position === undefined
    ? `The file of ${type} has not been made yet.`
    : `There is no file of ${type} at position '${position}' any more; GET /bulk lists them.`;
}

function fileAnswer({ type, format, sha256, bytes }: BulkFile, path: string): Answer {
  return {
    headers: {
      'Content-Type': bulkMediaTypes[format],
      'Content-Disposition': `attachment; filename="${type}.${bulkEndings[format]}"`,
      'Content-Length': String(bytes),
      ETag: `"${sha256}"`,
    },
    start: () => Bun.file(path),
    release: () => {},
  };
}

/** Documents per read; other requests are answered in between. */
const sliceMax = 20;

/** A response ends after this many characters, so that none takes long. */
const charactersMax = 1_000_000;

interface RequestedChanges {
  /** Null: after the latest position. */
  readonly after: string | null;
  readonly types: readonly BulkType[];
  readonly limit: number;
}

/** A page of changes, as the JSON of `data`. */
export async function readChanges(
  store: Pick<BulkReading, 'findBulkBounds' | 'listBulkChanges'>,
  { after, types, limit }: RequestedChanges,
): Promise<string> {
  const bounds = await store.findBulkBounds();
  let next: BulkPosition = after ? parseBulkPosition(after) : bulkPositionAfter(bounds.stamp);
  if (!isFollowed(next, bounds)) throw bad(unknownPosition(after ?? ''));
  const changes: string[] = [];
  let [characters, rows] = [0, 0];
  for (;;) {
    const slice = Math.min(sliceMax, limit - rows);
    const found = await store.listBulkChanges(next, types, slice);
    next = found.next;
    rows += slice;
    for (const change of found.changes) {
      const text = presentChange(change);
      changes.push(text);
      characters += text.length;
    }
    if (!found.hasMore || rows >= limit || characters >= charactersMax)
      return page(changes, next, found.hasMore);
    await yieldToEventLoop();
  }
}

function unknownPosition(after: string): string {
  return (
    `Changes since '${after}' are not known here; data may have been restored from a backup. ` +
    'Load the files that GET /bulk lists, and continue from their position.'
  );
}

function page(changes: readonly string[], next: BulkPosition, hasMore: boolean): string {
  const position = formatBulkPosition(next);
  return `{"changes":[${changes.join(',')}],"next":"${position}","has_more":${hasMore}}`;
}
