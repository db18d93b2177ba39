/** The rules of STYLE.md that a script can check. */
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

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

const all = sources('src', 'test', 'bench', 'scripts');
const code = all.filter(({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'));

/** The places where a rule is broken. */
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
    'simulate',
    'sync',
  ];
  /** What the doors are built on; the client is on its own, and is given to others. */
  const below = ['http', 'client', 'mcp'];
  const doors = ['api', 'web', 'cli'];
  /** What pages show of the docs. */
  const shownDocs = /^\.\.\/docs\/[\w-]+\.md$/;

  /** Which folders of `src` a folder may import from, besides itself. */
  function allowed(folder: string): string[] {
    if (folder === 'domain' || folder === 'client') return [];
    if (folder === 'contract') return ['domain'];
    if (folder === 'mcp') return [...knowledge, 'client'];
    if (work.includes(folder) || below.includes(folder)) return knowledge;
    return doors.includes(folder) ? [...knowledge, ...work, ...below, 'config.ts'] : [];
  }

  test('every folder imports only what its tier may', () => {
    const wrong = code.flatMap(({ path, text }) => {
      const folder = path.split('/')[1] ?? '';
      if (folder.endsWith('.ts')) return [];
      const imports = [...text.matchAll(/from '(\.[^']+)'/g)].map((match) =>
        relative(join(root, 'src'), resolve(root, dirname(path), match[1] ?? '')),
      );
      return imports
        .filter((target) => !(folder === 'web' && shownDocs.test(target)))
        .filter((target) => !(folder === 'contract' && target === '../package.json'))
        .map((target) => target.split('/')[0] ?? '')
        .filter((target) => target !== folder && !allowed(folder).includes(target))
        .map((target) => `${path} imports ${target}`);
    });
    expect(wrong).toEqual([]);
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
  /** What a file imports, but for types of its own folder of the domain. */
  function importsOf({ path, text }: Source): string[] {
    const folder = dirname(path);
    return [...text.matchAll(/^(?:import|export)( type)?\b[^;]*? from '(\.[^']+)'/gm)]
      .map(([, type, from = '']) => ({ type, to: join(folder, from) }))
      .filter(
        ({ type, to }) => !(type && /^src\/domain\/\w+$/.test(folder) && dirname(to) === folder),
      )
      .map(({ to }) => to);
  }

  test('go round in no circle', () => {
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
    // The name of a test is one sentence, however long.
    const isLong = (line: string) => line.length > lineLengthMax && !/^\s*test\(/.test(line);
    expect(places(all, isLong)).toEqual([]);
  });

  test('open with a comment that says what they are for', () => {
    const bare = all.filter(({ text }) => !text.startsWith('/**')).map(({ path }) => path);
    expect(bare).toEqual([]);
  });

  test('write objects and lists out, without spreading one literal into another', () => {
    const spread = /\.{3}(?:\{|\[[^\]]*\](?:,|\)|\]|$))/;
    expect(places(all, (line) => spread.test(line))).toEqual([]);
  });

  test('leave nothing to be done later', () => {
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

test('every export has a comment, alone or as one of a group', () => {
  const bare = code.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => {
      if (!/^export (async )?(function|class|interface|const|type)\b/.test(line)) return [];
      // A group of exports without a blank line between them shares the comment above it.
      let above = index - 1;
      while (above >= 0 && lines[above] !== '' && !/^ ?\*\/|\*\/$/.test(lines[above] ?? ''))
        above--;
      return lines[above]?.includes('*/') ? [] : [`${path}:${index + 1}`];
    }),
  );
  expect(bare).toEqual([]);
});

test('only main, config and the commands know the clock, the environment and the console', () => {
  const inner = code.filter(({ path }) => !/^src\/(main|config|cli\/)/.test(path));
  const outside = /\bDate\.now\(|new Date\(\)|process\.(env|argv|std)|console\.|Math\.random\(/;
  expect(places(inner, (line) => outside.test(line))).toEqual([]);
});

test('tests wait with until, which gives up by the clock, and measure no speed', () => {
  const tests = all.filter(({ path }) => path.startsWith('test/') || path.endsWith('.test.ts'));
  // What ends with a process that the test started needs no other end.
  const endless = /while \((?!child\.exitCode === null).*\) (await (Bun|Promise)\.|\w+ = await )/;
  const measured = /performance\.now\(\).*toBeLessThan/;
  const isBroken = (line: string) => endless.test(line) || measured.test(line);
  expect(places(tests, isBroken)).toEqual([]);
});

test('nothing refers to a place outside the project, except a test that can do without', () => {
  const outside = /\.\.\/shared|\/(work|root|home)\//;
  const files = code.concat(sources('bench'));
  expect(places(files, (line) => outside.test(line))).toEqual([]);
});
