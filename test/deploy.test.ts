/**
 * Installation: the image, the Compose file with PostgreSQL, and the release workflow.
 */
// @runs SQLite (rest): needs other programs
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { listPackages, makeSbom } from '../scripts/sbom.ts';
import { idleSeconds } from '../src/api/server.ts';
import { drainBounds, settings } from '../src/config.ts';
import { bodyBytesMax, headerBytesMax } from '../src/contract/limits.ts';
import { pools } from '../src/http/pools.ts';
import { photoFormBytesMax } from '../src/web/kit/form.ts';
import {
  read,
  readComposition,
  readDockerfile,
  root,
  type Service,
  wrongImage,
  wrongWords,
} from './support/deploy.ts';

describe('deploy/Dockerfile', () => {
  const all = readDockerfile(read('deploy/Dockerfile'));
  const starts = all.filter(({ name }) => name === 'FROM');
  const last = all.slice(all.findLastIndex(({ name }) => name === 'FROM'));
  const sources = all
    .filter(({ name, flags }) => name === 'COPY' && flags.length === 0)
    .flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1));
  const known =
    'FROM ARG RUN COPY ENV WORKDIR VOLUME USER EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD'.split(
      ' ',
    );
  const only = (name: string) => {
    const found = last.filter((instruction) => instruction.name === name);
    expect(found).toHaveLength(1);
    return found[0]?.rest ?? '';
  };

  test('every instruction is valid', () => {
    expect(all.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
    expect(all[0]?.name).toBe('FROM');
  });

  test('every image has a pinned release and no registry, and every stage exists', () => {
    expect(starts.flatMap(({ rest }) => wrongImage(rest.split(' ')[0] ?? ''))).toEqual([]);
    const stages = starts.flatMap(({ rest }) => / AS (\w+)$/.exec(rest)?.[1] ?? []);
    const from = all.flatMap(({ flags }) =>
      flags.filter((flag) => flag.startsWith('--from=')).map((flag) => flag.slice(7)),
    );
    expect(from).toEqual(stages);
  });

  test('the copied paths exist, and .dockerignore includes them', () => {
    expect(sources.length).toBeGreaterThan(3);
    expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([]);
    const through = read('.dockerignore').split('\n');
    expect(through).toContain('*');
    expect(sources.filter((source) => !through.includes(`!${source}`))).toEqual([]);
    const used = through.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(used.sort()).toEqual(sources.toSorted());
  });

  test('the executable can be built from the copied files alone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'brickmark-context-'));
    try {
      for (const source of sources) {
        cpSync(join(root, source), join(folder, source), { recursive: true });
      }
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      const build = Bun.spawn([process.execPath, 'scripts/build.ts'], {
        cwd: folder,
        stdout: 'pipe',
      });
      expect(await new Response(build.stdout).text()).toStartWith('dist/brickmark: ');
      expect(await build.exited).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('runs as an unprivileged user, by number', () => {
    expect(only('USER')).toMatch(/^[1-9]\d+:[1-9]\d+$/);
    const order = last.map(({ name }) => name);
    expect(order.lastIndexOf('RUN')).toBeLessThan(order.indexOf('USER'));
  });

  test('starts the executable itself, and checks its health with it', () => {
    const entry = JSON.parse(only('ENTRYPOINT')) as string[];
    const words = JSON.parse(only('CMD')) as string[];
    expect([entry, wrongWords(words)]).toEqual([['brickmark'], []]);
    const [program, ...asked] = JSON.parse(only('HEALTHCHECK').replace(/^CMD /, '')) as string[];
    expect([program, wrongWords(asked)]).toEqual(['brickmark', []]);
    expect(only('STOPSIGNAL')).toBe('SIGTERM');
  });

  test('has a volume for its data, and only known settings', () => {
    const [folder] = JSON.parse(only('VOLUME')) as string[];
    expect(only('ENV')).toBe(`BRICKMARK_DATA=${folder}`);
    expect(Object.keys(settings)).toContain('BRICKMARK_DATA');
  });
});

describe('deploy/compose.yaml', () => {
  const { services: all, volumes } = readComposition();
  const { prepare, brickmark, upkeep, backup, database } = all;
  const ours = [prepare, brickmark, upkeep];
  const services = [...ours, backup, database];

  test('has three services of Brickmark, built from here, and PostgreSQL 17 with its backup', () => {
    expect(Object.keys(all)).toEqual(['prepare', 'brickmark', 'upkeep', 'backup', 'database']);
    expect(services.flatMap(({ image }) => wrongImage(image))).toEqual([]);
    expect(database.image).toStartWith('postgres:17');
    // The backup program must not be older than its database.
    expect(backup.image).toBe(database.image);
    for (const { image, build } of ours) {
      expect(image).toBe(brickmark.image);
      expect(existsSync(join(root, 'deploy', build?.context ?? '', build?.dockerfile ?? ''))).toBe(
        true,
      );
    }
    expect(wrongWords(brickmark.command ?? [])).toEqual([]);
    expect(wrongWords(upkeep.command ?? [])).toEqual([]);
  });

  test('restarts services and gives them time to stop; the database is ready first, then the roles', () => {
    expect(brickmark.healthcheck.test).toEqual(['CMD', 'brickmark', 'health']);
    expect(database.healthcheck.test?.slice(0, 2)).toEqual(['CMD', 'pg_isready']);
    // They serve nothing that the image's health check could request.
    for (const { healthcheck } of [prepare, upkeep]) expect(healthcheck).toEqual({ disable: true });
    expect(prepare.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    for (const { depends_on } of [brickmark, upkeep, backup]) {
      expect(depends_on).toEqual({ prepare: { condition: 'service_completed_successfully' } });
    }
    expect(prepare.restart).toBe('no');
    for (const { restart } of [brickmark, upkeep, backup, database]) {
      expect(restart).toBe('unless-stopped');
    }
    expect(Number(/^(\d+)s$/.exec(brickmark.stop_grace_period ?? '')?.[1])).toBeGreaterThan(
      drainBounds.max + 20,
    );
  });

  test('persists data in declared, named volumes, and mounts existing files', () => {
    const mounted = services.flatMap((service) => service.volumes ?? []);
    const [named, files] = [
      mounted.filter((volume) => !volume.startsWith('.')),
      mounted.filter((volume) => volume.startsWith('.')),
    ];
    expect(named).toEqual([
      'answers:/data',
      'backups:/backups',
      'database:/var/lib/postgresql/data',
    ]);
    expect(Object.keys(volumes).sort()).toEqual(named.map((volume) => volume.split(':')[0] ?? ''));
    expect(files).toEqual([
      './sources:/etc/brickmark:ro',
      './backup-database.sh:/backup-database.sh:ro',
      './database.sql:/docker-entrypoint-initdb.d/database.sql:ro',
    ]);
    for (const name of ['database.sql', 'backup-database.sh']) {
      expect(existsSync(join(root, 'deploy', name))).toBe(true);
    }
    // The rest is in the database; other files are in the image's data folder.
    expect(upkeep.tmpfs).toEqual(['/tmp']);
    expect(read('deploy/Dockerfile')).toContain('BRICKMARK_DATA=/data');
  });

  test('limits logs and memory', () => {
    const rotated = { driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } };
    for (const { logging } of services) expect(logging).toEqual(rotated);
    const megabytes = ({ mem_limit }: Service) => {
      const [, number = '', unit] = /^(\d+)([mg])$/.exec(mem_limit) ?? [];
      return Number(number) * (unit === 'g' ? 1024 : 1);
    };
    // docs/speed.md: 300 MB for the serving process, 600 MB for any command.
    expect(read('docs/speed.md')).toMatch(/600 MB for any command, 300 MB for the\s+process/);
    expect(megabytes(prepare)).toBeGreaterThanOrEqual(600);
    expect(megabytes(brickmark)).toBeGreaterThanOrEqual(300 + 600);
    expect(megabytes(upkeep)).toBeGreaterThanOrEqual(600 + 600);
    for (const service of services) expect(megabytes(service)).toBeWithin(200, 2049);
  });

  test('configures sources in files outside version control, for upkeep only', () => {
    expect(upkeep.environment.BRICKMARK_SOURCES).toMatch(/^\$\{BRICKMARK_SOURCES:-\}$/);
    expect(Object.keys(settings)).toContain('BRICKMARK_SOURCES');
    for (const { environment, volumes: mounted } of [prepare, brickmark, backup, database]) {
      expect(environment.BRICKMARK_SOURCES).toBeUndefined();
      expect(JSON.stringify(mounted ?? [])).not.toContain('sources');
    }
    const ignored = read('.gitignore').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['deploy/sources.env', 'deploy/sources/']));
  });

  test('exposes nothing to other machines by default', () => {
    for (const { ports } of [prepare, upkeep, backup, database]) expect(ports).toBeUndefined();
    expect(brickmark.ports).toHaveLength(1);
    expect(brickmark.ports?.[0]).toMatch(/^\$\{BRICKMARK_PUBLISH:-127\.0\.0\.1:8080\}:8080$/);
    for (const { init, read_only, cap_drop, security_opt } of [...ours, backup]) {
      expect([init, read_only, cap_drop]).toEqual([true, true, ['ALL']]);
      expect(security_opt).toEqual(['no-new-privileges:true']);
    }
  });

  test('has no passwords, and does not start without them', () => {
    const secrets = services.flatMap(({ environment }) =>
      Object.entries(environment).filter(([name]) => name.endsWith('PASSWORD')),
    );
    expect(secrets).toHaveLength(7);
    for (const [, value] of secrets) {
      expect(value).toMatch(
        /^\$\{BRICKMARK_(OWNER|API|MARKET)_PASSWORD:\?set it in deploy\/\.env\}$/,
      );
    }
    expect(Object.keys(settings)).toContain('BRICKMARK_DATABASE_URL');
    expect(read('.gitignore').split('\n')).toContain('deploy/.env');
  });

  test('gives each service its own role, and no password of another', () => {
    const given = (environment: Readonly<Record<string, string>>) => [
      environment.BRICKMARK_DATABASE_URL,
      ...new Set(JSON.stringify(environment).match(/BRICKMARK_[A-Z]+_PASSWORD/g)),
    ];
    const address = (role: string) => `postgres://${role}@database:5432/brickmark`;
    expect(given(brickmark.environment)).toEqual([
      address('brickmark_api'),
      'BRICKMARK_API_PASSWORD',
    ]);
    expect(given(upkeep.environment)).toEqual([
      address('brickmark_market'),
      'BRICKMARK_MARKET_PASSWORD',
    ]);
    expect(given(prepare.environment)[0]).toBe(address('brickmark'));
    // The file with all passwords is read by Compose only.
    const optional = (path: string) => ({ path, required: false });
    for (const { env_file } of [prepare, brickmark]) {
      expect(env_file).toEqual([optional('settings.env')]);
    }
    expect(upkeep.env_file).toEqual([optional('settings.env'), optional('sources.env')]);
    for (const { env_file } of [backup, database]) expect(env_file).toBeUndefined();
    expect(read('.gitignore').split('\n')).toContain('deploy/settings.env');
  });
});

describe('deploy/backup-database.sh', () => {
  const dayMs = 86_400_000;
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'brickmark-dumps-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  /** Runs it with a fake `pg_dump`. */
  async function run(program: string) {
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'pg_dump'), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
    const script = join(root, 'deploy', 'backup-database.sh');
    const child = Bun.spawn(['/bin/sh', script, folder, '--once'], {
      env: { PATH: `${bin}:/usr/bin:/bin` },
      stdout: 'ignore',
      stderr: 'ignore',
    });
    return child.exited;
  }

  /** A file in the folder, `days` old. */
  function put(name: string, days: number): void {
    const at = new Date(Date.now() - days * dayMs);
    writeFileSync(join(folder, name), name);
    utimesSync(join(folder, name), at, at);
  }

  /** The part of `pg_dump` that the script uses. */
  const writeIt = 'test "$1" = --format=custom && echo ok > "$(echo "$2" | sed s/--file=//)"';

  const names = () => readdirSync(folder).filter((name) => name !== 'bin');

  test('creates a backup readable only by its owner, then deletes those older than two weeks', async () => {
    for (const [name, days] of [
      ['2026-10-01T031500Z.dump', 20],
      ['notes', 20],
    ] as const) {
      put(name, days);
    }
    put('2026-11-10T031500Z.dump', 13);
    put('2026-11-11T031500Z.part', 1);
    expect(await run(writeIt)).toBe(0);
    const made = names().filter((name) => !['2026-11-10T031500Z.dump', 'notes'].includes(name));
    expect(made).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT\d{6}Z\.dump$/)]);
    expect(names()).toHaveLength(3);
    expect(statSync(join(folder, made[0] ?? '')).mode & 0o077).toBe(0);
  });

  test('deletes nothing if it fails, and leaves no incomplete backup under its name', async () => {
    put('2026-10-01T031500Z.dump', 20);
    expect(await run(`${writeIt}; exit 1`)).not.toBe(0);
    expect(names().filter((name) => name.endsWith('.dump'))).toEqual(['2026-10-01T031500Z.dump']);
  });
});

describe('proxies', () => {
  const [nginx, caddy, haproxy] = ['nginx.conf', 'Caddyfile', 'haproxy.cfg'].map((name) =>
    read(`deploy/${name}`),
  );
  /** The numbers that match a pattern; throws if there are none. */
  const numbersOf = (text: string | undefined, pattern: RegExp) => {
    const found = [...(text ?? '').matchAll(pattern)].map(([, number]) => Number(number));
    expect(found.length).toBeGreaterThan(0);
    return found;
  };

  test('close idle connections before a node does, and wait longer for a response', () => {
    const kept = [
      ...numbersOf(/^upstream[\s\S]*?^\}/m.exec(nginx ?? '')?.[0], /keepalive_timeout +(\d+)s/g),
      ...numbersOf(caddy, /keepalive (\d+)s/g),
      ...numbersOf(haproxy, /pool-purge-delay (\d+)s/g),
    ];
    expect(Math.max(...kept)).toBeLessThanOrEqual(idleSeconds / 2);
    const patience = [
      ...numbersOf(nginx, /proxy_read_timeout +(\d+)s/g),
      ...numbersOf(caddy, /response_header_timeout (\d+)s/g),
      ...numbersOf(haproxy, /timeout server +(\d+)s/g),
    ];
    expect(Math.min(...patience)).toBeGreaterThan(idleSeconds);
  });

  test('accept bodies and headers as large as Brickmark does', () => {
    const bodyKib = bodyBytesMax / 1024;
    expect(numbersOf(nginx, /client_max_body_size (\d+)k/g)).toEqual([bodyKib]);
    expect(numbersOf(haproxy, /is_api \{ req\.hdr_val\(content-length\) gt (\d+) \}/g)).toEqual([
      bodyBytesMax,
    ]);
    expect(numbersOf(caddy, /max_size (\d+)KiB/g)).toEqual([bodyKib * 2]);
    const formMib = photoFormBytesMax / 1024 / 1024;
    expect(numbersOf(nginx, /client_max_body_size (\d+)m/g)).toEqual([formMib]);
    expect(numbersOf(caddy, /max_size (\d+)MiB/g)).toEqual([formMib]);
    expect(numbersOf(haproxy, /413 if \{ req\.hdr_val\(content-length\) gt (\d+) \}/g)).toEqual([
      photoFormBytesMax,
    ]);
    const arrivalSeconds = pools.uploads.least.msMax / 1000;
    expect(numbersOf(caddy, /read_body (\d+)s/g)).toEqual([arrivalSeconds]);
    expect(numbersOf(nginx, /large_client_header_buffers 2 (\d+)k/g)).toEqual([
      headerBytesMax / 1024 / 2,
    ]);
    expect(numbersOf(caddy, /max_header_size (\d+)KiB/g)).toEqual([headerBytesMax / 1024]);
    expect(numbersOf(haproxy, /tune\.bufsize (\d+)/g)).toEqual([headerBytesMax + 1024]);
  });
});

describe('.github/workflows/release.yml', () => {
  interface Job {
    readonly permissions?: Readonly<Record<string, string>>;
    readonly environment?: string;
    readonly if?: string;
    readonly needs?: string | readonly string[];
    readonly strategy?: {
      readonly matrix: { readonly include: readonly { architecture: string }[] };
    };
    readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
  }
  const text = read('.github/workflows/release.yml');
  const { permissions, jobs } = Bun.YAML.parse(text) as {
    readonly permissions: Readonly<Record<string, string>>;
    readonly jobs: Readonly<Record<string, Job>>;
  };
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const scripts = steps.flatMap(({ run }) => run ?? []);
  const page = read('docs/releasing.md');

  test('has valid scripts that start existing files', () => {
    expect(scripts.length).toBeGreaterThan(8);
    for (const script of scripts) {
      const { exitCode, stderr } = Bun.spawnSync(['bash', '-n', '-c', script]);
      expect([stderr.toString(), exitCode]).toEqual(['', 0]);
    }
    const all = scripts.join('\n');
    const named = [...all.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
    expect(named).toEqual(['release', 'release']);
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(named));
    const files = all.match(/(?:deploy\/Dockerfile|\.ci\/run|CHANGELOG\.md)/g) ?? [];
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    for (const job of Object.values(jobs)) {
      for (const name of [job.needs ?? []].flat()) expect(Object.keys(jobs)).toContain(name);
    }
  });

  test('builds both architectures with SBOM and provenance, and the package with provenance', () => {
    const built = jobs.build?.strategy?.matrix.include.map(({ architecture }) => architecture);
    expect(built).toEqual(['amd64', 'arm64']);
    const all = scripts.join('\n');
    for (const architecture of built ?? []) expect(all).toContain(`digest/${architecture})`);
    for (const word of ['--sbom=true', '--provenance=mode=max', 'sha256sum', '--only packages']) {
      expect(all).toContain(word);
    }
    expect(all).toMatch(/npm publish .* --provenance/);
    // Published files are never replaced.
    expect(all).not.toContain('--clobber');
  });

  test('the SBOM has what npm lists, and no development dependency', () => {
    const { components, dependencies } = makeSbom();
    const names = components.map((component) => component['bom-ref']).sort();
    expect(names).toEqual(listPackages());
    // Also needed by a development dependency, for which npm leaves it out.
    expect(names.some((name) => name.startsWith('zod@'))).toBe(true);
    expect(names.some((name) => name.startsWith('typescript@'))).toBe(false);
    const known = new Set([...names, `${manifest.name}@${manifest.version}`]);
    for (const { ref, dependsOn } of dependencies) {
      expect([ref, ...dependsOn].filter((name) => !known.has(name))).toEqual([]);
    }
  });

  test('publishes only on request, after an approval, and has no other rights', () => {
    expect(permissions).toEqual({ contents: 'read' });
    const { publish, ...others } = jobs;
    expect(Object.values(others).map((job) => job.permissions)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(publish).toMatchObject({
      if: "github.event_name == 'push' || inputs.publish",
      environment: 'release',
    });
    expect(publish?.needs).toEqual(Object.keys(others));
  });

  test('pins actions and names no registry; the docs list every variable and secret', () => {
    const used = [...new Set(steps.flatMap(({ uses }) => uses ?? []))];
    const loose = used.filter((name) => !/@[\da-f]{40}$/.test(name));
    expect(loose).toEqual([]);
    const hosts = /\b(?!install\.sh)[a-z\d-]+\.(?:io|com|org|net|dev|sh)\b/gi;
    expect(`${text}${page}`.match(hosts)).toEqual(['example.com', 'example.com']);
    const variables = [...text.matchAll(/\b(?:vars|secrets)\.(\w+)/g)].map(([, name = '']) => name);
    expect(variables.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    expect(new Set(variables).size).toBe(6);
  });
});
