/** Mutation testing: operators, equivalent mutants, choice of suites, and scores. */
import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readCode } from '../scripts/mutation/code.ts';
import { equivalenceOf, equivalentKinds } from '../scripts/mutation/equivalents.ts';
import {
  folderOf,
  isOtherProgram,
  listFiles,
  listFolders,
  makeMutant,
  sampleMutants,
} from '../scripts/mutation/mutants.ts';
import { applyEdit, findEdits } from '../scripts/mutation/operators.ts';
import { isEnough, scoresOf, survivorsOf, tableOf } from '../scripts/mutation/report.ts';
import { needsPostgres, Suites, within } from '../scripts/mutation/suites.ts';
import type { Tried } from '../scripts/mutation/trial.ts';

const root = resolve(import.meta.dir, '..');

/** All mutants of a source, with their operators. */
const mutate = (source: string) =>
  findEdits(source).map((edit) => `${edit.operator}: ${applyEdit(source, edit)}`);

/** The mutants of one operator. */
const by = (operator: string, source: string) =>
  findEdits(source)
    .filter((edit) => edit.operator === operator)
    .map((edit) => applyEdit(source, edit));

describe('code', () => {
  const code = (source: string) => readCode(source).code;

  test('replaces comments by blanks and each character of a string by x', () => {
    expect(code("a('b'); // c's\n/* d */ e(\"f'\")")).toBe('a(\'x\');       \n        e("xx")');
    expect(code(`'a\\'b"c' + d`)).toBe(`'xxxxxx' + d`);
  });

  test('keeps the code inside templates, at any depth', () => {
    expect(readCode('`a $' + '{b ? `$' + '{{ c }}` : 1} d` + e')).toMatchObject({
      code: '`xx$' + '{b ? `$' + '{{ c }}` : 1}xx` + e',
      texts: [
        { text: 'a ', start: 1 },
        { text: '', start: 10 },
        { text: '', start: 18 },
        { text: ' d', start: 24 },
      ],
    });
  });

  test('replaces regular expressions by x, but not division', () => {
    expect(code('a / b / c')).toBe('a / b / c');
    expect(code('return /[/"]\\/+/g.test(a)')).toBe('return xxxxxxxxxx.test(a)');
    expect(code("f(/a<'/)")).toBe('f(xxxxx)');
    expect(code('b; /** It is 1/2. */ c')).toBe('b;                   c');
  });

  test('keeps the code inside JSX, and replaces tags and text by x', () => {
    const jsx = (source: string) => readCode(source, true).code;
    expect(jsx('f(<p class="a < b">It\'s {a < b}.</p>, c < d)')).toBe(
      `f(${'x'.repeat(2)} ${'x'.repeat(19)}{a < b}xxxxx, c < d)`,
    );
    expect(jsx('a && (\n  <A {...b} c={d ? <b /> : e} // f\n  >\n  </A>\n);')).toBe(
      'a && (\n  xx {...b} xx{d ? xx xx : e}     \n  xxxxxxxx\n);',
    );
    expect(jsx('<>{`a $' + '{<b>{c}</b>}`} d</> < e')).toBe('xx{`xx$' + '{xxx{c}xxxx}`}xxxxx < e');
    expect(jsx('const a = new Map<A, B>(); return b < c;')).toBe(
      'const a = new Mapxxxxxx(); return b < c;',
    );
  });

  test('without an end is not read as JSX', () => {
    expect(() => readCode('f(<a,', true)).toThrow('This is not JSX: ,');
    expect(() => readCode('f(<a>b', true)).toThrow('This is not JSX: ');
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
    ['default', 'f(a ?? [b, c], d)', 'f(a, d)'],
    ['default', 'a ?? new Map<number, b>();', 'a;'],
    ['default', 'a ??= b;', 'a = b;'],
    ['guard', 'if (a) return b;\nc();', '\nc();'],
    ['guard', 'if (a) {\n  b();\n  return;\n}\nc();', '\nc();'],
    ['guard', 'if (a)\n  return { b: [c] };\nd();', '\nd();'],
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

  test('on JSX removes attributes without a value, and components without children', () => {
    const source = 'a = <A b c={d} e="f"><G h={<I />} /><br /><J>k</J>{l ? <M /> : n}</A>;';
    const edits = findEdits(source, true).filter(({ operator }) => operator !== 'ternary');
    expect(edits.map((edit) => `${edit.operator}: ${applyEdit(source, edit)}`)).toEqual([
      `attribute: ${source.replace(' b ', '  ')}`,
      `component: ${source.replace('<G h={<I />} />', '')}`,
    ]);
  });

  test('removes each statement that is only a call, and no other', () => {
    const source = 'a();\nawait b.c(d)[0]?.e();\nf = g();\nreturn h();';
    expect(by('statement', source)).toEqual([
      '{}\nawait b.c(d)[0]?.e();\nf = g();\nreturn h();',
      'a();\n{}\nf = g();\nreturn h();',
    ]);
  });

  test('removes a guard only if it is a bare early exit without else', () => {
    expect(by('guard', 'if (a) return b; else return c;')).toEqual([]);
    expect(by('guard', 'if (a) return b;\nelse if (c) return d;')).toEqual([]);
    expect(by('guard', 'if (a) { b(); }')).toEqual([]);
    expect(by('guard', 'if (a) { b(); if (c) { return; } }')).toEqual(['if (a) { b();  }']);
  });

  test('swaps the branches of nested ternaries separately', () => {
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
    [
      'sql lock',
      'WHERE a ORDER BY b\nFOR UPDATE',
      'WHERE a ORDER BY b DESC\nFOR UPDATE',
      'WHERE a ORDER BY b\n',
    ],
    ['sql order', 'FROM t ORDER BY a, b FOR UPDATE'],
    ['sql method', 'SELECT min(a)', 'SELECT max(a)'],
    ['sql number', 'FROM t LIMIT 1', 'FROM t LIMIT 2'],
    ['sql arithmetic', 'SET a = a + 1', 'SET a = a - 1'],
  ];
  test.each(cases)('%s changes %p', (operator, sql, ...mutants) => {
    const quoted = (text: string) => `f(\`${text}\`)`;
    expect(by(operator, quoted(sql))).toEqual(mutants.map(quoted));
  });

  test('changes only comparisons, numbers and clauses', () => {
    expect(mutate("f('SELECT 1 FROM t')")).toEqual([]);
    expect(mutate("f('SELECT $1::bigint, ?2, a ->> b FROM t')")).toEqual([]);
    expect(by('sql logic', "f('CREATE OR REPLACE FUNCTION f; SELECT')")).toEqual([]);
    expect(by('sql logic', "f('WHERE a BETWEEN 1 AND 2')")).toEqual([]);
    expect(mutate("f('a < b and c = 1, or SOME TEXT')")).toEqual([]);
    expect(mutate('f(`SELECT a -- b = 1 AND c\nFROM t`)')).toEqual([]);
  });
});

test('nothing inside comments, names, strings and regular expressions is changed', () => {
  expect(mutate('/** a < b && c === 1 */')).toEqual([]);
  expect(mutate('// return true;\nlet a;')).toEqual([]);
  expect(mutate('const a = /x{1,2}+<=!/;')).toEqual([]);
  expect(mutate("const a = 'b < 1 && !true';")).toEqual([]);
  expect(mutate('import * as a from "b"; function* c() {}')).toEqual([]);
});

test('a mutant has its position, and the line before and after', () => {
  const source = 'let a;\nif (a < b) {\n  c();\n}\n';
  const edit = findEdits(source)[0];
  if (!edit) throw new Error('There is nothing to change.');
  expect(makeMutant('src/a.ts', source, edit)).toMatchObject({
    line: 2,
    before: 'if (a < b) {',
    after: 'if (a <= b) {',
  });
});

test('code that does not parse, or differs in types only, is not a mutant', () => {
  const bare = { file: 'a.ts', line: 1, operator: '', before: '', after: '' };
  const isOther = (original: string, mutated: string) =>
    isOtherProgram({ ...bare, original, mutated });
  expect(isOther('f(1);', 'f(2);')).toBe(true);
  expect(isOther('f(1);', 'f(;')).toBe(false);
  expect(isOther('let a: 1 | 2;', 'let a: 1 | 3;')).toBe(false);
  const isOtherPage = (original: string, mutated: string) =>
    isOtherProgram({ ...bare, file: 'a.tsx', original, mutated });
  expect(isOtherPage('f(<p a>1</p>);', 'f(<p>1</p>);')).toBe(true);
  expect(isOtherPage('f(<p a />);', 'f(<p  a />);')).toBe(false);
});

describe('a sample', () => {
  const files = listFiles(root, ['src/alerts', 'src/buying']);
  const draw = (seed: number, each = 10) =>
    sampleMutants(root, files, { seed, each }).mutants.map(
      ({ file, line, after }) => `${file}:${line} ${after}`,
    );

  test('is the same for the same seed, and differs for another', () => {
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    expect(draw(1)).toEqual(expect.arrayContaining(draw(1, 5)));
  });

  test('has the same number of mutants of each folder', () => {
    const folders = draw(1).map((text) => text.split('/')[1]);
    expect(folders.filter((name) => name === 'alerts')).toHaveLength(10);
    expect(folders.filter((name) => name === 'buying')).toHaveLength(10);
  });

  test('has only source files, from every folder', () => {
    const folders = listFolders(root);
    expect(folders).toContain('src/web');
    const all = listFiles(root, folders);
    expect(all.filter((file) => file.includes('.test.'))).toEqual([]);
    expect([...new Set(all.map(folderOf))]).toEqual(folders);
    expect(all.filter((file) => file.endsWith('.tsx'))).not.toEqual([]);
    expect(listFiles(root, ['src/config.ts'])).toEqual(['src/config.ts']);
  });
});

describe('suites', () => {
  const suites = new Suites(root);
  const of = (file: string, operator = '') => suites.of({ file, operator }).map(({ path }) => path);

  test('of a file are those that import it at run time, its own first', () => {
    const found = of('src/kernel/money.ts');
    expect(found[0]).toBe('src/kernel/money.test.ts');
    expect(found).toContain('test/decisions/requests.test.ts');
    expect(found).not.toContain('src/kernel/network.test.ts');
  });

  test('named for a folder, or for words of a file, come before all others', () => {
    expect(of('src/ingest/rows/undo-rows.store.ts').slice(0, 2).sort()).toEqual([
      'src/ingest/rows/rows.store.test.ts',
      'src/ingest/rows/undo.store.test.ts',
    ]);
    expect(of('src/store/move/checksum.ts').slice(0, 2)).toContain('test/cli/move.test.ts');
  });

  test('named for a file always run, others within the time limit', () => {
    const suite = (path: string, seconds: number, isNamesake = false) => ({
      path,
      seconds,
      isNamesake,
    });
    const all = [suite('a', 9, true), suite('b', 20, true), suite('c', 2), suite('d', 1)];
    const chosen = (seconds: number) => within(all, seconds).map(({ path }) => path);
    expect(chosen(5)).toEqual(['a', 'b']);
    expect(chosen(30)).toEqual(['a', 'b', 'd']);
    const found = suites.of({ file: 'src/ingest/rows/undo-items.store.ts', operator: '' });
    expect(found.filter(({ isNamesake }) => isNamesake).map(({ path }) => path)).toContain(
      'src/ingest/rows/undo.store.test.ts',
    );
  });

  test('with several nodes are named for files of PostgreSQL only', () => {
    const namesakesOf = (file: string) =>
      suites.of({ file, operator: '' }).flatMap((each) => (each.isNamesake ? each.path : []));
    expect(namesakesOf('src/publish/upkeep.work.ts')).toEqual(['src/publish/upkeep.work.test.ts']);
    expect(namesakesOf('src/store/postgres/roles.ts')).toContain('test/nodes/roles.test.ts');
  });

  test('that request a page come before those that only import it', () => {
    const [first = ''] = of('src/web/session/well-known.ts');
    expect(readFileSync(join(root, first), 'utf8')).toContain("'/robots.txt'");
  });

  test('named for a file may differ in the plural', () => {
    expect(of('src/web/owner/inventory/lot.tsx')[0]).toBe('test/web/lots.test.ts');
  });

  test('that start Brickmark as a process run what it imports', () => {
    expect(of('src/main.ts').length).toBeGreaterThan(0);
  });

  test('named for locks come first for a missing lock, which SQLite does not notice', () => {
    const file = 'src/portfolio/lots/holding-edits.store.ts';
    expect(of(file, 'sql lock')[0]).toBe('src/store/postgres/account-lock.test.ts');
    expect(of(file, 'sql order')).not.toContain('src/store/postgres/account-lock.test.ts');
    expect(needsPostgres({ file, operator: 'sql lock' })).toBe(true);
    expect(needsPostgres({ file, operator: 'sql order' })).toBe(false);
  });

  test('on PostgreSQL are those that run there', () => {
    const found = of('src/store/postgres/store.ts');
    expect(found).toContain('src/store/postgres/account-lock.test.ts');
    expect(found).not.toContain('test/cli/backup.test.ts');
  });
});

describe('an equivalent mutant', () => {
  /** The reason why the first mutant of an operator is equivalent. */
  const reasonOf = (operator: string, source: string) => {
    const edit = findEdits(source).find((each) => each.operator === operator);
    if (!edit) throw new Error(`There is no ${operator} in ${source}`);
    return equivalenceOf(source, edit);
  };

  test('has a kind with a reason', () => {
    for (const { reason } of equivalentKinds) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
    expect(new Set(equivalentKinds.map(({ reason }) => reason)).size).toBe(equivalentKinds.length);
  });

  const equivalent: [operator: string, source: string][] = [
    ['number', 'const waitMs = 8_000;'],
    ['number', 'const connectSeconds = 10;'],
    ['number', 'const keptRoomMax = 16 * 1024;'],
    ['boundary', 'if (piece.length < pieceLength) continue;'],
    ['number', 'f(a[b] ?? 0);'],
    ['number', 'const [base = 0, more = 0] = coefficients;'],
    ['number', 'f(counted?.n ?? 0);'],
    ['number', 'const from = Math.max(at, state?.nextAt ?? 0);'],
    ['number', 'else if (a) this.fail(b, c);\n  return amount?.cents ?? 0;'],
    ['sql number', 'yield* first<{ id: number }>(\n `SELECT id FROM a LIMIT 1`);'],
    ['sql number', 'const any = `SELECT 1 FROM a LIMIT 1`;'],
    ['guard', 'if (stored.length === 0) return [];'],
    ['guard', 'if (setIds.length + minifigKeys.length === 0) return [];'],
    ['guard', 'if (given.rows.length === 0) return;'],
    ['guard', 'if (known !== undefined) return known;'],
    ['statement', 'known.set(a, b);'],
    ['statement', 'fsyncSync(file);'],
  ];
  test.each(equivalent)('by %s is %p', (operator, source) => {
    expect(reasonOf(operator, source)).not.toBeNull();
  });

  const noticeable: [operator: string, source: string][] = [
    ['number', 'const waitMs = 180 * dayMs;'],
    ['number', 'const waitMs = 0;'],
    ['number', 'const dayMs = 86_400_000;'],
    ['number', 'const roomsMax = 5;'],
    ['boundary', 'if (rows.length < sliceRows) return;'],
    ['number', 'f(a.get(b) ?? 0);'],
    ['number', 'return amount?.cents ?? 0;'],
    ['default', 'f(a[b] ?? 0);'],
    ['number', 'f(sums.get(name)?.count ?? 0);'],
    ['sql number', 'yield* queryEach(`SELECT id FROM a LIMIT 1`);'],
    ['sql number', 'yield* first(`SELECT (SELECT id FROM a LIMIT 1) AS id`);'],
    ['guard', 'if (later.size === 0) return;'],
    ['guard', 'if (count === 0) return [];'],
    ['guard', 'if (old.length === 0) return parameters.length === 0;'],
    ['guard', 'if (known) return other;'],
    ['statement', 'this.prices.set(a, b);'],
  ];
  test.each(noticeable)('by %s is not %p', (operator, source) => {
    expect(reasonOf(operator, source)).toBeNull();
  });
});

describe('a report', () => {
  const tried = (fate: Tried['fate'], folder: string, count: number): Tried[] => {
    const file = `src/${folder}/a.ts`;
    const rest = { original: '', mutated: '', before: 'a < b', after: 'a <= b' };
    const mutant = { file, line: 7, operator: 'boundary', ...rest };
    return Array.from({ length: count }, () => ({ mutant, fate, by: '3 suites' }));
  };

  test('has the scores of each folder and of all, without mutants that do not compile', () => {
    const all = [
      tried('killed', 'api', 2),
      tried('survived', 'api', 1),
      tried('invalid', 'mcp', 4),
    ];
    expect(tableOf(scoresOf(all.flat()))).toEqual([
      'folder          mutants   killed survived    score',
      'src/api               3        2        1      66%',
      'src/mcp               0        0        0        -',
      'all                   3        2        1      66%',
    ]);
  });

  test('lists survivors with their changes', () => {
    expect(survivorsOf([...tried('killed', 'api', 2), ...tried('survived', 'mcp', 1)])).toEqual([
      '  src/mcp/a.ts:7  boundary, after 3 suites\n    - a < b\n    + a <= b',
    ]);
  });

  test('fails below 90%, in total or in a folder with at least ten mutants', () => {
    const isGood = (...all: Tried[][]) => isEnough(scoresOf(all.flat()));
    expect(isGood(tried('killed', 'api', 9), tried('survived', 'api', 1))).toBe(true);
    expect(isGood(tried('killed', 'api', 8), tried('survived', 'api', 1))).toBe(false);
    const many = tried('killed', 'store', 50);
    expect(isGood(many, tried('killed', 'api', 8), tried('survived', 'api', 1))).toBe(true);
    expect(isGood(many, tried('killed', 'api', 8), tried('survived', 'api', 2))).toBe(false);
  });
});

/** Copies of the tree created by mutation testing. */
const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith('brickmark-mutate-'));

test('the tree stays unchanged, and its copy is removed, also after Ctrl-C', async () => {
  const before = copies();
  const sources = () =>
    Promise.all(listFiles(root, ['src/kernel']).map((file) => Bun.file(file).text()));
  const written = await sources();
  const child = Bun.spawn([process.execPath, 'scripts/mutate.ts', '--file', 'src/kernel'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
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
