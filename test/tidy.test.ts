/** The rules of STYLE.md that a script can check. */
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { listFiles } from './support/imports.ts';

const root = resolve(import.meta.dir, '..');
const lineLengthMax = 100;
const functionLinesMax = 70;

interface Source {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
}

function sources(...folders: string[]): Source[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => {
        const path = join(folder, name);
        const text = readFileSync(join(root, path), 'utf8');
        return { path, text, lines: text.trimEnd().split('\n') };
      }),
  );
}

const all = sources('src', 'simulator', 'test', 'bench', 'scripts');
const code = all.filter(({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'));

function places(files: readonly Source[], isBroken: (line: string) => boolean): string[] {
  return files.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => (isBroken(line) ? [`${path}:${index + 1}`] : [])),
  );
}

describe('tiers', () => {
  const knowledge = ['contract', 'domain'];
  const work = [
    'store',
    'ingest',
    'valuation',
    'publish',
    'accounts',
    'alerts',
    'buying',
    'delivery',
    'sync',
  ];
  /** The doors are built on these; the client is standalone and distributed separately. */
  const below = ['http', 'client', 'mcp'];
  const doors = ['api', 'web', 'cli'];
  /** Docs and pictures that pages show. */
  const shownDocs = /^\.\.\/docs\/[\w-]+\.(?:md|png)$/;

  /** The folders of `src` that a folder may import from, besides itself. */
  function allowed(folder: string): string[] {
    if (folder === 'domain' || folder === 'client') return [];
    if (folder === 'contract') return ['domain'];
    if (folder === 'mcp') return [...knowledge, 'client'];
    if (work.includes(folder) || below.includes(folder)) return knowledge;
    return doors.includes(folder) ? [...knowledge, ...work, ...below, 'config.ts'] : [];
  }

  /** Types of the store, which work folders and `http` may import. */
  const storeTypes = /^import type [^;]* from '[^']*\/store\/store\.ts';$/gm;

  test('every folder imports only from the folders that its tier allows', () => {
    const wrong = code.flatMap(({ path, text }) => {
      const folder = path.split('/')[1] ?? '';
      if (folder.endsWith('.ts')) return [];
      const known =
        work.includes(folder) || folder === 'http' ? text.replace(storeTypes, '') : text;
      const imports = [...known.matchAll(/from '(\.[^']+)'/g)].map((match) =>
        relative(join(root, 'src'), resolve(root, dirname(path), match[1] ?? '')),
      );
      return imports
        .filter((target) => !(folder === 'web' && shownDocs.test(target)))
        .filter((target) => !(folder === 'cli' && target.startsWith('../simulator/')))
        .filter((target) => !(folder === 'contract' && target === '../package.json'))
        .map((target) => target.split('/')[0] ?? '')
        .filter((target) => target !== folder && !allowed(folder).includes(target))
        .map((target) => `${path} imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  test('the product loads the simulator only in the commands that need it', () => {
    const imports = /^(?:import|export)(?! type)\b[^;]*? from '[^']*\/simulator\/[^']*'/m;
    expect(code.filter(({ text }) => imports.test(text)).map(({ path }) => path)).toEqual([]);
    const loads = /import\('[^']*\/simulator\//;
    const loading = code.filter(({ text }) => loads.test(text)).map(({ path }) => path);
    expect(loading.sort()).toEqual([
      'src/cli/backtest.ts',
      'src/cli/demo.ts',
      'src/cli/serve.ts',
      'src/main.ts',
    ]);
  });

  test('doors import no interface that loads source rows or writes to the market', () => {
    const names = /^import[^;]*\b(Store|MarketStore|MarketIngest|MarketPublishing)\b[^;]*;/m;
    const doorCode = code.filter(({ path }) => /^src\/(api|web|http)\//.test(path));
    expect(doorCode.filter(({ text }) => names.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test('every folder of src is in a tier', () => {
    const folders = new Set(code.map(({ path }) => path.split('/')[1] ?? ''));
    const known = [...knowledge, ...work, ...below, ...doors, 'config.ts', 'main.ts'];
    expect([...folders].filter((folder) => !known.includes(folder))).toEqual([]);
  });
});

describe('imports', () => {
  /** The imports of a file, without types of its own domain folder. */
  function importsOf({ path, text }: Source): string[] {
    const folder = dirname(path);
    return [...text.matchAll(/^(?:import|export)( type)?\b[^;]*? from '(\.[^']+)'/gm)]
      .map(([, type, from = '']) => ({ type, to: join(folder, from) }))
      .filter(
        ({ type, to }) => !(type && /^src\/domain\/\w+$/.test(folder) && dirname(to) === folder),
      )
      .map(({ to }) => to);
  }

  test('have no cycles', () => {
    const graph = new Map(code.map((source) => [source.path, importsOf(source)]));
    const isInCircle = (path: string) => {
      const reached = new Set<string>();
      const waiting = [...(graph.get(path) ?? [])];
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        if (reached.has(next)) continue;
        reached.add(next);
        waiting.push(...(graph.get(next) ?? []));
      }
      return reached.has(path);
    };
    expect([...graph.keys()].filter(isInCircle)).toEqual([]);
  });
});

describe('files', () => {
  test(`have lines of at most ${lineLengthMax} columns`, () => {
    // The title of a test is one line, however long.
    const isLong = (line: string) => line.length > lineLengthMax && !/^\s*test\(/.test(line);
    expect(places(all, isLong)).toEqual([]);
  });

  test('start with a comment that states their purpose', () => {
    const bare = all.filter(({ text }) => !text.startsWith('/**')).map(({ path }) => path);
    expect(bare).toEqual([]);
  });

  test('write objects and lists out, without spreading one literal into another', () => {
    const spread = /\.{3}(?:\{|\[[^\]]*\](?:,|\)|\]|$))/;
    expect(places(all, (line) => spread.test(line))).toEqual([]);
  });

  test('have no reminders of unfinished work', () => {
    const word = new RegExp(['TO', 'DO|FIX', 'ME|XX', 'X'].join(''));
    expect(places(all, (line) => word.test(line))).toEqual([]);
  });
});

test(`functions have at most ${functionLinesMax} lines`, () => {
  const opens = /^(\s*)(export )?(async )?(function\b|(const|let) \w+ = .*=> \{$|\w+\(.*\{$)/;
  const long = code.flatMap(({ path, lines }) =>
    lines.flatMap((line, start) => {
      const indent = opens.exec(line)?.[1];
      if (indent === undefined) return [];
      const length = lines.slice(start).findIndex((l) => new RegExp(`^${indent}\\}`).test(l)) + 1;
      return length > functionLinesMax ? [`${path}:${start + 1} (${length} lines)`] : [];
    }),
  );
  expect(long).toEqual([]);
});

test('only main, config and cli/ access the clock, the environment and the console', () => {
  const inner = code.filter(({ path }) => !/^src\/(main|config|cli\/)/.test(path));
  const outside = /\bDate\.now\(|new Date\(\)|process\.(env|argv|std)|console\.|Math\.random\(/;
  expect(places(inner, (line) => outside.test(line))).toEqual([]);
});

test('commands start without the code of pages, which only the page process loads', () => {
  expect(listFiles('src/main.ts')).not.toContain('src/web/pages.ts');
  expect(listFiles('src/web/server/page-server.ts')).toContain('src/web/pages.ts');
});

test('pages format with kit/format.ts, which knows who sees the page', () => {
  const isPage = /^src\/web\/(?!kit\/format\.ts).*(?<!\.test)\.tsx?$/;
  const pages = code.filter(({ path }) => isPage.test(path));
  expect(places(pages, (line) => line.includes("domain/kernel/format.ts'"))).toEqual([]);
});

test('tests wait with until, which has a timeout, and measure no speed', () => {
  const tests = all.filter(({ path }) => path.startsWith('test/') || path.endsWith('.test.ts'));
  // A loop that ends with a child process needs no timeout.
  const endless = /while \((?!child\.exitCode === null).*\) (await (Bun|Promise)\.|\w+ = await )/;
  const measured = /performance\.now\(\).*toBeLessThan/;
  const isBroken = (line: string) => endless.test(line) || measured.test(line);
  expect(places(tests, isBroken)).toEqual([]);
});

test('nothing refers to a path outside the project', () => {
  const outside = /\.\.\/shared|\/(work|root|home)\//;
  const files = code.concat(sources('bench'));
  expect(places(files, (line) => outside.test(line))).toEqual([]);
});
