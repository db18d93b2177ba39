/**
 * Builds the client as the npm package has it: `dist/client`, one file without dependencies for
 * programs that import it, one for those that require it, and their types. npm runs it before it
 * packs; `npm run build:client` does so at any time.
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

const root = join(import.meta.dir, '..');
const entry = join(root, 'src', 'client', 'index.ts');

/** Builds the client into a folder, whole or not at all. */
export async function buildClient(folder: string): Promise<void> {
  mkdirSync(dirname(folder), { recursive: true });
  const partial = mkdtempSync(join(dirname(folder), '.client-'));
  try {
    const [imported, required] = [join(partial, 'esm'), join(partial, 'cjs')];
    writeTypes(imported);
    // The same once more: types are those of a module that can be required only beside one.
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

/** The whole client as one program, for those who import it or for those who require it. */
export async function clientProgram(format: 'esm' | 'cjs'): Promise<string> {
  const built = await Bun.build({ entrypoints: [entry], target: 'browser', format });
  const [program] = built.outputs;
  if (!program) throw new Error('There is no program.');
  return program.text();
}

function writeTypes(folder: string): void {
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
    // There the sources are, but not in the package.
    const text = readFileSync(path, 'utf8').replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'");
    writeFileSync(path, text);
  }
}

if (import.meta.main) await buildClient(join(root, 'dist', 'client'));
