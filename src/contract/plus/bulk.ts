/** Bulk files of all published data, and changes since they were made. */
import Type, { type Static, type TSchema } from 'typebox';
import { formatInstant } from '../../kernel/time.ts';
import {
  type BulkDocument,
  type BulkFormat,
  type BulkMonths,
  type BulkOffers,
  type BulkType,
  bulkFileTypes,
  bulkFormats,
  bulkPositionAfter,
  bulkPositionLengthMax,
  bulkPositionPattern,
  bulkTypes,
  type BulkChange as Change,
  type BulkFile as File,
  formatBulkPosition,
} from '../../market/published/bulk.ts';
import { retailers } from '../../market/source-rows/source-rows.ts';
import { editionOf, exportedName } from '../../publish/bulk/bulk-export.ts';
import {
  choice,
  exactly,
  flag,
  instant,
  largeCount,
  listOf,
  oneOf,
  orNull,
  record,
  text,
} from '../fields.ts';
import { HistoryPoint, presentSeries } from '../history.ts';
import { changesMax, plusPrefix, urlLengthMax } from '../limits.ts';
import { MinifigRecord } from '../minifig.ts';
import { RetailRow } from '../retail.ts';
import { SetRecord, setExample } from '../set.ts';
import { PublishedOffer, presentOffer } from './retail-history.ts';

const positionOptions = {
  maxLength: bulkPositionLengthMax,
  pattern: bulkPositionPattern,
  'x-expected': 'a position from GET /bulk or GET /bulk/changes, not one of events',
  examples: ['1794744000000-0'],
};

const type = `(${bulkTypes.join('|')})`;

export const BulkFileParams = exactly({
  type: choice(bulkFileTypes, 'Type of the documents in the file.'),
});

const format = choice(
  bulkFormats,
  '`jsonl`: gzipped JSON, one document per line; `csv`: gzipped CSV; `parquet`: Parquet. CSV ' +
    'and Parquet have the same columns, without lists.',
  { usual: bulkFormats[0], example: 'parquet' },
);

export const BulkFilesQuery = exactly({ format });

export const BulkFileQuery = exactly({
  format,
  position: Type.Optional(
    Type.String({
      ...positionOptions,
      description: 'The file made at this position. If omitted, the latest one.',
    }),
  ),
});

export const BulkChangesQuery = exactly({
  after: Type.Optional(
    Type.String({
      ...positionOptions,
      description:
        'Only changes after this position. If omitted, no changes are returned, and `next` is ' +
        'the latest position.',
    }),
  ),
  types: Type.Optional(
    Type.String({
      pattern: `^${type}(,${type}){0,${bulkTypes.length - 1}}$`,
      'x-expected': `some of ${bulkTypes.join(', ')}, separated by commas`,
      'x-list': true,
      maxLength: urlLengthMax,
      description: 'Only documents of these types, separated by commas.',
      examples: ['sets,retail'],
    }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: changesMax,
    format: 'int32',
    default: changesMax,
    description: 'Maximum number of changes to return.',
    examples: [changesMax],
  }),
});

const documentType = oneOf(bulkFileTypes, 'Type of the documents.');
const position = text('Send this as `after` to `GET /bulk/changes`. Not an event position.');

export const BulkFiles = record('BulkFileList', {
  files: listOf(
    record('BulkFile', 'One file.', {
      type: documentType,
      format: oneOf(bulkFormats, 'Format of the file.'),
      url: text('Path on this server to download it from, with the same key.'),
      bytes: largeCount('Size of the file in bytes.'),
      sha256: text('SHA-256 of the file, in hexadecimal.'),
      position,
      created_at: instant('When the file was finished.'),
    }),
    'One file per type; empty until the first files are made.',
    bulkFileTypes.length,
  ),
});

export const BulkFile = Type.String({
  format: 'binary',
  description: 'The file: gzipped JSON lines, gzipped CSV, or Parquet.',
});

/** The finalized months of a set, oldest first. */
const SetMonths = record('SetMonths', 'The finalized months of a set.', {
  set_number: text('The set number.'),
  sealed: listOf(HistoryPoint, 'Months of new sets, oldest first.'),
  used: listOf(HistoryPoint, 'Months of used sets, oldest first.'),
});

/** A change of a set at a retailer; not followed in `GET /bulk/changes`. */
export const RetailerChange = exactly({
  retailer: oneOf(retailers, 'The retailer.'),
  ...PublishedOffer.properties,
});

/** The published changes of a set at its retailers, oldest first. */
interface SetRetailChanges {
  readonly set_number: string;
  readonly changes: readonly Static<typeof RetailerChange>[];
}

/** A change of a document; the type determines its schema. */
const changeOf = <const Of extends BulkType, Document extends TSchema>(
  name: string,
  of: Of,
  document: Document,
) =>
  record(name, 'One change.', {
    type: Type.Literal(of, { description: 'Type of the document.' }),
    number: text('The canonical number of the set or minifigure.'),
    document: Type.Union([document, Type.Null()], {
      description: 'The current document in full, as in a file; null if it no longer exists.',
    }),
    replaced_by: orNull(
      text(
        'The number that has taken over from this one, without a document: that of the ' +
          'minifigure it was merged into, or its new spelling; null if none has.',
      ),
    ),
  });

export const BulkChanges = record('BulkChangePage', {
  changes: listOf(
    Type.Union([
      changeOf('SetChange', 'sets', SetRecord),
      changeOf('MinifigChange', 'minifigs', MinifigRecord),
      changeOf('MonthsChange', 'months', SetMonths),
      changeOf('RetailChange', 'retail', RetailRow),
    ]),
    'In order of publication.',
    changesMax,
  ),
  next: position,
  has_more: flag('Whether there are more changes after `next`.'),
});

export const bulkFilesOff = 'Bulk files are not offered here.';

export type BulkFiles = Static<typeof BulkFiles>;

export type SetMonths = Static<typeof SetMonths>;

export const bulkMediaTypes: Readonly<Record<BulkFormat, string>> = {
  jsonl: 'application/gzip',
  csv: 'application/gzip',
  parquet: 'application/vnd.apache.parquet',
};

function bulkFilePath({ type: of, format: as }: Pick<File, 'type' | 'format'>, at: string): string {
  const chosen = as === bulkFormats[0] ? '' : `&format=${as}`;
  return `${plusPrefix}/bulk/files/${of}?position=${at}${chosen}`;
}

export function presentFile(file: File): BulkFiles['files'][number] {
  const at = formatBulkPosition(bulkPositionAfter(file.stamp));
  return {
    type: file.type,
    format: file.format,
    url: bulkFilePath(file, at),
    bytes: file.bytes,
    sha256: file.sha256,
    position: at,
    created_at: formatInstant(file.createdAt),
  };
}

/** The manifest of an edition in a folder or bucket. */
export function presentManifest(files: readonly [File, ...File[]]): string {
  const [first] = files;
  const manifest = {
    edition: editionOf(first),
    position: formatBulkPosition(bulkPositionAfter(first.stamp)),
    created_at: formatInstant(first.createdAt),
    files: files.map((file) => ({
      type: file.type,
      format: file.format,
      path: exportedName(file),
      bytes: file.bytes,
      sha256: file.sha256,
    })),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The exact JSON of a document. */
export function presentDocument({ number, content }: Omit<BulkDocument, 'itemId'>): string {
  if (typeof content === 'string') return content;
  if (isOffers(content)) return JSON.stringify(presentOffers(number, content));
  const { sealed, used } = content;
  const months: SetMonths = {
    set_number: number,
    sealed: sealed ? presentSeries(sealed) : [],
    used: used ? presentSeries(used) : [],
  };
  return JSON.stringify(months);
}

function isOffers(content: BulkMonths | BulkOffers): content is BulkOffers {
  return Array.isArray(content);
}

function presentOffers(number: string, offers: BulkOffers): SetRetailChanges {
  return {
    set_number: number,
    changes: offers.map((offer) => ({ retailer: offer.retailer, ...presentOffer(offer) })),
  };
}

/** The exact JSON of a change. */
export function presentChange({ type: of, number, content, successor }: Change): string {
  const document = content === null ? 'null' : presentDocument({ number, content });
  return (
    `{"type":"${of}","number":${JSON.stringify(number)},"document":${document},` +
    `"replaced_by":${JSON.stringify(successor)}}`
  );
}

/** Examples for the OpenAPI document. */
export const bulkFilesExample: BulkFiles = {
  files: [
    {
      type: 'sets',
      format: 'jsonl',
      url: bulkFilePath({ type: 'sets', format: 'jsonl' }, '1794744000000-0'),
      bytes: 7340032,
      sha256: '0d7a2b1f4f1c6a35c0a3f7c1f4c2b6f1f0a4a1f0f5a5c7a0f7e6d3c2b1a09f8e',
      position: '1794744000000-0',
      created_at: '2026-11-15T12:00:00.000Z',
    },
  ],
};
export const bulkChangesExample: Static<typeof BulkChanges> = {
  changes: [
    { type: 'sets', number: '10482', document: setExample, replaced_by: null },
    { type: 'minifigs', number: 'fig-000007', document: null, replaced_by: 'coa0007' },
  ],
  next: '1794747600000-83863',
  has_more: false,
};
