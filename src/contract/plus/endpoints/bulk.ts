/** All published data as files, and the changes since, if the operator offers them. */
import type { Endpoint } from '../../endpoint.ts';
import * as bulk from '../bulk.ts';
import { shared } from './usual.ts';

const row = { ...shared, mayBeOff: true, tag: 'Bulk' } as const;

export const bulkEndpoints = {
  listBulkFiles: {
    ...row,
    path: '/bulk',
    summary: 'List bulk files',
    description:
      'Returns the latest daily files with all published data, in one format. 404 at no cost ' +
      'if the operator does not offer bulk files. The same for every caller.',
    docs: 'daily files with all sets, minifigures, months and retail prices',
    query: bulk.BulkFilesQuery,
    answer: bulk.BulkFiles,
    example: bulk.bulkFilesExample,
  },
  getBulkFile: {
    ...row,
    cost: 'per file',
    kind: 'file',
    path: '/bulk/files/{type}',
    summary: 'Download a bulk file',
    description:
      'Returns a file with all documents of a type. `Range` requests are supported and cost ' +
      'the same. 404 at no cost if the file does not exist or the operator does not offer ' +
      'bulk files. The same for every caller.',
    docs: 'one bulk file: gzipped JSON lines, gzipped CSV, or Parquet',
    params: bulk.BulkFileParams,
    query: bulk.BulkFileQuery,
    answer: bulk.BulkFile,
    example: null,
    mayMiss: true,
  },
  listBulkChanges: {
    ...row,
    path: '/bulk/changes',
    summary: 'List changes since a bulk file',
    description:
      'Returns documents changed or deleted after a position. Load a file and start from ' +
      'its `position`, then send `next` as `after`. 404 at no cost if the operator does not ' +
      'offer bulk files. The same for every caller.',
    docs: 'documents changed or deleted after a position',
    query: bulk.BulkChangesQuery,
    answer: bulk.BulkChanges,
    example: bulk.bulkChangesExample,
  },
} as const satisfies Record<string, Endpoint>;
