/** The TypeScript client of Brickmark: `brickmark-client`, and `brickmark/client` of the server. */
export { Brickmark, type BrickmarkOptions, type BrickmarkPlus } from './brickmark.ts';
export type { BulkDocuments, BulkFileReader, SetMonths, SetRetailChanges } from './bulk-file.ts';
export { BrickmarkError, type Budget, NetworkError } from './errors.ts';
export type { EventStream, StreamOptions } from './event-stream.ts';
export type { Pages } from './paging.ts';
export type { CallOptions } from './transport.ts';
export type * from './types.ts';
