/** `import log` and `import undo`. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { makeWorkplace, type Workplace } from '../support/cli.ts';
import { onTables } from '../support/tables.ts';

let place: Workplace;

beforeEach(() => {
  place = makeWorkplace();
});

afterEach(() => place.close());

interface Report {
  readonly import_id?: number;
  readonly added: number;
}

const set = (number: string, title: string) =>
  JSON.stringify({ kind: 'set', set_number: number, title, theme: 'Huts' });

const load = (...lines: string[]) =>
  place.json<Report>(['import', 'feed', '-'], { stdin: lines.join('\n') });

const titles = async () => {
  const sql = 'SELECT body FROM document ORDER BY key';
  const documents = await onTables<{ body: string }>(place.data, sql);
  return documents.map(({ body }) => JSON.parse(body).title);
};

test('a wrong import is listed, its undo previewed, and undone', async () => {
  await load(set('1', 'Hut'));
  const { import_id: id = 0 } = await load(set('1', 'Wrong'), set('2', 'Wrong, too'));
  expect(await titles()).toEqual(['Wrong', 'Wrong, too']);
  const counts = { import_id: id, removed: 1, restored: 1, items_removed: 1 };
  const undo = ['import', 'undo', String(id)];
  expect(await place.json<object>([...undo, '--dry-run'])).toEqual(counts);
  expect(await titles()).toEqual(['Wrong', 'Wrong, too']);
  expect(await place.json<object>(undo)).toEqual(counts);
  expect(await titles()).toEqual(['Hut']);
  const { stdout } = await place.run(['import', 'log']);
  expect(stdout).toContain(`import ${id}`);
  expect(stdout).toContain('undone Nov 15, 2026');
  const again = await place.run(undo);
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('already undone')]);
});

test('the report has the ID for undo if anything changed', async () => {
  const text = async (...lines: string[]) =>
    (await place.run(['import', 'feed', '-'], { stdin: lines.join('\n') })).stdout;
  expect(await text(set('1', 'Hut'))).toMatch(/To undo, run 'brickmark import undo \d+'\./);
  expect(await text(set('1', 'Hut'))).not.toContain('undo');
  expect(await load(set('1', 'Hut'))).not.toHaveProperty('import_id');
});

test('an import that cannot be undone is an error with a next step', async () => {
  await load(set('1', 'Hut'));
  const ran = async (...words: string[]) => {
    const { status, stdout, stderr } = await place.run(['import', 'undo', ...words]);
    expect(stdout).toBe('');
    return [status, stderr.trim()];
  };
  expect(await ran('77')).toEqual([
    1,
    "There is no import 77. Run 'brickmark import log' to list imports.",
  ]);
  expect(await ran()).toEqual([2, "ID is missing. See 'brickmark import undo --help'."]);
  expect(await ran('feed')).toEqual([2, expect.stringContaining("not 'feed'")]);
});
