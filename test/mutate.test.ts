/** Mutation testing itself: what it changes, what it leaves alone, and which suites it asks. */
import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Coverage } from '../scripts/mutation/coverage.ts';
import { equivalenceOf, equivalentKinds, equivalents } from '../scripts/mutation/equivalents.ts';
import {
  isOtherProgram,
  listFiles,
  makeMutant,
  mutatedFolders,
  sampleMutants,
} from '../scripts/mutation/mutants.ts';
import { applyEdit, findEdits } from '../scripts/mutation/operators.ts';
import { linesToRun } from '../scripts/mutation/run-lines.ts';
import { enginesOf, Suites } from '../scripts/mutation/suites.ts';
import { tokenize } from '../scripts/mutation/tokens.ts';

const root = resolve(import.meta.dir, '..');

/** What a source becomes, each with the operator that made it. */
const mutate = (source: string) =>
  findEdits(source).map((edit) => `${edit.operator}: ${applyEdit(source, edit)}`);

/** What one operator makes of a source. */
const by = (operator: string, source: string) =>
  findEdits(source)
    .filter((edit) => edit.operator === operator)
    .map((edit) => applyEdit(source, edit));

describe('tokens', () => {
  const texts = (source: string) => tokenize(source).map(({ kind, text }) => `${kind} ${text}`);

  test('are words, numbers, marks and the text of strings; comments are none', () => {
    expect(texts("let a = 1_000.5; // b\n/* c */ d('e')")).toEqual([
      'word let',
      'word a',
      'mark =',
      'number 1_000.5',
      'mark ;',
      'word d',
      'mark (',
      "mark '",
      'text e',
      "mark '",
      'mark )',
    ]);
  });

  test('of templates are their pieces and what stands between them, however deep', () => {
    expect(texts('`a $' + '{b ? `$' + '{{ c }}` : 1} d`')).toEqual([
      'mark `',
      'text a ',
      'mark ${',
      'word b',
      'mark ?',
      'mark `',
      'mark ${',
      'mark {',
      'word c',
      'mark }',
      'mark }',
      'mark `',
      'mark :',
      'number 1',
      'mark }',
      'text  d',
      'mark `',
    ]);
  });

  test('tell regular expressions from division', () => {
    expect(texts('a / b / c')).not.toContain('regex / b /');
    expect(texts('return /[/"]\\/+/g.test(a)')).toContain('regex /[/"]\\/+/g');
    expect(texts('f(/a<b/)')).toContain('regex /a<b/');
  });

  test('end a string at its own quote', () => {
    expect(texts(`'a\\'b"c'`)).toEqual(["mark '", `text a\\'b"c`, "mark '"]);
  });
});

describe('an operator', () => {
  const cases: [operator: string, source: string, ...mutants: string[]][] = [
    ['boundary', 'a < b', 'a <= b'],
    ['boundary', 'a >= b', 'a > b'],
    ['equality', 'a === b', 'a !== b'],
    ['logic', 'a && b || c', 'a || b || c', 'a && b && c'],
    ['arithmetic', 'a + b * -c', 'a - b * -c', 'a + b / -c'],
    ['arithmetic', 'a++; b -= c', 'a--; b -= c', 'a++; b += c'],
    ['boolean', 'f(true, { a: false })', 'f(false, { a: false })', 'f(true, { a: true })'],
    ['number', 'a[0] + 5 + 0.5', 'a[1] + 5 + 0.5', 'a[0] + 4 + 0.5', 'a[0] + 5 + 1.5'],
    ['default', 'f(a ?? [b, c], d)', 'f(a , d)'],
    ['default', 'a ?? new Map<number, b>();', 'a ;'],
    ['default', 'a ??= b;', 'a = b;'],
    ['guard', 'if (a) return b;\nc();', '\nc();'],
    ['guard', 'if (a) {\n  b();\n  return;\n}\nc();', '\nc();'],
    ['guard', 'for (;;) if (a) continue;', 'for (;;) '],
    ['ternary', 'const a = b ? c : d;', 'const a = b ? d : c;'],
    ['ternary', '[a ? (b, c) : d, e]', '[a ? d : (b, c), e]'],
    ['negation', 'if (!a) b();', 'if (a) b();'],
    ['method', 'Math.max(a, b.ceil)', 'Math.min(a, b.ceil)', 'Math.max(a, b.floor)'],
    ['await', 'const a = await b();', 'const a = b();'],
    ['statement', 'a();\nawait b.c(d)[0]?.e();\nf = g();', '{}\nawait b.c(d)[0]?.e();\nf = g();'],
    ['statement', 'if (a) b();\nelse c();', 'if (a) {}\nelse c();'],
  ];
  test.each(cases)('%s changes %p', (operator, source, ...mutants) => {
    expect(by(operator, source).slice(0, mutants.length)).toEqual(mutants);
  });

  test('takes out each statement that is nothing but a call, and no other', () => {
    const source = 'a();\nawait b.c(d)[0]?.e();\nf = g();\nreturn h();';
    expect(by('statement', source)).toEqual([
      '{}\nawait b.c(d)[0]?.e();\nf = g();\nreturn h();',
      'a();\n{}\nf = g();\nreturn h();',
    ]);
  });

  test('takes no guard away that something else hangs on', () => {
    expect(by('guard', 'if (a) return b; else return c;')).toEqual([]);
    expect(by('guard', 'if (a) return b;\nelse if (c) return d;')).toEqual([]);
    expect(by('guard', 'if (a) { b(); }')).toEqual([]);
  });

  test('swaps the branches of nested ternaries, each for itself', () => {
    expect(by('ternary', 'f(a ? b : c ? d : e)')).toEqual([
      'f(a ? c ? d : e : b)',
      'f(a ? b : c ? e : d)',
    ]);
  });
});

describe('an operator on SQL', () => {
  const cases: [operator: string, source: string, ...mutants: string[]][] = [
    ['sql boundary', 'WHERE a < ?1', 'WHERE a <= ?1'],
    ['sql boundary', 'WHERE a >= $1', 'WHERE a > $1'],
    ['sql equality', 'UPDATE t SET a = ?1 WHERE b = ?2', 'UPDATE t SET a = ?1 WHERE b <> ?2'],
    ['sql equality', 'WHERE a <> b', 'WHERE a = b'],
    ['sql logic', 'WHERE a OR b', 'WHERE a AND b'],
    ['sql order', 'FROM t ORDER BY a DESC', 'FROM t ORDER BY a ASC'],
    ['sql order', 'FROM t ORDER BY a, b', 'FROM t ORDER BY a DESC, b'],
    ['sql null', 'WHERE a IS NOT NULL', 'WHERE a IS NULL'],
    ['sql exists', 'WHERE NOT EXISTS (b)', 'WHERE EXISTS (b)'],
    ['sql lock', 'FROM t FOR NO KEY UPDATE', 'FROM t '],
    ['sql method', 'SELECT min(a)', 'SELECT max(a)'],
    ['sql number', 'FROM t LIMIT 1', 'FROM t LIMIT 2'],
    ['sql arithmetic', 'SET a = a + 1', 'SET a = a - 1'],
  ];
  test.each(cases)('%s changes %p', (operator, sql, ...mutants) => {
    const quoted = (text: string) => `f(\`${text}\`)`;
    expect(by(operator, quoted(sql))).toEqual(mutants.map(quoted));
  });

  test('leaves alone what is no comparison, no number and no clause', () => {
    expect(mutate("f('SELECT 1 FROM t')")).toEqual([]);
    expect(mutate("f('SELECT $1::bigint, ?2, a ->> b FROM t')")).toEqual([]);
    expect(by('sql logic', "f('CREATE OR REPLACE FUNCTION f; SELECT')")).toEqual([]);
    expect(by('sql logic', "f('WHERE a BETWEEN 1 AND 2')")).toEqual([]);
    expect(mutate("f('a < b and c = 1, or SOME TEXT')")).toEqual([]);
    expect(mutate('f(`SELECT a -- b = 1 AND c\nFROM t`)')).toEqual([]);
  });
});

test('nothing inside comments, names, texts and regular expressions is changed', () => {
  expect(mutate('/** a < b && c === 1 */')).toEqual([]);
  expect(mutate('// return true;\nlet a;')).toEqual([]);
  expect(mutate('const a = /x{1,2}+<=!/;')).toEqual([]);
  expect(mutate("const a = 'b < 1 && !true';")).toEqual([]);
  expect(mutate('import * as a from "b"; function* c() {}')).toEqual([]);
});

test('a mutant says where it is, and what the line was and became', () => {
  const source = 'let a;\nif (a < b) {\n  c();\n}\n';
  const edit = findEdits(source)[0];
  if (!edit) throw new Error('There is nothing to change.');
  expect(makeMutant('src/a.ts', source, edit)).toMatchObject({
    line: 2,
    before: 'if (a < b) {',
    after: 'if (a <= b) {',
  });
});

test('what cannot be read, or differs in its types alone, is no other program', () => {
  const isOther = (original: string, mutated: string) =>
    isOtherProgram({ ...bare, original, mutated });
  const bare = { file: 'a.ts', line: 1, operator: '', before: '', after: '' };
  expect(isOther('f(1);', 'f(2);')).toBe(true);
  expect(isOther('f(1);', 'f(;')).toBe(false);
  expect(isOther('let a: 1 | 2;', 'let a: 1 | 3;')).toBe(false);
});

describe('a sample', () => {
  const files = listFiles(root, ['src/domain/kernel']);
  const draw = (seed: number, count = 20) =>
    sampleMutants(root, files, { seed, count }).mutants.map(
      ({ file, line, after }) => `${file}:${line} ${after}`,
    );

  test('is the same for the same seed, and another for another', () => {
    expect(draw(1)).toHaveLength(20);
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1, 5)).toEqual(draw(1).slice(0, 5));
    expect(draw(1)).not.toEqual(draw(2));
  });

  test('has files of the source only, from every folder that is mutated', () => {
    const all = listFiles(root, mutatedFolders);
    expect(all.filter((file) => file.includes('.test.'))).toEqual([]);
    for (const folder of mutatedFolders) {
      expect(all.some((file) => file.startsWith(`${folder}/`))).toBe(true);
    }
    expect(listFiles(root, ['src/config.ts'])).toEqual(['src/config.ts']);
  });
});

describe('suites', () => {
  const suites = new Suites(root);

  test('of a file are those that import it when they run, its own first', () => {
    const found = suites.of('src/domain/kernel/money.ts', 'SQLite');
    expect(found[0]).toBe('src/domain/kernel/money.test.ts');
    expect(found).toContain('test/decisions/requests.test.ts');
    expect(found).not.toContain('src/domain/kernel/network.test.ts');
  });

  test('of a folder, and those named for words of a file, come before all others', () => {
    const found = suites.of('src/store/market/ingest/undo-rows.ts', 'SQLite');
    expect(found.slice(0, 2).sort()).toEqual([
      'src/store/market/ingest.test.ts',
      'src/store/market/ingest/undo.test.ts',
    ]);
    const admission = suites.of('src/store/postgres/place-admission-schema.ts', 'PostgreSQL');
    expect(admission[0]).toBe('src/store/postgres/admission.test.ts');
    const newer = suites.of('src/store/market/ingest/undo-newer.ts', 'SQLite');
    expect(newer[0]).toBe('src/store/market/ingest/undo-newer.test.ts');
    const target = suites.of('src/store/move/checksum.ts', 'SQLite');
    expect(target.slice(0, 2)).toContain('test/cli/move.test.ts');
  });

  test('that start nodes are asked about what they are named for, and of others at the end', () => {
    const nodes = 'test/nodes/roles.test.ts';
    expect(suites.of('src/store/postgres/roles.ts', 'PostgreSQL')[0]).toBe(nodes);
    expect(suites.of('src/store/postgres/store.ts', 'PostgreSQL')[0]).not.toBe(nodes);
  });

  test('named for locks come first where one is missing, which SQLite does not notice', () => {
    const file = 'src/store/accounts/holding-edits.ts';
    const found = suites.of(file, 'PostgreSQL', 'sql lock');
    expect(found[0]).toBe('src/store/postgres/account-lock.test.ts');
    expect(suites.of(file, 'PostgreSQL', 'sql order')[0]).not.toBe(found[0]);
    expect(enginesOf(file, 'sql lock')).toEqual(['PostgreSQL']);
  });

  test('of a folder nearby come before others that take as long', () => {
    const found = suites.of('src/store/postgres/bulk.ts', 'PostgreSQL');
    const place = (suite: string) => found.indexOf(suite);
    expect(place('src/store/postgres/migrations.test.ts')).toBeGreaterThanOrEqual(0);
    expect(place('src/store/postgres/migrations.test.ts')).toBeLessThan(
      place('test/cli/sources.test.ts'),
    );
  });

  test('are near to what they are named for, or import themselves', () => {
    const near = (file: string) => suites.isNear('src/store/move/copy-text.test.ts', file);
    expect(near('src/store/move/copy-text.ts')).toBe(true);
    expect(near('src/store/move/checksum.ts')).toBe(true);
    expect(near('src/domain/kernel/time.ts')).toBe(false);
  });

  test('on PostgreSQL are those that run there', () => {
    const found = suites.of('src/store/postgres/store.ts', 'PostgreSQL');
    expect(found).toContain('src/store/accounts/admission.test.ts');
    expect(found).toContain('src/store/postgres/account-lock.test.ts');
    expect(found).not.toContain('test/cli/backup.test.ts');
    expect(enginesOf('src/store/postgres/store.ts')).toEqual(['PostgreSQL']);
    expect(enginesOf('src/store/sqlite/store.ts')).toEqual(['SQLite']);
    expect(enginesOf('src/store/members.ts')).toEqual(['SQLite', 'PostgreSQL']);
    expect(enginesOf('src/domain/kernel/money.ts')).toEqual(['SQLite']);
  });
});

test('a short suite is asked before a long one that is nearer', () => {
  const found = new Suites(root).of('src/store/accounts/lots.ts', 'SQLite');
  const place = (suite: string) => found.indexOf(suite);
  expect(place('src/store/accounts/holdings.test.ts')).toBeGreaterThanOrEqual(0);
  expect(place('src/store/accounts/holdings.test.ts')).toBeLessThan(
    place('test/cli/backup.test.ts'),
  );
});

test('a constant of a file matters where it is used, and all else where it is', () => {
  const source = [
    'import { f } from "g";',
    'const a = `SELECT',
    '  1`;',
    'const b = { a };',
    'const c = (x: number) => x;',
    'function d() {',
    '  const a2 = 5;',
    '  return f(b, a2);',
    '}',
    'const unused = 1;',
  ].join('\n');
  const lines = (line: number) => linesToRun(source, line);
  expect([2, 3, 4].map(lines)).toEqual([[8], [8], [8]]);
  expect([5, 7, 8, 10].map(lines)).toEqual([[5], [7], [8], [10]]);
});

describe('coverage', () => {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-coverage-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'cache', 'coverage.json');
  const write = (file: string, text: string) => {
    mkdirSync(join(folder, 'src'), { recursive: true });
    writeFileSync(join(folder, 'src', file), text);
  };
  const report = [
    'SF:src/a.ts\nFNF:1\nDA:2,1\nDA:3,0\nDA:7,12\nend_of_record',
    'SF:src/b.ts\nDA:1,1\nend_of_record',
    'SF:test/c.ts\nDA:1,1\nend_of_record\n',
  ].join('\n');
  const suite = 'SQLite src/a.test.ts';

  test('says which lines a suite runs, one of which nothing is said by the line before', () => {
    const coverage = new Coverage(folder, path);
    const runs = (line: number) => coverage.runs({ suite, file: 'src/a.ts', line });
    expect(runs(2)).toBeNull();
    coverage.learn(suite, report, 'src/b.ts');
    expect([1, 2, 3, 6, 7, 9].map(runs)).toEqual([null, true, false, false, true, true]);
    const runsAny = (...lines: number[]) => coverage.runsAny({ suite, file: 'src/a.ts', lines });
    expect([runsAny(1, 3, 7), runsAny(1, 3), runsAny(3, 4)]).toEqual([true, null, false]);
    expect(coverage.runs({ suite, file: 'src/b.ts', line: 1 })).toBeNull();
    expect(coverage.runs({ suite: 'SQLite x', file: 'src/a.ts', line: 2 })).toBeNull();
  });

  test('is kept, and says nothing any more of a file or a suite that has changed', () => {
    write('a.ts', 'a');
    write('b.ts', 'b');
    write('a.test.ts', 'test');
    const first = new Coverage(folder, path);
    first.learn(suite, report, null);
    first.save();
    const runs = (file: string) => new Coverage(folder, path).runs({ suite, file, line: 2 });
    expect([runs('src/a.ts'), runs('src/b.ts')]).toEqual([true, true]);
    write('a.ts', 'other');
    expect([runs('src/a.ts'), runs('src/b.ts')]).toEqual([null, true]);
    write('a.test.ts', 'other');
    expect(runs('src/b.ts')).toBeNull();
  });
});

test('what is left out as equivalent has a reason, and is still there', async () => {
  const files = listFiles(root, ['src']);
  for (const { reason } of [...equivalentKinds, ...equivalents]) {
    expect(reason).toMatch(/^[A-Z].{20,}\.$/);
  }
  for (const { file, line } of equivalents) {
    const named = files.filter((each) => each.endsWith(`/${file}`));
    const texts = await Promise.all(named.map((each) => Bun.file(join(root, each)).text()));
    expect(named).not.toEqual([]);
    expect(texts.join().replace(/\s+/g, ' ')).toContain(line ?? '');
  }
});

test('a default is left out where an index is within its list, and nowhere else', () => {
  const place = { file: 'src/a.ts', operator: 'number', line: '', ahead: '0;' };
  expect(equivalenceOf({ ...place, behind: 'a[b] ?? ' })).not.toBeNull();
  expect(equivalenceOf({ ...place, behind: 'a.get(b) ?? ' })).toBeNull();
  expect(equivalenceOf({ ...place, operator: 'default', behind: 'a[b] ?? ' })).toBeNull();
});

test('a migration that is superseded is left out, and the one in its place is not', () => {
  const place = { operator: 'sql logic', behind: '', ahead: '', line: 'WHERE a AND b' };
  const isLeftOut = (name: string) =>
    equivalenceOf({ ...place, file: `src/store/postgres/${name}` }) !== null;
  expect(isLeftOut('admission-schema.ts')).toBe(true);
  expect(isLeftOut('place-admission-schema.ts')).toBe(false);
});

test('a time limit is left out where it is written in milliseconds, not where it is in days', () => {
  const place = { file: 'src/a.ts', operator: 'number', line: '', behind: 'const waitMs = ' };
  expect(equivalenceOf({ ...place, ahead: '8_000;' })).not.toBeNull();
  expect(equivalenceOf({ ...place, ahead: '180 * dayMs;' })).toBeNull();
  expect(equivalenceOf({ ...place, ahead: '0;' })).toBeNull();
  expect(equivalenceOf({ ...place, behind: 'const dayMs = ', ahead: '86_400_000;' })).toBeNull();
});

test('a guard is left out where it saves a statement, and not where it decides something', () => {
  const isGuard = (ahead: string) =>
    equivalenceOf({ file: 'src/a.ts', operator: 'guard', line: '', behind: '', ahead }) !== null;
  expect(isGuard('if (stored.length === 0) return [];')).toBe(true);
  expect(isGuard('if (setIds.length + minifigKeys.length === 0) return [];')).toBe(true);
  expect(isGuard('if (later.size === 0) return;')).toBe(false);
  expect(isGuard('if (old.length === 0) return parameters.length === 0;')).toBe(false);
});

test('a limit of one is left out where one row is read, and not where all are', () => {
  const isLimit = (behind: string, ahead = '1`') =>
    equivalenceOf({ file: 'src/a.ts', operator: 'sql number', line: '', behind, ahead }) !== null;
  expect(isLimit('yield* first<{ id: number }>(\n `SELECT id FROM a LIMIT ')).toBe(true);
  expect(isLimit('const any = `SELECT 1 FROM a LIMIT ')).toBe(true);
  expect(isLimit('yield* queryEach(`SELECT id FROM a LIMIT ')).toBe(false);
  expect(isLimit('yield* first(`SELECT (SELECT id FROM a LIMIT ', '1) AS id`')).toBe(false);
});

test('a default is left out for a count, which always has a row, and not for what is not there', () => {
  const place = { file: 'src/a.ts', operator: 'number', line: '', ahead: '0;' };
  expect(equivalenceOf({ ...place, behind: 'counted?.n ?? ' })).not.toBeNull();
  expect(equivalenceOf({ ...place, behind: 'sums.get(name)?.count ?? ' })).toBeNull();
});

/** The copies of trees that mutation testing has left behind. */
const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith('brickmark-mutate-'));

test('the tree stays as it is, and its copy is gone, also after Ctrl-C', async () => {
  const before = copies();
  const sources = () =>
    Promise.all(listFiles(root, ['src/domain/kernel']).map((file) => Bun.file(file).text()));
  const written = await sources();
  const child = Bun.spawn(
    [process.execPath, 'scripts/mutate.ts', '--count', '50', '--file', 'src/domain/kernel'],
    { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const mine = () => copies().filter((name) => !before.includes(name));
  const isCopied = () => mine().some((name) => existsSync(join(tmpdir(), name, 'node_modules')));
  while (child.exitCode === null && !isCopied()) await Bun.sleep(20);
  const [copy = ''] = mine();
  child.kill('SIGINT');
  expect(await child.exited).toBe(1);
  expect(copy).not.toBe('');
  expect(existsSync(join(tmpdir(), copy))).toBe(false);
  expect(await sources()).toEqual(written);
});
