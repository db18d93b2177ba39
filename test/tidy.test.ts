/** Rules of style that no linter checks; STYLE.md has those that only a reader can. */
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { listFiles, listImports } from './support/imports.ts';
import { roomAndTier, type Tier } from './support/rooms.ts';

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

const all = sources('src', 'clients', 'simulator', 'test', 'bench', 'scripts');
const codeIn = (folder: string) =>
  all.filter(({ path }) => path.startsWith(folder) && !path.endsWith('.test.ts'));
const code = codeIn('src/');
/** The TypeScript client, which `cli` and `mcp` use. */
const client = codeIn('clients/typescript/');

function places(files: readonly Source[], isBroken: (line: string) => boolean): string[] {
  return files.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => (isBroken(line) ? [`${path}:${index + 1}`] : [])),
  );
}

/** Commands, and what wires them together. */
function isOutermost(path: string): boolean {
  const { room, tier } = roomAndTier(path);
  return tier === 'wiring' || room === 'cli';
}

describe('rooms', () => {
  /** Docs and pictures that pages show. */
  const shownDocs = /^docs\/[\w-]+\.(?:md|png)$/;

  /** Whether a file may import another one of `src`. */
  function mayImport(path: string, target: string): boolean {
    const from = roomAndTier(path);
    const to = roomAndTier(target);
    if (from.tier === 'wiring') return true;
    if (from.room === to.room) return mayUse(from.tier, to.tier);
    if (from.room === 'contract') return to.tier === 'rules';
    if (from.tier === 'door' && to.tier === 'door') return false;
    return to.order < from.order && mayUse(from.tier, to.tier);
  }

  /** Rules need no store, and what runs in a transaction no work. */
  function mayUse(from: Tier, to: Tier): boolean {
    if (from === 'rules') return to === 'rules';
    return from !== 'store' || to === 'rules' || to === 'store';
  }

  function mayImportOutside(path: string, target: string): boolean {
    const { room, tier } = roomAndTier(path);
    if (tier === 'wiring' || (room === 'web' && shownDocs.test(target))) return true;
    if (room === 'cli' && target.startsWith('simulator/')) return true;
    if (room === 'cli' || room === 'mcp') return target === 'clients/typescript/src/index.ts';
    return room === 'contract' && target === 'package.json';
  }

  test('every file imports only its own room and those before it, as its ending allows', () => {
    const wrong = code.flatMap(({ path, text }) => {
      return [...text.matchAll(/from '(\.[^']+)'/g)]
        .map((match) => join(dirname(path), match[1] ?? ''))
        .filter((target) => {
          const isOurs = target.startsWith('src/');
          return !(isOurs ? mayImport(path, target) : mayImportOutside(path, target));
        })
        .map((target) => `${path} > ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  test('the client imports only its own files', () => {
    const imported = client.flatMap(({ text }) => [...text.matchAll(/from '([^']+)'/g)]);
    expect(imported.length).toBeGreaterThan(20);
    const others = imported.filter(([, from = '']) => !/^\.\/[\w-]+\.ts$/.test(from));
    expect(others).toEqual([]);
  });

  test('a file without an ending is pure: it reads no files, and opens nothing', () => {
    const opening = /from '(?:bun:|node:(?:fs|child_process|https?|dgram|worker|dns|stream)\b)/;
    const rules = code.filter(({ path }) => roomAndTier(path).tier === 'rules');
    expect(rules.filter(({ text }) => opening.test(text)).map(({ path }) => path)).toEqual([]);
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

  test('only work, stores and commands import interfaces that load source rows or write to the market', () => {
    const names = ['Store', 'MarketStore', 'MarketIngest', 'MarketPublishing'];
    const declared = names.filter((name) =>
      code.some(({ text }) => new RegExp(`^export interface ${name}\\b`, 'm').test(text)),
    );
    expect(declared).toEqual(names);
    const imports = new RegExp(`^import[^;]*\\b(${names.join('|')})\\b[^;]*;`, 'm');
    const importing = code.filter(({ text }) => imports.test(text)).map(({ path }) => path);
    const inRooms: Tier[] = ['work', 'store'];
    const others = importing.filter((path) => !inRooms.includes(roomAndTier(path).tier));
    expect(others.filter((path) => !isOutermost(path))).toEqual([]);
  });
});

describe('imports', () => {
  const roomOf = (path: string) =>
    path.startsWith('src/') ? roomAndTier(path).room : dirname(path);

  /** The imports of a file, without types of its own room. */
  function importsOf({ path, text }: Source): string[] {
    const folder = dirname(path);
    const isOwn = (to: string) => roomOf(to) === roomOf(path);
    return [...text.matchAll(/^(?:import|export)( type)?\b[^;]*? from '(\.[^']+)'/gm)]
      .map(([, type, from = '']) => ({ type, to: join(folder, from) }))
      .filter(({ type, to }) => !(type && isOwn(to)))
      .map(({ to }) => to);
  }

  test('have no cycles', () => {
    const graph = new Map([...code, ...client].map((source) => [source.path, importsOf(source)]));
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
  const long = [...code, ...client].flatMap(({ path, lines }) =>
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
  const inner = code.filter(({ path }) => !isOutermost(path)).concat(client);
  const outside = /\bDate\.now\(|new Date\(\)|process\.(env|argv|std)|console\.|Math\.random\(/;
  expect(places(inner, (line) => outside.test(line))).toEqual([]);
});

test('commands start without the code of pages, which only the page process loads', () => {
  expect(listFiles('src/main.ts')).not.toContain('src/web/pages.ts');
  expect(listFiles('src/web/server/page-server.ts')).toContain('src/web/pages.ts');
});

test('pages format with kit/format.ts, which knows who sees the page', () => {
  const ours = 'src/web/kit/format.ts';
  const plain = 'src/kernel/format.ts';
  expect(listImports(ours)).toContain(plain);
  const isOfWeb = (path: string) => path.startsWith('src/') && roomAndTier(path).room === 'web';
  // Wherever it is, a page is written as markup or with components of other pages.
  const pages = code.filter(
    ({ path }) => path.endsWith('.tsx') || isOfWeb(path) || listImports(path).some(isOfWeb),
  );
  const formatting = pages.filter(({ path }) => path !== ours && listImports(path).includes(plain));
  expect(formatting.map(({ path }) => path)).toEqual([]);
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
  const files = code.concat(client, sources('bench'));
  expect(places(files, (line) => outside.test(line))).toEqual([]);
});
