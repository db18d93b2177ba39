/**
 * Writes the SBOM of the npm package (CycloneDX): all packages that it needs, and no others. `npm
 * sbom --omit dev` leaves out those that a development dependency needs, too, so they are chosen
 * here. `npm run sbom -- FILE` writes it; without a file, to standard output.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };

const root = join(import.meta.dir, '..');

interface Bom {
  readonly serialNumber?: string;
  readonly metadata: { readonly component: { readonly 'bom-ref': string } };
  readonly components: readonly { readonly 'bom-ref': string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/**
 * Without its number and time, which are optional and differ each time. Throws if it differs from
 * what npm lists.
 */
export function makeSbom(): Bom {
  const { serialNumber, ...all }: Bom = JSON.parse(
    npm('sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'),
  );
  const own = all.metadata.component['bom-ref'];
  const needed = reachable(all, own);
  const bom = {
    ...all,
    metadata: { ...all.metadata, timestamp: undefined },
    components: all.components.filter((component) => needed.has(component['bom-ref'])),
    dependencies: all.dependencies
      .filter(({ ref }) => ref === own || needed.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => needed.has(on)) })),
  };
  const listed = listPackages();
  const written = bom.components.map((component) => component['bom-ref']).sort();
  if (Bun.deepEquals(written, listed)) return bom;
  const missing = listed.filter((name) => !written.includes(name));
  const extra = written.filter((name) => !listed.includes(name));
  throw new Error(`The SBOM is not what 'npm ls' lists: lacks ${missing}; has ${extra}.`);
}

/** What the package needs, without development dependencies. */
function reachable({ dependencies }: Bom, own: string): ReadonlySet<string> {
  const names = Object.keys(manifest.dependencies);
  const isNeeded = (ref: string) => names.includes(ref.slice(0, ref.lastIndexOf('@')));
  const onOf = (ref: string) => dependencies.find((each) => each.ref === ref)?.dependsOn ?? [];
  const found = new Set<string>();
  const waiting = onOf(own).filter(isNeeded);
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    if (found.has(ref)) continue;
    found.add(ref);
    waiting.push(...onOf(ref));
  }
  return found;
}

interface Listed {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, Listed>>;
}

/** The packages that npm lists, such as `zod@4.6.7`, sorted. */
export function listPackages(): string[] {
  const found = new Set<string>();
  const add = ({ dependencies = {} }: Listed) => {
    for (const [name, listed] of Object.entries(dependencies)) {
      if (listed.version !== undefined) found.add(`${name}@${listed.version}`);
      add(listed);
    }
  };
  add(JSON.parse(npm('ls', '--all', '--omit', 'dev', '--package-lock-only', '--json')));
  return [...found].sort();
}

function npm(...words: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(['npm', ...words], { cwd: root });
  if (exitCode !== 0) throw new Error(`npm ${words.join(' ')}: ${stderr}`);
  return stdout.toString();
}

if (import.meta.main) {
  const text = `${JSON.stringify(makeSbom(), null, 2)}\n`;
  const [, , path] = process.argv;
  if (path === undefined) process.stdout.write(text);
  else writeFileSync(path, text);
}
