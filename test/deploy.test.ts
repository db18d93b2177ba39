/** What installs Brickmark: its image, and the composition with PostgreSQL. */
import { describe, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drainBounds, settings } from '../src/config.ts';
import { read, readDockerfile, root, wrongImage, wrongWords } from './support/deploy.ts';

describe('deploy/Dockerfile', () => {
  const all = readDockerfile(read('deploy/Dockerfile'));
  const starts = all.filter(({ name }) => name === 'FROM');
  const last = all.slice(all.findLastIndex(({ name }) => name === 'FROM'));
  const sources = all
    .filter(({ name, flags }) => name === 'COPY' && flags.length === 0)
    .flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1));
  const known =
    'FROM RUN COPY ENV WORKDIR VOLUME USER EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD'.split(' ');
  const only = (name: string) => {
    const found = last.filter((instruction) => instruction.name === name);
    expect(found).toHaveLength(1);
    return found[0]?.rest ?? '';
  };

  test('every instruction is one', () => {
    expect(all.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
    expect(all[0]?.name).toBe('FROM');
  });

  test('every image is a release without a registry, and every stage is there', () => {
    expect(starts.flatMap(({ rest }) => wrongImage(rest.split(' ')[0] ?? ''))).toEqual([]);
    const stages = starts.flatMap(({ rest }) => / AS (\w+)$/.exec(rest)?.[1] ?? []);
    const from = all.flatMap(({ flags }) =>
      flags.filter((flag) => flag.startsWith('--from=')).map((flag) => flag.slice(7)),
    );
    expect(from).toEqual(stages);
  });

  test('what it copies exists, and is let through by .dockerignore', () => {
    expect(sources.length).toBeGreaterThan(3);
    expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([]);
    const through = read('.dockerignore').split('\n');
    expect(through).toContain('*');
    expect(sources.filter((source) => !through.includes(`!${source}`))).toEqual([]);
    const used = through.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(used.sort()).toEqual(sources.toSorted());
  });

  test('from what it copies, and nothing else, the executable can be built', async () => {
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

  test('it runs as a user without rights, by number', () => {
    expect(only('USER')).toMatch(/^[1-9]\d+:[1-9]\d+$/);
    const order = last.map(({ name }) => name);
    expect(order.lastIndexOf('RUN')).toBeLessThan(order.indexOf('USER'));
  });

  test('it starts the executable itself, and asks it for its health', () => {
    const entry = JSON.parse(only('ENTRYPOINT')) as string[];
    const words = JSON.parse(only('CMD')) as string[];
    expect([entry, wrongWords(words)]).toEqual([['brickmark'], []]);
    const [program, ...asked] = JSON.parse(only('HEALTHCHECK').replace(/^CMD /, '')) as string[];
    expect([program, wrongWords(asked)]).toEqual(['brickmark', []]);
    expect(only('STOPSIGNAL')).toBe('SIGTERM');
  });

  test('its data is a volume, and every setting is known', () => {
    const [folder] = JSON.parse(only('VOLUME')) as string[];
    expect(only('ENV')).toBe(`BRICKMARK_DATA=${folder}`);
    expect(Object.keys(settings)).toContain('BRICKMARK_DATA');
  });
});

describe('deploy/compose.yaml', () => {
  interface Service {
    readonly image: string;
    readonly build?: { readonly context: string; readonly dockerfile: string };
    readonly command?: readonly string[];
    readonly env_file?: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
    readonly ports?: readonly string[];
    readonly volumes: readonly string[];
    readonly healthcheck: { readonly test: readonly string[] };
    readonly restart: string;
    readonly stop_grace_period: string;
    readonly [more: string]: unknown;
  }
  const composed = Bun.YAML.parse(read('deploy/compose.yaml')) as {
    readonly services: { readonly brickmark: Service; readonly database: Service };
    readonly volumes: Readonly<Record<string, unknown>>;
  };
  const { brickmark, database } = composed.services;
  const services = Object.values<Service>(composed.services);

  test('it is Brickmark, built from here, and PostgreSQL 17', () => {
    expect(Object.keys(composed.services)).toEqual(['brickmark', 'database']);
    expect(services.flatMap(({ image }) => wrongImage(image))).toEqual([]);
    expect(database.image).toStartWith('postgres:17');
    const { context = '', dockerfile = '' } = brickmark.build ?? {};
    expect(existsSync(join(root, 'deploy', context, dockerfile))).toBe(true);
    expect(wrongWords(brickmark.command ?? [])).toEqual([]);
  });

  test('each is watched, comes back, and has time to end; the database is ready first', () => {
    expect(brickmark.healthcheck.test).toEqual(['CMD', 'brickmark', 'health']);
    expect(database.healthcheck.test.slice(0, 2)).toEqual(['CMD', 'pg_isready']);
    expect(brickmark.depends_on).toEqual({ database: { condition: 'service_healthy' } });
    expect(services.map(({ restart }) => restart)).toEqual(['unless-stopped', 'unless-stopped']);
    expect(Number(/^(\d+)s$/.exec(brickmark.stop_grace_period)?.[1])).toBeGreaterThan(
      drainBounds.max + 20,
    );
  });

  test('what they keep is in named volumes, and every one is declared', () => {
    const used = services.flatMap(({ volumes }) => volumes.map((volume) => volume.split(':')[0]));
    expect(used.sort()).toEqual(Object.keys(composed.volumes).sort());
    expect(database.volumes).toContain('database:/var/lib/postgresql/data');
  });

  test('nobody else reaches them unless told to', () => {
    expect(database.ports).toBeUndefined();
    expect(brickmark.ports).toHaveLength(1);
    expect(brickmark.ports?.[0]).toMatch(/^\$\{BRICKMARK_PUBLISH:-127\.0\.0\.1:8080\}:8080$/);
    const { init, read_only, cap_drop, security_opt } = brickmark;
    expect([init, read_only, cap_drop]).toEqual([true, true, ['ALL']]);
    expect(security_opt).toEqual(['no-new-privileges:true']);
  });

  test('no password is in it: without one, it does not start', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Compose fills it in.
    const password = '${BRICKMARK_DATABASE_PASSWORD:?set it in deploy/.env}';
    expect(database.environment).toEqual({
      POSTGRES_DB: 'brickmark',
      POSTGRES_USER: 'brickmark',
      POSTGRES_PASSWORD: password,
    });
    expect(brickmark.environment).toEqual({
      BRICKMARK_DATABASE_URL: `postgres://brickmark:${password}@database:5432/brickmark`,
    });
    expect(Object.keys(settings)).toContain('BRICKMARK_DATABASE_URL');
    expect(brickmark.env_file).toBe('.env');
    expect(read('.gitignore').split('\n')).toContain('deploy/.env');
  });
});
