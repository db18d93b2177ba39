/** A server that copies its bulk files to a folder, by its settings. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plusPrefix } from '../../src/contract/limits.ts';
import { bulkFileTypes, bulkFormats } from '../../src/market/published/bulk.ts';
import { type FullPlace, makeFullPlace } from '../support/full-place.ts';
import { until } from '../support/until.ts';

let place: FullPlace;

beforeEach(async () => {
  place = await makeFullPlace();
});
afterEach(() => place.close());

test('files are copied without being offered to callers', async () => {
  const folder = join(place.folder, 'copies');
  mkdirSync(folder);
  const server = await place.serve({ env: { BRICKMARK_BULK_TARGET: folder } });
  const manifest = join(folder, 'manifest.json');
  await until(() => existsSync(manifest));
  const { files } = JSON.parse(readFileSync(manifest, 'utf8'));
  expect(files).toHaveLength(bulkFileTypes.length * bulkFormats.length);
  for (const { path, bytes } of files) expect(Bun.file(join(folder, path)).size).toBe(bytes);
  const headers = { Authorization: `Bearer ${place.key}` };
  const offered = await fetch(`${server.url}${plusPrefix}/bulk`, { headers });
  expect(offered.status).toBe(404);
});
