/**
 * Builds the client of the npm package in `dist/client`: ESM and CommonJS bundles without
 * dependencies, and their types; and the commit in `dist/commit`. npm runs it before packing; `npm
 * run build:client` runs it at any time.
 */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { commitFile } from '../src/cli/build-commit.ts';
import { buildCommit } from './build.ts';

const root = join(import.meta.dir, '..');
const entry = join(root, 'clients', 'typescript', 'src', 'index.ts');

/** Replaces the folder only if the build succeeds. */
export async function buildClient(folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  const partial = mkdtempSync(join(dirname(folder), '.client-'));
  try {
    const [imported, required] = [join(partial, 'esm'), join(partial, 'cjs')];
    writeTypes(imported);
    // A copy: the package.json next to types decides whether they are of ESM or CommonJS.
    cpSync(imported, required, { recursive: true });
    writeFileSync(join(required, 'package.json'), '{ "type": "commonjs" }\n');
    writeFileSync(join(imported, 'index.js'), await clientProgram('esm'));
    writeFileSync(join(required, 'index.js'), await clientProgram('cjs'));
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** The whole client as one bundle. */
export async function clientProgram(
  format: 'esm' | 'cjs',
  { isMinified = false } = {},
): Promise<string> {
  const built = await Bun.build({
    entrypoints: [entry],
    target: 'browser',
    format,
    minify: isMinified,
  });
  const [program] = built.outputs;
  if (!program) throw new Error('There is no program.');
  return program.text();
}

/** The declarations of each module. */
export function writeTypes(folder: string): void {
  const options = {
    outDir: folder,
    declaration: true,
    emitDeclarationOnly: true,
    target: 'esnext',
    lib: 'esnext',
    module: 'preserve',
    moduleDetection: 'force',
    allowImportingTsExtensions: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    stripInternal: true,
    types: 'bun',
    ignoreConfig: true,
  };
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  const ran = Bun.spawnSync([tsc, entry, ...words], { cwd: root });
  if (!ran.success) throw new Error(`The types cannot be written: ${ran.stdout}${ran.stderr}`);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    // The package has .js files instead of the .ts sources.
    const text = readFileSync(path, 'utf8').replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'");
    writeFileSync(path, text);
  }
}

if (import.meta.main) {
  await buildClient(join(root, 'dist', 'client'));
  writeFileSync(join(root, commitFile), `${buildCommit() ?? ''}\n`);
}
