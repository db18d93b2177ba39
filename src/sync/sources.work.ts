/** All sources that can be in `sources.toml`. */
import { type DataKind, dataOfFormat } from '../ingest/runner/import-formats.ts';
import type { Source } from './source.work.ts';
import { bricklinkSource } from './sources/bricklink.work.ts';
import { bricksetSource } from './sources/brickset.work.ts';
import { ebaySource } from './sources/ebay.work.ts';
import { ecbSource } from './sources/ecb.work.ts';
import { httpSource } from './sources/http.work.ts';
import { keepaSource } from './sources/keepa.work.ts';
import { rebrickableSource } from './sources/rebrickable.work.ts';

/** In the order of `sync check` and `sync status`. */
export const sources: readonly Source[] = [
  ecbSource,
  rebrickableSource,
  bricksetSource,
  bricklinkSource,
  keepaSource,
  ebaySource,
  httpSource,
];

/** By its name in the store. An `[[http]]` may be named after its format. */
export function dataOfSource(name: string): DataKind {
  const source = sources.find((each) => each.name === name);
  return source?.data ?? dataOfFormat(name) ?? httpSource.data;
}
