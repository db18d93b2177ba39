/** Messages reach a mail server as they should, and nothing secret goes where it can be read. */
import { afterEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MailHost, startMailHost } from '../../test/support/mail-host.ts';
import { sendMail } from './smtp.ts';

const at = Date.UTC(2026, 10, 15, 12);
const mail = { to: 'ann@example.com', subject: 'Hello', text: 'One\n.\n.two\nEnd', at };
const nobody = { user: null, password: null, from: 'bricks@example.com', isSecure: false };

let host: MailHost | null = null;

afterEach(() => host?.stop());

test('a message arrives whole, also lines that begin with a full stop', async () => {
  host = startMailHost();
  await sendMail({ ...nobody, host: '127.0.0.1', port: host.port }, mail);
  const [taken] = host.taken;
  expect(taken).toMatchObject({ from: 'bricks@example.com', to: 'ann@example.com' });
  expect(taken?.text).toContain('Subject: Hello\r\n');
  expect(taken?.text).toContain('Date: Sun, 15 Nov 2026 12:00:00 +0000\r\n');
  expect(taken?.text.endsWith('\r\n\r\nOne\r\n.\r\n.two\r\nEnd')).toBe(true);
});

test('a name and a password are told, and not shown when they are wrong', async () => {
  host = startMailHost();
  const known = { ...nobody, user: 'me', password: 'secret', port: host.port };
  await sendMail({ ...known, host: '127.0.0.1' }, mail);
  expect(host.taken[0]?.auth).toBe(Buffer.from('\0me\0secret').toString('base64'));
  host.refuse('AUTH', '535 No');
  const refused = sendMail({ ...known, host: '127.0.0.1' }, mail);
  expect(await refused.catch((error) => error.message)).toBe(
    'AUTH: the mail server answered 535 No',
  );
});

test('another machine that offers no encryption is told nothing', async () => {
  host = startMailHost();
  // It leads to this machine, without saying so.
  const server = { ...nobody, host: '0.0.0.0', port: host.port };
  await expect(sendMail(server, mail)).rejects.toThrow('0.0.0.0 offers no encryption');
  expect(host.taken).toEqual([]);
});

test.each(['a b@example.com', 'a@example.com>\r\nRCPT TO:<b@example.com', 'ä@example.com'])(
  'an address such as %j is not sent at all',
  async (to) => {
    host = startMailHost();
    const server = { ...nobody, host: '127.0.0.1', port: host.port };
    await expect(sendMail(server, { ...mail, to })).rejects.toThrow('may not understand');
    expect(host.taken).toEqual([]);
  },
);

test('what the server refuses is told, and so is that it hung up or is not there', async () => {
  host = startMailHost();
  const server = { ...nobody, host: '127.0.0.1', port: host.port };
  host.refuse('RCPT', '550-No such\r\n550 mailbox');
  await expect(sendMail(server, mail)).rejects.toThrow(
    'RCPT: the mail server answered 550-No such',
  );
  host.refuse('EHLO', '');
  await expect(sendMail(server, mail)).rejects.toThrow('hung up');
  host.stop();
  await expect(sendMail(server, mail)).rejects.toThrow();
});

const openssl = Bun.which('openssl');

describe.skipIf(openssl === null)('with encryption', () => {
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-mail-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  Bun.spawnSync([
    'openssl',
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost',
    '-keyout',
    keyFile,
    '-out',
    certFile,
  ]);
  const secret = { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
  rmSync(folder, { recursive: true });
  const known = { ...nobody, host: 'localhost', user: 'me', password: 'secret' };

  test.each([true, false])('from the first byte on (%p), or when offered', async (isSecure) => {
    host = startMailHost({ ...secret, isSecure });
    const server = { ...known, port: host.port, isSecure };
    await sendMail(server, mail, { ca: secret.cert });
    expect(host.taken[0]).toMatchObject({ to: 'ann@example.com', isSecret: true });
  });

  test('a certificate that nobody vouches for is not believed', async () => {
    host = startMailHost({ ...secret, isSecure: true });
    await expect(sendMail({ ...known, port: host.port, isSecure: true }, mail)).rejects.toThrow();
    expect(host.taken).toEqual([]);
  });
});
