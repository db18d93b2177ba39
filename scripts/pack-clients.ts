/**
 * Packs the clients as packages of their own, in `dist` or another folder: `npm run pack:client`
 * the npm package `brickmark-client`, and `npm run pack:python` the Python package `brickmark`.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { homepage, version } from '../package.json' with { type: 'json' };
import { clientProgram, writeTypes } from './build-client.ts';

const root = join(import.meta.dir, '..');

/** Writes `brickmark-client-VERSION.tgz` into a folder; returns its path. */
export async function packNpmClient(to: string): Promise<string> {
  return inFolder(async (folder) => {
    const manifest = JSON.parse(published('clients/typescript/package.json'));
    write(join(folder, 'package.json'), JSON.stringify({ ...manifest, version }, null, 2));
    write(join(folder, 'README.md'), published('clients/typescript/README.md'));
    write(join(folder, 'LICENSE'), read('LICENSE'));
    write(join(folder, 'index.js'), await clientProgram('esm', { isMinified: true }));
    write(join(folder, 'index.cjs'), await clientProgram('cjs', { isMinified: true }));
    // Once for both: types of CommonJS can be imported by either, those of ESM only by ESM.
    writeTypes(join(folder, 'types'));
    write(join(folder, 'types', 'package.json'), '{ "type": "commonjs" }\n');
    write(join(folder, 'index.d.ts'), "export * from './types/index.js';\n");
    mkdirSync(to, { recursive: true });
    run(['npm', 'pack', '--silent', '--pack-destination', resolve(to)], folder);
    return join(to, `brickmark-client-${version}.tgz`);
  });
}

/** Writes the wheel and the source archive into a folder; returns the path of the wheel. */
export async function packPythonClient(to: string): Promise<string> {
  const python = findPython();
  if (python === null)
    throw new Error(
      'Python with build and hatchling is missing: apt-get install python3-build python3-hatchling',
    );
  return inFolder(async (folder) => {
    cpSync(join(root, 'clients', 'python', 'src'), join(folder, 'src'), { recursive: true });
    for (const name of ['pyproject.toml', 'README.md'])
      write(join(folder, name), published(`clients/python/${name}`));
    write(join(folder, 'LICENSE'), read('LICENSE'));
    // Debian's hatchling lacks a package that it declares and needs for other builds only.
    const offline = ['--no-isolation', '--skip-dependency-check'];
    run([python, '-m', 'build', ...offline, '--outdir', resolve(to)], folder);
    return join(to, `brickmark-${version}-py3-none-any.whl`);
  });
}

/** The first Python that can build packages: often only Debian's, which may not be in the PATH. */
export function findPython(): string | null {
  const modules = ['-c', 'import build, hatchling'];
  const isReady = (python: string) =>
    Bun.which(python) !== null && Bun.spawnSync([python, ...modules], { stderr: 'ignore' }).success;
  return ['python3', '/usr/bin/python3'].find(isReady) ?? null;
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-pack-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function run(command: string[], cwd: string): void {
  const ran = Bun.spawnSync(command, { cwd });
  if (!ran.success) throw new Error(`${command.join(' ')}: ${ran.stdout}${ran.stderr}`);
}

/** A file of a client with the address of the project, which only `package.json` has to name. */
function published(path: string): string {
  return read(path).replaceAll('https://git.example.com/brickmark/brickmark', projectUrl);
}

const projectUrl = homepage.replace(/#.*$/, '');

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const write = (path: string, text: string) => writeFileSync(path, text);

if (import.meta.main) {
  const [which, to = join(root, 'dist')] = process.argv.slice(2);
  console.log(await (which === 'python' ? packPythonClient(to) : packNpmClient(to)));
}
