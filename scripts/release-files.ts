/**
 * Writes the files of a release into a folder, from the checkout that this file is in: run by
 * `scripts/release.ts` in copies of it. Nothing is fetched, so what is not on the machine is
 * skipped; the last line of output is the list of what was, with reasons, as JSON.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../package.json' with { type: 'json' };
import { buildExecutable } from './build.ts';
import { findPython, packNpmClient, packPythonClient, run } from './pack-clients.ts';
import { makeSbom } from './sbom.ts';

const root = join(import.meta.dir, '..');

export const parts = ['packages', 'executables'] as const;

export interface Skipped {
  readonly what: string;
  readonly reason: string;
}

type Write = (to: string) => Promise<readonly Skipped[]>;

const writers: Readonly<Record<(typeof parts)[number], Write>> = {
  packages: writePackages,
  executables: writeExecutables,
};

async function writePackages(to: string): Promise<readonly Skipped[]> {
  run(['npm', 'pack', '--silent', '--pack-destination', to], root);
  await packNpmClient(to);
  const sbom = `${JSON.stringify(makeSbom(), null, 2)}\n`;
  writeFileSync(join(to, `brickmark-${version}.cdx.json`), sbom);
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  writeFileSync(join(to, 'NOTES.md'), releaseNotes(changelog, version));
  copyFileSync(join(root, 'deploy', 'install.sh'), join(to, 'install.sh'));
  if (findPython() === null)
    return [{ what: 'Python client', reason: 'there is no Python with build and hatchling' }];
  await packPythonClient(to);
  return [];
}

/** A section of the changelog, without links into the docs, which would lead nowhere. */
export function releaseNotes(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${version}\n`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section for ${version}.`);
  const text = section.slice(version.length).trim();
  return `${text.replaceAll(/\[([^\]]+)\]\((?!https?:)([^)]+)\)/g, '$1 ($2)')}\n`;
}

/** By the name of the architecture in names of files; Bun has others. */
const machines = {
  amd64: { arch: 'x64', target: 'bun-linux-x64', runtime: '@oven/bun-linux-x64' },
  arm64: { arch: 'arm64', target: 'bun-linux-arm64', runtime: '@oven/bun-linux-aarch64' },
} as const;

async function writeExecutables(to: string): Promise<readonly Skipped[]> {
  const skipped: Skipped[] = [];
  for (const [architecture, { arch, target, runtime }] of Object.entries(machines)) {
    const what = `brickmark-${version}-linux-${architecture}`;
    const executablePath = join(root, 'node_modules', runtime, 'bin', 'bun');
    if (process.platform === 'linux' && process.arch === arch)
      await buildExecutable(join(to, what));
    else if (existsSync(executablePath))
      await buildExecutable(join(to, what), { target, executablePath });
    else skipped.push({ what, reason: `${runtime} is not in node_modules` });
  }
  return skipped;
}

if (import.meta.main) {
  const [to = '', ...names] = process.argv.slice(2);
  mkdirSync(to, { recursive: true });
  const skipped: Skipped[] = [];
  for (const part of parts) {
    if (names.includes(part)) skipped.push(...(await writers[part](to)));
  }
  console.log(JSON.stringify(skipped));
}
