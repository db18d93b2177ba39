/** Brickmark as an npm package: its contents, and that it starts wherever Bun is. */
// @runs SQLite (rest): installs a package
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { demoNow } from '../../scripts/demo.ts';
import {
  expectClientWorks,
  expectTypes,
  runIn,
  typeSettings,
  writeClientPrograms,
} from '../support/client-programs.ts';
import { copyDemo } from '../support/demo.ts';
import { until } from '../support/until.ts';

const root = join(import.meta.dir, '..', '..');
let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'brickmark install ')));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (command: readonly string[], cwd = folder) => runIn(cwd, command);

describe('the launcher', () => {
  /** The placeholder of the package `bun` before its install script has run. */
  const placeholder = 'echo "Error: the postinstall script was not run." >&2\nexit 1\n';

  function write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: 0o755 });
  }

  /** The launcher with a program that prints how it was started. */
  function addBrickmark(place: string): string {
    write(join(place, 'src', 'main.ts'), 'console.log(JSON.stringify(process.argv.slice(2)));');
    mkdirSync(join(place, 'bin'));
    const launcher = join(place, 'bin', 'brickmark');
    copyFileSync(join(root, 'bin', 'brickmark'), launcher);
    return launcher;
  }

  /** The package `bun`, with its program or before its install script has run. */
  function addBun(modules: string, hasProgram: boolean): void {
    write(join(modules, 'bun', 'package.json'), '{}');
    const program = join(modules, 'bun', 'bin', 'bun.exe');
    write(program, placeholder);
    if (!hasProgram) return;
    rmSync(program);
    symlinkSync(process.execPath, program);
  }

  /** A platform package with the program: for this machine, or for another one. */
  function addNative(modules: string, name: string, isOurs = true): void {
    const program = join(modules, '@oven', name, 'bin', 'bun');
    write(program, '\0'.repeat(isOurs ? 0 : 2 ** 21));
    if (!isOurs) return;
    rmSync(program);
    symlinkSync(process.execPath, program);
  }

  /** Folder layouts of package managers; each returns the path of the launcher. */
  const layouts: Readonly<Record<string, (place: string) => string>> = {
    'npm ci in the sources': (place) => {
      addBun(join(place, 'node_modules'), true);
      return addBrickmark(place);
    },
    'npm install, next to other packages': (place) => {
      addBun(join(place, 'node_modules'), true);
      return addBrickmark(join(place, 'node_modules', 'brickmark'));
    },
    'npm install -g, by a link': (place) => {
      const installed = join(place, 'lib', 'node_modules', 'brickmark');
      addBun(join(installed, 'node_modules'), true);
      mkdirSync(join(place, 'bin'));
      symlinkSync(addBrickmark(installed), join(place, 'bin', 'brickmark'));
      return join(place, 'bin', 'brickmark');
    },
    'no install scripts, with programs for other machines, too': (place) => {
      const modules = join(place, 'node_modules');
      addBun(modules, false);
      addNative(modules, 'bun-linux-a-other', false);
      addNative(modules, 'bun-linux-b-this');
      return addBrickmark(join(modules, 'brickmark'));
    },
    'programs inside the package of Bun': (place) => {
      const modules = join(place, 'node_modules');
      addBun(modules, false);
      addNative(join(modules, 'bun', 'node_modules'), 'bun-linux-this');
      return addBrickmark(join(modules, 'brickmark'));
    },
    'pnpm, where every package is a link': (place) => {
      const kept = join(place, 'node_modules', '.pnpm');
      const packages = join(kept, 'brickmark@1', 'node_modules');
      const native = join(kept, 'bun@1', 'node_modules');
      addBun(native, false);
      addNative(native, 'bun-linux-this');
      const launcher = addBrickmark(join(packages, 'brickmark'));
      symlinkSync(join(native, 'bun'), join(packages, 'bun'));
      symlinkSync(join(packages, 'brickmark'), join(place, 'node_modules', 'brickmark'));
      expect(launcher).toStartWith(packages);
      return join(place, 'node_modules', 'brickmark', 'bin', 'brickmark');
    },
  };

  test.each(Object.keys(layouts))('finds Bun in the layout of %s', async (name) => {
    const place = join(folder, name);
    const launcher = layouts[name]?.(place) ?? '';
    const words = ['demo', '--data', 'a b'];
    const ran = await run([launcher, ...words]);
    expect(ran).toEqual({ stdout: `${JSON.stringify(words)}\n`, stderr: '', status: 0 });
  });

  test('explains in one sentence what to do if Bun or its program is missing', async () => {
    const place = join(folder, 'missing');
    const launcher = addBrickmark(join(place, 'node_modules', 'brickmark'));
    const again =
      'Bun, on which Brickmark runs, was not installed for this machine: ' +
      'install Brickmark again, without --omit=optional or --no-optional.\n';
    expect(await run([launcher])).toEqual({ stdout: '', stderr: again, status: 1 });
    addBun(join(place, 'node_modules'), false);
    expect(await run([launcher])).toEqual({ stdout: '', stderr: again, status: 1 });
    // node_modules above a checkout must not be used.
    const above = join(folder, 'above');
    addBun(join(above, 'node_modules'), true);
    const sources = join(above, 'sources');
    const ours = addBrickmark(sources);
    writeFileSync(join(sources, 'package-lock.json'), '{}');
    const first = `Brickmark is not installed yet: run 'npm ci' in ${sources} first.\n`;
    expect(await run([ours])).toEqual({ stdout: '', stderr: first, status: 1 });
  });
});

describe('the package', () => {
  let files: readonly string[];
  let prefix: string;
  let program: string;
  /** Where programs can import the package. */
  let library: string;

  async function npm(...words: readonly string[]): Promise<string> {
    const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
    const ran = await run(['npm', ...words, ...quiet], root);
    if (ran.status !== 0) throw new Error(`npm ${words.join(' ')}: ${ran.stderr}`);
    return ran.stdout;
  }

  beforeAll(async () => {
    const [packed] = Object.values<{ filename: string; files: { path: string }[] }>(
      JSON.parse(await npm('pack', '--json', '--pack-destination', folder)),
    );
    files = packed?.files.map(({ path }) => path) ?? [];
    const tarball = join(folder, packed?.filename ?? '');
    prefix = join(folder, 'global');
    mkdirSync(prefix);
    await npm('install', '--global', '--ignore-scripts', '--prefix', prefix, tarball);
    program = join(prefix, 'bin', 'brickmark');
    library = join(prefix, 'lib');
  });

  test('has the program and its docs, and no development files', () => {
    const folders = ['src', 'clients/typescript/src', 'simulator'];
    const sources = folders
      .flatMap((name) => readdirSync(join(root, name), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .filter((path) => !path.startsWith('simulator/figures/'));
    const isSource = (path: string) => folders.some((name) => path.startsWith(`${name}/`));
    expect(files.filter(isSource).sort()).toEqual(sources.sort());
    const isClient = (path: string) => path.startsWith('dist/client/');
    for (const path of ['esm/index.js', 'esm/index.d.ts', 'cjs/index.js', 'cjs/package.json'])
      expect(files).toContain(`dist/client/${path}`);
    const around = files.filter(
      (path) => !isSource(path) && !isClient(path) && !path.startsWith('docs/'),
    );
    expect(around.sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'bin/brickmark',
      'dist/commit',
      'package.json',
    ]);
    expect(files).toContain('docs/install.md');
  });

  test('has its repository, and can be published', () => {
    const { homepage, repository, bugs, keywords } = manifest;
    for (const url of [homepage, repository.url, bugs.url]) expect(url).toMatch(/^(git\+)?https:/);
    expect(keywords.length).toBeGreaterThan(3);
    expect(manifest).not.toHaveProperty('private');
  });

  test('prints its version, installed without install scripts and with them', async () => {
    const commit = readFileSync(join(root, 'dist', 'commit'), 'utf8');
    const { version, dependencies } = manifest;
    const stdout = `Brickmark ${version} on Bun ${dependencies.bun}, commit ${commit}`;
    const bun = join(library, 'node_modules', 'brickmark', 'node_modules', 'bun', 'bin', 'bun.exe');
    const isProgram = () => statSync(bun).size > 1_000_000;
    expect(isProgram()).toBe(false);
    expect(await run([program, '--version'])).toEqual({ stdout, stderr: '', status: 0 });
    // Runs the scripts, without unpacking 160 MB again.
    await npm('rebuild', '--global', '--prefix', prefix);
    expect(isProgram()).toBe(true);
    expect(await run([program, '--version'])).toEqual({ stdout, stderr: '', status: 0 });
  });

  test('creates the demo in the current folder', async () => {
    const place = join(folder, 'new');
    mkdirSync(place);
    const demo = startDemo([program, 'demo', '--port', '0'], place);
    while (!existsSync(join(place, 'demo-data', 'demo-unfinished'))) await demo.stillRuns();
    expect(readdirSync(place).sort()).toEqual(['demo-data', 'demo-data.secret']);
    await demo.end('SIGKILL');
  });

  test('runs a demo that serves the printed request, the client and pages, until Ctrl-C', async () => {
    const place = join(folder, 'demo');
    mkdirSync(place);
    await copyDemo(join(place, 'demo-data'));
    const demo = startDemo([program, 'demo', '--port', '0'], place);
    try {
      const { key, url } = await demo.next();
      const answer = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
      expect(answer.status).toBe(200);
      const page = await (await fetch(new URL('/sign-in', url))).text();
      expect(page).toContain('<form');
      const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(page) ?? [];
      expect((await fetch(new URL(style, url))).status).toBe(200);
      writeClientPrograms(library, 'brickmark/client');
      await expectClientWorks(library, { url, key });
      expect(readdirSync(place).sort()).toEqual(['demo-data', 'demo-data.secret']);
    } finally {
      expect(await demo.end('SIGINT')).toBe(0);
    }
  });

  test.each(typeSettings)('has types for %s', async (words) => {
    writeClientPrograms(library, 'brickmark/client');
    await expectTypes(library, words);
  });

  test('npm run dev shows a changed page, and restarts the demo for the server, with the same key', async () => {
    const sources = join(folder, 'changing');
    const names = ['src', 'clients', 'docs', 'scripts/dev.ts', 'package.json', 'tsconfig.json'];
    for (const name of names) {
      cpSync(join(root, name), join(sources, name), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'));
    await copyDemo(join(sources, '.dev'));
    const [, ...words] = manifest.scripts.dev.split(' ');
    const demo = startDemo([process.execPath, ...words, '--port', '0'], sources);
    try {
      const first = await demo.next();
      const layout = join(sources, 'src', 'web', 'kit', 'layout.tsx');
      writeFileSync(layout, readFileSync(layout, 'utf8').replace('Values are est', 'Values are b'));
      const page = async () => (await fetch(new URL('/sign-in', first.url))).text();
      await until(async () => (await page()).includes('Values are bimates'));
      appendFileSync(join(sources, 'src', 'main.ts'), '// It has changed.\n');
      const { key, url } = await demo.next();
      expect(key).toBe(first.key);
      const answer = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
      expect(answer.status).toBe(200);
    } finally {
      expect(await demo.end('SIGINT')).toBe(0);
    }
  });
});

/** Starts a demo, which prints its key and address on each start. */
function startDemo(command: readonly string[], cwd: string) {
  const env = { ...process.env, BRICKMARK_NOW: demoNow };
  const child = Bun.spawn([...command], { cwd, env, stdout: 'pipe', stderr: 'ignore' });
  const reader = child.stdout.getReader();
  let printed = '';
  return {
    next: async () => {
      for (;;) {
        const found = /curl -H 'Authorization: Bearer (\w+)' (http\S+)\n/.exec(printed);
        if (found) {
          printed = printed.slice(found.index + found[0].length);
          return { key: found[1] ?? '', url: found[2] ?? '' };
        }
        const { done, value } = await reader.read();
        if (done) throw new Error('The demo ended.');
        printed += new TextDecoder().decode(value);
      }
    },
    /** Waits a moment; throws if it has ended. */
    stillRuns: async () => {
      await Bun.sleep(5);
      if (child.exitCode !== null) throw new Error('The demo ended.');
    },
    end: (signal: 'SIGINT' | 'SIGKILL') => {
      child.kill(signal);
      return child.exited;
    },
  };
}
