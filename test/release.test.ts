/**
 * The files of a release: notes, checksums, and packages that are the same each time they are
 * built. `npm run release -- --dry-run` compares all files.
 */
// @runs SQLite (rest): packs a package
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packNpmClient } from '../scripts/pack-clients.ts';
import { checksums, differences } from '../scripts/release.ts';
import { releaseNotes } from '../scripts/release-files.ts';
import { makeSbom } from '../scripts/sbom.ts';
import { runIn } from './support/client-programs.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-release-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the notes are the section of the version, without links into the docs', () => {
  const section = '## 1.2.3\n\n### API\n\n- New: see [Run](docs/run.md#new).\n';
  const changelog = `# Changelog\n\n## Unreleased\n\n${section}\n## 1.2.2\n\n- Old.\n`;
  expect(releaseNotes(changelog, '1.2.3')).toBe('### API\n\n- New: see Run (docs/run.md#new).\n');
  expect(releaseNotes(changelog, '1.2.2')).toBe('- Old.\n');
  expect(() => releaseNotes(changelog, '1.2')).toThrow('CHANGELOG.md has no section for 1.2.');
});

test('sha256sum accepts the checksums, and notices a change', async () => {
  const place = join(folder, 'files');
  mkdirSync(place);
  for (const name of ['b', 'a']) writeFileSync(join(place, name), name);
  writeFileSync(join(place, 'SHA256SUMS'), checksums(place));
  const check = ['sha256sum', '--check', '--quiet', '--strict', 'SHA256SUMS'];
  expect(await runIn(place, check)).toEqual({ stdout: '', stderr: '', status: 0 });
  writeFileSync(join(place, 'b'), 'c');
  expect((await runIn(place, check)).stdout).toBe('b: FAILED\n');
  const before = readFileSync(join(place, 'SHA256SUMS'), 'utf8');
  expect(differences(before, checksums(place))).toEqual(['b']);
  expect(differences(before, `${before}${'0'.repeat(64)}  more\n`)).toEqual(['more']);
  expect(differences(before, before)).toEqual([]);
});

test('the npm client and the SBOM have the same bytes each time', async () => {
  const [one, other] = [join(folder, 'one'), join(folder, 'two', 'deeper')];
  await packNpmClient(one);
  // Times in archives count seconds.
  await Bun.sleep(1001);
  await packNpmClient(other);
  expect(differences(checksums(one), checksums(other))).toEqual([]);
  expect(JSON.stringify(makeSbom())).toBe(JSON.stringify(makeSbom()));
});

test('only --dry-run is offered, for parts that exist', async () => {
  const release = [process.execPath, join(import.meta.dir, '..', 'scripts', 'release.ts')];
  const bare = await runIn(folder, release);
  expect([bare.status, bare.stderr]).toEqual([
    2,
    'Use --dry-run: a release is published by .github/workflows/release.yml.\n',
  ]);
  const unknown = await runIn(folder, [...release, '--dry-run', '--only', 'image']);
  expect([unknown.status, unknown.stderr]).toEqual([
    2,
    "There is no part 'image'; parts are packages and executables.\n",
  ]);
});
