/** Messages are sent only to checked addresses, whatever the server does. */
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import https, { type RequestOptions } from 'node:https';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readNetwork } from '../../accounts/people/network.ts';
import { dayMs } from '../../kernel/time.ts';
import type { AllowedNetworks } from '../channels/outside-address.ts';
import { answerBytesMax, SendError, type SendOptions, sendHttp } from './send.work.ts';
import type { Resolve } from './target.work.ts';

/** The requests of a server, in order. */
const asked: string[] = [];

let server: ReturnType<typeof Bun.serve>;
let inner: ReturnType<typeof Bun.serve>;
const connections = new Set<net.Socket>();

beforeAll(() => {
  inner = Bun.serve({
    hostname: '127.0.0.2',
    port: 0,
    fetch: () => {
      asked.push('the inner one');
      return new Response('secret');
    },
  });
  server = Bun.serve({ hostname: '127.0.0.1', port: inner.port ?? 0, fetch: answer });
});

afterAll(() => {
  server.stop(true);
  inner.stop(true);
});

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  asked.push(`${request.method} ${request.headers.get('Host')}${pathname} ${await request.text()}`);
  switch (pathname) {
    case '/redirect':
      return Response.redirect(`http://127.0.0.2:${inner.port}/`, 307);
    case '/huge':
      return new Response('x'.repeat(50_000_000));
    case '/busy': {
      const headers = { 'Retry-After': request.headers.get('X-Pause') ?? '90' };
      return new Response('later\0', { status: 429, headers });
    }
    default:
      return new Response('fine');
  }
}

const networks = (...list: string[]): AllowedNetworks =>
  list.map(readNetwork).filter((network) => network !== null);

/** Knows no name. */
const resolve: Resolve = async () => [];
const options: SendOptions = {
  resolve,
  allowed: networks('127.0.0.1'),
  userAgent: 'brickmark/test',
  timeoutMs: 2_000,
  answerMs: 60,
};

const send = (address: string, more: Partial<SendOptions> = {}) =>
  sendHttp({ address, headers: { 'webhook-id': 'a' }, body: '{"é":1}' }, { ...options, ...more });

async function refusal(address: string, more: Partial<SendOptions> = {}): Promise<string> {
  const fault = await send(address, more).catch((error: unknown) => error);
  if (fault instanceof SendError) return fault.message;
  throw new Error('It was sent, or failed with an error of another kind.');
}

/** Runs a server that handles connections like this. */
async function withListener<T>(
  onConnection: (socket: net.Socket) => void,
  run: (port: number) => Promise<T>,
): Promise<T> {
  const listener = net.createServer((socket) => {
    connections.add(socket);
    socket.on('error', () => {});
    onConnection(socket);
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  try {
    return await run((listener.address() as net.AddressInfo).port);
  } finally {
    for (const socket of connections) socket.destroy();
    listener.close();
  }
}

test('a message is posted with its headers, and the response is read', async () => {
  asked.length = 0;
  const address = `http://hook.test:${server.port}/in?a=1`;
  const sent = await send(address, { resolve: async () => ['127.0.0.1'] });
  expect(sent).toEqual({ status: 200, text: 'fine', retryAfterMs: null });
  expect(asked).toEqual([`POST hook.test:${server.port}/in {"é":1}`]);
});

describe('nothing is sent to', () => {
  test.each([
    'https://127.0.0.2/',
    'https://localhost/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.2]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://2130706434/',
    'https://0x7f.2/',
    'https://0/',
    'https://10.0.0.1:8443/',
  ])('%s, which is private', async (address) => {
    const known: Resolve = async () => ['127.0.0.2', '::1'];
    const words = await refusal(address, { resolve: known });
    expect(words).toContain('private network');
    // Results are stored in plain text, addresses encrypted.
    expect(words).not.toContain(new URL(address).hostname);
  });

  test('a name with a private address among others', async () => {
    asked.length = 0;
    const address = `http://hook.test:${inner.port}/`;
    const mixed: Resolve = async () => ['127.0.0.1', '127.0.0.2'];
    expect(await refusal(address, { resolve: mixed })).toContain('private network');
    expect(asked).toEqual([]);
  });

  test('the target of a redirect', async () => {
    asked.length = 0;
    const sent = await send(`http://127.0.0.1:${server.port}/redirect`);
    expect(sent.status).toBe(307);
    expect(asked).toEqual([`POST 127.0.0.1:${server.port}/redirect {"é":1}`]);
  });

  test('an address that a name resolves to later', async () => {
    asked.length = 0;
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    let lookUps = 0;
    const changing: Resolve = async () => answers[lookUps++] ?? [];
    const address = `http://hook.test:${server.port}/`;
    expect((await send(address, { resolve: changing })).text).toBe('fine');
    expect(lookUps).toBe(1);
    expect(await refusal(address, { resolve: changing })).toContain('private network');
    expect(lookUps).toBe(2);
    expect(asked).toEqual([`POST hook.test:${server.port}/ {"é":1}`]);
  });

  test('http outside allowed networks', async () => {
    const outside: Resolve = async () => ['93.184.215.14'];
    expect(await refusal('http://example.com/', { resolve: outside })).toContain('https://');
    const some: Resolve = async () => ['127.0.0.1', '93.184.215.14'];
    expect(await refusal('http://example.com/', { resolve: some })).toContain('https://');
  });

  test.each(['', 'example.com', 'ftp://example.com/', 'file:///etc/passwd', 'https://', 'data:,a'])(
    "'%s', which is not a URL",
    async (address) => {
      expect(await refusal(address)).toContain('Enter an address');
    },
  );

  test('a URL with credentials, or one that is too long', async () => {
    expect(await refusal('https://me:secret@example.com/')).toContain('password');
    expect(await refusal(`https://example.com/${'a'.repeat(2_000)}`)).toContain('Enter an address');
  });

  test('a name that does not exist', async () => {
    const failing: Resolve = () => Promise.reject(new Error('no'));
    expect(await refusal('https://nobody.test/')).toBe(
      'This host was not found, or is on a private network, which the operator has to allow.',
    );
    expect(await refusal('https://nobody.test/', { resolve: failing })).toContain('not found');
  });
});

describe('a response', () => {
  test('that never comes times out', async () => {
    await withListener(
      () => {},
      async (port) => {
        const address = `http://127.0.0.1:${port}/`;
        const words = await refusal(address, { timeoutMs: 80 });
        expect(words).toBe('No answer within 0.08 seconds.');
      },
    );
  });

  test('times out while a name is being resolved', async () => {
    const silent: Resolve = () => new Promise(() => {});
    expect(await refusal('https://a.test/', { resolve: silent, timeoutMs: 50 })).toContain(
      '0.05 s',
    );
  });

  test('counts by its status, however slow the body is', async () => {
    const slow = (socket: net.Socket) => {
      socket.on('data', () => socket.write('HTTP/1.1 201 Yes\r\nContent-Length: 99\r\n\r\nab'));
    };
    await withListener(slow, async (port) => {
      const sent = await send(`http://127.0.0.1:${port}/`);
      expect(sent).toEqual({ status: 201, text: 'ab', retryAfterMs: null });
    });
  });

  const head = 'HTTP/1.1 201 Yes\r\nContent-Length: 9999\r\n\r\n';
  const patient = { answerMs: 60_000 };

  test('counts even if it is incomplete', async () => {
    const broken = (socket: net.Socket) => {
      socket.on('data', () => socket.write(`${head}ab`, () => socket.destroy()));
    };
    await withListener(broken, async (port) => {
      const sent = await send(`http://127.0.0.1:${port}/`, patient);
      expect(sent).toEqual({ status: 201, text: 'ab', retryAfterMs: null });
    });
  });

  test('is complete when it ends, or after its first kilobyte', async () => {
    expect((await send(`http://127.0.0.1:${server.port}/`, patient)).text).toBe('fine');
    const slow = (socket: net.Socket) => {
      socket.on('data', () => {
        socket.write(`${head}${'a'.repeat(1_023)}`);
        setTimeout(() => socket.write('b'), 20);
      });
    };
    await withListener(slow, async (port) => {
      const sent = await send(`http://127.0.0.1:${port}/`, patient);
      expect(sent.text).toBe(`${'a'.repeat(1_023)}b`);
    });
  });

  test('that timed out leaves no connection open', async () => {
    const closed = Promise.withResolvers<void>();
    const silent = (socket: net.Socket) => socket.resume().on('close', () => closed.resolve());
    await withListener(silent, async (port) => {
      await refusal(`http://127.0.0.1:${port}/`, { timeoutMs: 50 });
      await closed.promise;
    });
  });

  test('that is incomplete is not requested again at another address', async () => {
    let times = 0;
    const rude = (socket: net.Socket) => {
      times++;
      socket.on('data', () => socket.end('HTT'));
    };
    const same: Resolve = async () => ['127.0.0.1', '127.0.0.1'];
    await withListener(rude, async (port) => {
      await refusal(`http://hook.test:${port}/`, { resolve: same });
      expect(times).toBe(1);
    });
  });

  test('is read only up to its first kilobyte', async () => {
    const sent = await send(`http://127.0.0.1:${server.port}/huge`);
    expect(sent.text).toBe('x'.repeat(answerBytesMax));
  });

  test('can have a Retry-After', async () => {
    const sent = await send(`http://127.0.0.1:${server.port}/busy`);
    expect(sent).toEqual({ status: 429, text: 'later\ufffd', retryAfterMs: 90_000 });
  });

  test.each([
    ['1.5', 1_500],
    ['0.0001', 1],
    ['0', 0],
    ['86400', dayMs],
    // More than a day is limited to a day.
    ['86401', dayMs],
    ['999999999', dayMs],
    ['1234567890', null],
    ['-5', null],
    ['5s', null],
    ['Wed, 21 Oct 2026 07:28:00 GMT', null],
  ])('with a Retry-After of %s', async (pause, retryAfterMs) => {
    const address = `http://127.0.0.1:${server.port}/busy`;
    const sent = await sendHttp({ address, headers: { 'X-Pause': pause }, body: '' }, options);
    expect(sent.retryAfterMs).toBe(retryAfterMs);
  });

  test('that ends before its status is a failure', async () => {
    const rude = (socket: net.Socket) => {
      socket.on('data', () => socket.end('HTT'));
    };
    await withListener(rude, async (port) => {
      expect(await refusal(`http://127.0.0.1:${port}/`)).not.toContain('within');
    });
  });

  test('that leads to another protocol is none', async () => {
    const other = (socket: net.Socket) => {
      const head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other';
      socket.on('data', () => socket.end(`${head}\r\n\r\n`));
    };
    await withListener(other, async (port) => {
      const words = await refusal(`http://127.0.0.1:${port}/`);
      expect(words).toBe('The connection was closed without an answer.');
    });
  });

  test('is waited for on a connection that is there, however long another address may take', async () => {
    const slow = (socket: net.Socket) => {
      socket.on('data', () => setTimeout(() => socket.end('HTTP/1.1 204 Yes\r\n\r\n'), 60));
    };
    const same: Resolve = async () => ['127.0.0.1', '127.0.0.1'];
    await withListener(slow, async (port) => {
      const address = `http://hook.test:${port}/`;
      expect((await send(address, { resolve: same, connectMs: 30 })).status).toBe(204);
    });
  });

  test('that timed out is not requested afterwards', async () => {
    asked.length = 0;
    const found = Promise.withResolvers<readonly string[]>();
    const late: Resolve = () => found.promise;
    const address = `http://hook.test:${server.port}/late`;
    await refusal(address, { resolve: late, timeoutMs: 20 });
    found.resolve(['127.0.0.1']);
    await send(`http://127.0.0.1:${server.port}/other`);
    expect(asked).toEqual([`POST 127.0.0.1:${server.port}/other {"é":1}`]);
  });

  test('comes from another address if the first refuses the connection', async () => {
    const closed = await withListener(
      () => {},
      async (port) => port,
    );
    expect(await refusal(`http://127.0.0.1:${closed}/`)).toBe('The connection was refused.');
    const two: Resolve = async () => ['127.0.0.3', '127.0.0.1'];
    const address = `http://hook.test:${server.port}/`;
    const allowed = networks('127.0.0.0/8');
    expect((await send(address, { resolve: two, allowed })).status).toBe(200);
  });
});

describe('a request', () => {
  /** The request options, without sending. */
  async function requestOf(address: string, more: Partial<SendOptions> = {}) {
    const asked: RequestOptions[] = [];
    const refuse = ((request: RequestOptions) => {
      asked.push(request);
      throw new Error('Not now.');
    }) as unknown as typeof http.request;
    const spies = [http, https].map((each) => spyOn(each, 'request').mockImplementation(refuse));
    const allowed = networks('127.0.0.0/8', '::1/128');
    const words = await refusal(address, { resolve: async () => ['127.0.0.9'], allowed, ...more });
    expect(words).toBe('The server could not be reached (no code).');
    const isSecret = spies[1]?.mock.calls.length === 1;
    for (const spy of spies) spy.mockRestore();
    return { ...asked[0], isSecret };
  }

  test.each([
    ['http://hook.test/a?b=1', { isSecret: false, host: '127.0.0.9', port: 80, path: '/a?b=1' }],
    ['https://hook.test/', { isSecret: true, port: 443, path: '/', servername: 'hook.test' }],
    ['http://hook.test:8080/', { isSecret: false, port: 8080 }],
    ['https://[::1]:8443/', { isSecret: true, host: '::1', port: 8443 }],
  ])('is sent to the host and port of %s', async (address, expected) => {
    const usual = { method: 'POST', agent: false };
    expect(await requestOf(address)).toMatchObject({ ...usual, ...expected });
  });

  test('has a server name only for a host name, and a CA only if given', async () => {
    const ca = 'an authority';
    expect(Object.keys(await requestOf('http://hook.test/', { ca }))).not.toContain('servername');
    expect(Object.keys(await requestOf('https://[::1]/', {}))).not.toContain('servername');
    expect((await requestOf('https://hook.test/', { ca })).ca).toBe(ca);
    expect(Object.keys(await requestOf('https://hook.test/'))).not.toContain('ca');
    expect(Object.keys(await requestOf('http://hook.test/', { ca }))).not.toContain('ca');
  });

  test('has the headers of the message', async () => {
    expect((await requestOf('http://hook.test:81/')).headers).toEqual({
      Host: 'hook.test:81',
      'User-Agent': 'brickmark/test',
      'Content-Length': '8',
      Connection: 'close',
      'webhook-id': 'a',
    });
  });

  test.each([
    [['127.0.0.1'], [15_000, 2_000]],
    [
      ['127.0.0.1', '127.0.0.1'],
      [15_000, 4_000, 2_000],
    ],
    // The first has no listener.
    [
      ['127.0.0.3', '127.0.0.1'],
      [15_000, 4_000, 2_000],
    ],
  ])(
    'to %j has timeouts for everything, for connecting and for the response',
    async (addresses, limits) => {
      const waits = spyOn(globalThis, 'setTimeout');
      const ends = spyOn(globalThis, 'clearTimeout');
      const usual = { allowed: networks('127.0.0.0/8'), userAgent: 'brickmark/test' };
      const address = `http://hook.test:${server.port}/`;
      await sendHttp(
        { address, headers: {}, body: '' },
        { ...usual, resolve: async () => addresses },
      );
      const timers = waits.mock.calls.map(([, ms = 0], index) => {
        return { ms, timer: waits.mock.results[index]?.value };
      });
      const ended: unknown[] = ends.mock.calls.map(([timer]) => timer);
      waits.mockRestore();
      ends.mockRestore();
      const long = timers.filter(({ ms }) => ms >= 1_000);
      expect(long.map(({ ms }) => ms)).toEqual(limits);
      // A remaining timer would keep the process alive.
      for (const { timer } of long) expect(ended).toContain(timer);
    },
  );
});

const openssl = Bun.which('openssl');

describe.skipIf(openssl === null)('with TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-send-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  const names = ['-subj', '/CN=hook.test', '-addext', 'subjectAltName=DNS:hook.test'];
  const files = ['-keyout', keyFile, '-out', certFile];
  Bun.spawnSync(['openssl', ...words.split(' '), ...names, ...files]);
  const tls = { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
  rmSync(folder, { recursive: true });
  const heard: string[] = [];
  let answerAfterMs = 0;
  let secure: ReturnType<typeof Bun.serve>;
  beforeAll(() => {
    const hear = async (request: Request) => {
      heard.push(request.url);
      await Bun.sleep(answerAfterMs);
      return new Response('fine');
    };
    secure = Bun.serve({ hostname: '127.0.0.1', port: 0, tls, fetch: hear });
  });
  afterAll(() => secure.stop(true));
  const here: Resolve = async () => ['127.0.0.1'];

  test('the certificate is verified by host name', async () => {
    const address = `https://hook.test:${secure.port}/`;
    const sent = await send(address, { resolve: here, ca: tls.cert });
    expect(sent.status).toBe(200);
    expect(heard.splice(0)).toEqual([address]);
  });

  test('an address that accepts no connection in time is skipped', async () => {
    const silent = net.createServer((socket) => connections.add(socket));
    await new Promise<void>((done) => silent.listen(secure.port, '127.0.0.3', done));
    const two: Resolve = async () => ['127.0.0.3', '127.0.0.1'];
    const allowed = networks('127.0.0.0/8');
    const address = `https://hook.test:${secure.port}/`;
    const sent = await send(address, { resolve: two, allowed, ca: tls.cert, connectMs: 100 });
    expect(sent.status).toBe(200);
    expect(heard.splice(0)).toEqual([address]);
    for (const socket of connections) socket.destroy();
    silent.close();
  });

  test('an open connection is not closed while waiting for the response', async () => {
    const same: Resolve = async () => ['127.0.0.1', '127.0.0.1'];
    answerAfterMs = 150;
    const address = `https://hook.test:${secure.port}/`;
    const sent = await send(address, { resolve: same, ca: tls.cert, connectMs: 100 });
    answerAfterMs = 0;
    expect(sent.status).toBe(200);
    expect(heard.splice(0)).toEqual([address]);
  });

  test('a certificate for another name, or from an unknown CA, is rejected', async () => {
    const other = { resolve: here, ca: tls.cert };
    expect(await refusal(`https://other.test:${secure.port}/`, other)).toContain('another name');
    expect(await refusal(`https://127.0.0.1:${secure.port}/`, other)).toContain('another name');
    const unknown = await refusal(`https://hook.test:${secure.port}/`, { resolve: here });
    expect(unknown).toContain('certificate is not trusted');
    expect(heard).toEqual([]);
  });

  test('a server without TLS gets nothing', async () => {
    asked.length = 0;
    const address = `https://hook.test:${server.port}/`;
    await refusal(address, { resolve: here, ca: tls.cert });
    expect(asked).toEqual([]);
  });
});
