/**
 * Rehearses a release without a network: `npm run release -- --dry-run` builds all its files twice,
 * from two copies of the checkout in different folders, compares them, and prints their sizes and
 * checksums. They are then in `dist/release`. `--only PART` builds one part.
 */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { version } from '../package.json' with { type: 'json' };
import { buildCommit } from './build.ts';
import { parts, type Skipped } from './release-files.ts';

const root = join(import.meta.dir, '..');

const checksumsFile = 'SHA256SUMS';

/** The checksums of all files of a folder, as `sha256sum` writes them. */
export function checksums(folder: string): string {
  const names = readdirSync(folder).filter((name) => name !== checksumsFile);
  return names
    .sort()
    .map((name) => `${sha256(join(folder, name))}  ${name}\n`)
    .join('');
}

function sha256(path: string): string {
  return new Bun.CryptoHasher('sha256').update(readFileSync(path)).digest('hex');
}

/** The names that differ between two lists of checksums, or are in one of them only. */
export function differences(one: string, other: string): string[] {
  const linesOf = (text: string) => new Set(text.trim().split('\n'));
  const different = [...linesOf(one).symmetricDifference(linesOf(other))];
  return [...new Set(different.map((line) => line.slice(line.indexOf('  ') + 2)))].sort();
}

/** Copies the files that Git knows, as they are now, and links what is installed. */
function copyCheckout(to: string): void {
  const listed = Bun.spawnSync(['git', 'ls-files', '-z'], { cwd: root }).stdout.toString();
  for (const name of listed.split('\0').filter((path) => path && existsSync(join(root, path)))) {
    const [from, copy] = [join(root, name), join(to, name)];
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(from, copy);
    // Packages contain the modes of files, which otherwise depend on who checked them out.
    chmodSync(copy, statSync(from).mode & 0o100 ? 0o755 : 0o644);
  }
  linkFolder(join(root, 'node_modules'), join(to, 'node_modules'));
}

/** Hard links: what is bundled would have another path through a symbolic one. */
function linkFolder(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [old, path] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkFolder(old, path);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(old), path);
    else linkSync(old, path);
  }
}

interface Release {
  readonly folder: string;
  readonly skipped: readonly Skipped[];
}

/** Builds in a copy of the checkout, which it removes. */
function build(place: string, only: readonly string[]): Release {
  const [copy, folder] = [join(place, 'copy'), join(place, 'files')];
  mkdirSync(copy, { recursive: true });
  copyCheckout(copy);
  const env = { ...process.env, COMMIT: process.env.COMMIT || (buildCommit() ?? '') };
  const command = [process.execPath, 'scripts/release-files.ts', folder, ...only];
  const { success, stdout, stderr } = Bun.spawnSync(command, { cwd: copy, env });
  if (!success) throw new Error(`The build failed: ${stdout}${stderr}`);
  rmSync(copy, { recursive: true });
  writeFileSync(join(folder, checksumsFile), checksums(folder));
  return { folder, skipped: JSON.parse(stdout.toString().trim().split('\n').at(-1) ?? '') };
}

function printFiles(folder: string): void {
  const rows = readdirSync(folder)
    .sort()
    .map((name) => [name, String(statSync(join(folder, name)).size), sha256(join(folder, name))]);
  const width = Math.max(...rows.map(([name = '']) => name.length));
  console.log(`${'file'.padEnd(width)}  ${'bytes'.padStart(11)}  sha256`);
  for (const [name = '', bytes = '', sum = ''] of rows)
    console.log(`${name.padEnd(width)}  ${bytes.padStart(11)}  ${sum}`);
}

/**
 * Builds the image around the executable for this machine, and starts it. Returns why not, if
 * Docker or the image that it is based on is missing.
 */
function rehearseImage(work: string, folder: string): readonly Skipped[] {
  const what = 'image';
  const docker = (...words: string[]) => Bun.spawnSync(['docker', ...words], { cwd: root });
  if (Bun.which('docker') === null) return [{ what, reason: 'Docker is not installed' }];
  if (!docker('info').success) return [{ what, reason: 'Docker does not run' }];
  const dockerfile = readFileSync(join(root, 'deploy', 'Dockerfile'), 'utf8');
  const base = /^FROM (\S+)$/m.exec(dockerfile)?.[1] ?? '';
  if (!docker('image', 'inspect', base).success)
    return [{ what, reason: `the image ${base} is not on this machine` }];
  const executable = join(folder, `brickmark-${version}-linux-${architecture}`);
  if (!existsSync(executable)) return [{ what, reason: 'there is no executable for it' }];
  // Instead of the stage that installs packages and builds it.
  const stage = join(work, 'stage');
  mkdirSync(join(stage, 'brickmark', 'dist'), { recursive: true });
  copyFileSync(executable, join(stage, 'brickmark', 'dist', 'brickmark'));
  const options = ['--file', 'deploy/Dockerfile', '--build-context', `build=${stage}`];
  const name = 'brickmark:rehearsal';
  const built = docker(
    'buildx',
    'build',
    ...options,
    '--network=none',
    '--load',
    '--tag',
    name,
    '.',
  );
  const started = docker('run', '--rm', '--network=none', name, 'version');
  if (built.success && started.success) return [];
  throw new Error(`The image failed: ${built.stderr}${started.stderr}`);
}

const architecture = process.arch === 'x64' ? 'amd64' : process.arch;

/** Returns the exit status. */
function rehearse(only: readonly string[]): number {
  const dist = join(root, 'dist');
  mkdirSync(dist, { recursive: true });
  const work = mkdtempSync(join(dist, '.release-'));
  try {
    const first = build(join(work, 'one'), only);
    const second = build(join(work, 'two', 'deeper'), only);
    const different = differences(checksums(first.folder), checksums(second.folder));
    if (different.length > 0) {
      console.error(`Built twice, these differ: ${different.join(', ')}.`);
      return 1;
    }
    const image = only.includes('executables') ? rehearseImage(work, first.folder) : [];
    rmSync(join(dist, 'release'), { recursive: true, force: true });
    renameSync(first.folder, join(dist, 'release'));
    printFiles(join(dist, 'release'));
    for (const { what, reason } of [...first.skipped, ...image])
      console.log(`skipped: ${what}: ${reason}`);
    console.log(`Brickmark ${version}, built twice with equal checksums, is in dist/release.`);
    return 0;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { 'dry-run': { type: 'boolean' }, only: { type: 'string', multiple: true } },
  });
  const only = values.only ?? parts;
  const unknown = only.find((part) => !parts.some((known) => known === part));
  if (unknown !== undefined) {
    console.error(`There is no part '${unknown}'; parts are ${parts.join(' and ')}.`);
    process.exit(2);
  }
  if (!values['dry-run']) {
    console.error('Use --dry-run: a release is published by .github/workflows/release.yml.');
    process.exit(2);
  }
  // Packages and archives keep the modes of files.
  process.umask(0o022);
  process.exit(rehearse(only));
}
