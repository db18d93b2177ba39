/** Every format has an example in docs/formats.md that can be imported unchanged. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { detectFormat } from '../../src/ingest/runner/detect.work.ts';
import { formats } from '../../src/ingest/runner/formats.work.ts';
import { makeWorkplace, type Workplace } from '../support/cli.ts';
import { readExamples, writeExample } from '../support/doc-examples.ts';
import { layGround } from '../support/example-ground.ts';

const examples = readExamples(join(import.meta.dir, '..', '..', 'docs', 'formats.md'));

interface Report {
  readonly read: number;
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  readonly rejects: unknown[];
}

let place: Workplace;

// One store for all, as for a reader who follows the page.
beforeAll(async () => {
  place = makeWorkplace();
  await layGround(place);
});

afterAll(() => place.close());

test('every format has a section with an example', () => {
  const shown = examples.filter(({ files, commands }) => files.length * commands.length > 0);
  expect(shown.map(({ format }) => format).sort()).toEqual(Object.keys(formats).sort());
});

test('a section is found by any format name', () => {
  const page = join(place.folder, 'page.md');
  writeFileSync(page, '# Formats\n\n## `lot-list-2`\n\n```csv lots.csv\na\n```\n\n## Others\n');
  const files = [{ name: 'lots.csv', text: 'a\n' }];
  expect(readExamples(page)).toEqual([{ format: 'lot-list-2', files, commands: [] }]);
});

describe.each(examples)('$format', (example) => {
  test('the example is imported completely, and again without a change', async () => {
    writeExample(place.folder, example);
    for (const words of example.commands) {
      const report = await place.json<Report>(words);
      expect(report.rejects).toEqual([]);
      expect(report.added + report.updated).toBe(report.read);
      expect(report.read).toBeGreaterThan(0);
      const again = await place.json<Report>(words);
      expect(again).toMatchObject({ read: report.read, unchanged: report.read });
    }
  });

  test('the example is detected in a drop folder', async () => {
    writeExample(place.folder, example);
    for (const words of example.commands) {
      const isPrivate = words.includes('--account');
      for (const path of pathsOf(words)) {
        const detected = await detectFormat(join(place.folder, path), { isPrivate });
        expect<string | undefined>(detected?.format).toBe(example.format);
      }
    }
  });
});

/** The paths in a command: the words after the format without flags and their values. */
function pathsOf(words: readonly string[]): string[] {
  return words.slice(2).filter((word, index, rest) => {
    return !word.startsWith('--') && !rest[index - 1]?.startsWith('--');
  });
}
