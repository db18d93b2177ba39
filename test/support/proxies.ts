/** Runs the proxies with the configurations in `deploy/`, adapted to the test's ports and files. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { read } from './deploy.ts';
import { isOpen } from './pooler.ts';
import { freePort } from './ports.ts';
import { until } from './until.ts';

/** The values that replace those of the shipped configuration. */
interface Filled {
  readonly folder: string;
  /** The ports with TLS and without. */
  readonly port: number;
  readonly plainPort: number;
  readonly nodes: readonly [number, number];
}

interface ProxyKind {
  readonly source: string;
  /** Writes the adapted configuration and the files it needs; returns the file to start with. */
  write(filled: Filled): string;
  /** The commands that check and run a configuration. */
  check(program: string, file: string): string[];
  run(program: string, file: string): string[];
}

/** Also the name of its program. */
export type ProxyName = 'nginx' | 'caddy' | 'haproxy';

const proxyKinds: Readonly<Record<ProxyName, ProxyKind>> = {
  nginx: {
    source: 'deploy/nginx.conf',
    write: (filled) => {
      const { folder, port, plainPort } = filled;
      const site = writeFilled(filled, 'site.conf', proxyKinds.nginx.source, [
        [/^ *listen \[::\].*\n/gm, ''],
        ['listen 80', `listen 127.0.0.1:${plainPort}`],
        ['listen 443', `listen 127.0.0.1:${port}`],
        ['/etc/ssl/brickmark/fullchain.pem', join(folder, 'cert.pem')],
        ['/etc/ssl/brickmark/privkey.pem', join(folder, 'key.pem')],
        ['/var/log/nginx/access.log', join(folder, 'access.log')],
      ]);
      const main = join(folder, 'nginx.conf');
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
      const kept = paths.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ');
      writeFileSync(
        main,
        `daemon off; pid ${join(folder, 'pid')}; error_log stderr;\n` +
          `events {} http { access_log off; ${kept} include ${site}; }\n`,
      );
      return main;
    },
    check: (program, file) => [program, '-t', '-q', '-e', 'stderr', '-c', file],
    run: (program, file) => [program, '-e', 'stderr', '-c', file],
  },
  caddy: {
    source: 'deploy/Caddyfile',
    write: (filled) => {
      const { folder, port } = filled;
      const certificate = `${join(folder, 'cert.pem')} ${join(folder, 'key.pem')}`;
      return writeFilled(filled, 'Caddyfile', proxyKinds.caddy.source, [
        [/^\{$/m, '{\n\tadmin off\n\tauto_https off'],
        [/^brickmark.example.com \{$/m, `https://127.0.0.1:${port} {\n\ttls ${certificate}`],
      ]);
    },
    check: (program, file) => [program, 'validate', '--adapter', 'caddyfile', '--config', file],
    run: (program, file) => [program, 'run', '--adapter', 'caddyfile', '--config', file],
  },
  haproxy: {
    source: 'deploy/haproxy.cfg',
    write: (filled) =>
      writeFilled(filled, 'haproxy.cfg', proxyKinds.haproxy.source, [
        ['bind :80', `bind 127.0.0.1:${filled.plainPort}`],
        ['bind :443', `bind 127.0.0.1:${filled.port}`],
        ['/etc/haproxy/brickmark.pem', join(filled.folder, 'both.pem')],
      ]),
    check: (program, file) => [program, '-c', '-q', '-f', file],
    run: (program, file) => [program, '-db', '-f', file],
  },
};

/** Writes an adapted copy; throws if a replaced text is missing in the source. */
function writeFilled(
  { folder, nodes }: Filled,
  name: string,
  source: string,
  more: readonly (readonly [string | RegExp, string])[],
): string {
  const places = nodes.map((port, node) => [`10.0.0.1${node + 1}:8080`, `127.0.0.1:${port}`]);
  let text = read(source);
  for (const [from = '', to = ''] of [...places, ...more]) {
    const filled = typeof from === 'string' ? text.replaceAll(from, to) : text.replace(from, to);
    if (filled === text) throw new Error(`${source} lacks ${from}.`);
    text = filled;
  }
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

export interface RunningProxy {
  /** Requests a path, over a kept-alive or a fresh connection. */
  ask(path: string, init?: RequestInit, isFresh?: boolean): Promise<Response>;
  logged(): string;
  close(): Promise<void>;
}

/** Validates the adapted configuration with the program's own check, and starts it. */
export async function startProxy(
  name: ProxyName,
  program: string,
  nodes: readonly [number, number],
): Promise<RunningProxy> {
  const kind: ProxyKind = proxyKinds[name];
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-proxy-'));
  const [port, plainPort] = [await freePort(), await freePort()];
  const ca = makeCertificate(folder);
  const file = kind.write({ folder, port, plainPort, nodes });
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const checked = Bun.spawnSync(kind.check(program, file), { env });
  if (checked.exitCode !== 0) throw new Error(`${file}: ${checked.stderr}`);
  const log = join(folder, 'log');
  const child = Bun.spawn(kind.run(program, file), {
    env,
    stdio: ['ignore', Bun.file(log), Bun.file(log)],
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(await Bun.file(log).text());
    return isOpen(port);
  }, 'the proxy to listen');
  return {
    ask: (path, init = {}, isFresh = false) =>
      fetch(`https://127.0.0.1:${port}${path}`, { ...init, tls: { ca }, keepalive: !isFresh }),
    logged: () =>
      [log, join(folder, 'access.log')]
        .filter((path) => existsSync(path))
        .map((path) => readFileSync(path, 'utf8'))
        .join(''),
    close: async () => {
      child.kill('SIGTERM');
      await Promise.race([child.exited, Bun.sleep(2000)]);
      child.kill('SIGKILL');
      await child.exited;
      rmSync(folder, { recursive: true });
    },
  };
}

/** A certificate for 127.0.0.1: separate files, and one file with the key. */
function makeCertificate(folder: string): string {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const made = Bun.spawnSync([
    'openssl',
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    key,
    '-out',
    cert,
    '-days',
    '2',
    '-subj',
    '/CN=127.0.0.1',
    '-addext',
    'subjectAltName=IP:127.0.0.1',
  ]);
  if (made.exitCode !== 0) throw new Error(`No certificate was made: ${made.stderr}`);
  const text = readFileSync(cert, 'utf8');
  writeFileSync(join(folder, 'both.pem'), text + readFileSync(key, 'utf8'));
  return text;
}
