/** All sources that can be in `sources.toml`. */
import { type DataKind, dataOfFormat } from '../ingest/runner/import-formats.ts';
import type { Source } from './source.ts';
import { bricklinkSource } from './sources/bricklink.ts';
import { bricksetSource } from './sources/brickset.ts';
import { ebaySource } from './sources/ebay.ts';
import { ecbSource } from './sources/ecb.ts';
import { httpSource } from './sources/http.ts';
import { keepaSource } from './sources/keepa.ts';
import { rebrickableSource } from './sources/rebrickable.ts';

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
