/** Emails reach a mail server correctly, and secrets are not exposed. */
import { afterEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MailHost, startMailHost } from '../../../test/support/mail-host.ts';
import { MailError, sendMail } from './smtp.work.ts';

const at = Date.UTC(2026, 10, 15, 12);
const mail = { to: 'ann@example.com', subject: 'Hello', text: 'One\n.\n.two\nEnd', at };
const anonymous = { user: null, password: null, from: 'bricks@example.com', isSecure: false };

let host: MailHost | null = null;

afterEach(() => host?.stop());

/** The error of a message that must not be sent. */
async function refusal(...sending: Parameters<typeof sendMail>): Promise<string> {
  const fault = await sendMail(...sending).catch((error: unknown) => error);
  if (fault instanceof MailError) return fault.message;
  throw new Error('The message was sent, or failed with an error of another kind.');
}

test('a message arrives complete, including lines that begin with a full stop', async () => {
  host = startMailHost();
  await sendMail({ ...anonymous, host: '127.0.0.1', port: host.port }, mail);
  const [taken] = host.taken;
  expect(taken).toMatchObject({ from: 'bricks@example.com', to: 'ann@example.com' });
  expect(taken?.text).toContain('Subject: Hello\r\n');
  expect(taken?.text).toContain('Date: Sun, 15 Nov 2026 12:00:00 +0000\r\n');
  expect(taken?.text.endsWith('\r\n\r\nOne\r\n.\r\n.two\r\nEnd')).toBe(true);
});

test('a message with an unsubscribe link has the standard headers', async () => {
  host = startMailHost();
  const server = { ...anonymous, host: '127.0.0.1', port: host.port };
  const unsubscribeUrl = 'https://bricks.example.com/alerts/end/abc';
  await sendMail(server, { ...mail, unsubscribeUrl });
  await sendMail(server, mail);
  const [first, second] = host.taken;
  expect(first?.text).toContain(`List-Unsubscribe: <${unsubscribeUrl}>\r\n`);
  expect(first?.text).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n');
  expect(second?.text).not.toContain('List-Unsubscribe');
});

test('credentials are sent, and not shown when they are wrong', async () => {
  host = startMailHost();
  const known = { ...anonymous, user: 'me', password: 'secret', port: host.port };
  await sendMail({ ...known, host: '127.0.0.1' }, mail);
  expect(host.taken[0]?.auth).toBe(Buffer.from('\0me\0secret').toString('base64'));
  host.refuse('AUTH', '535 No');
  expect(await refusal({ ...known, host: '127.0.0.1' }, mail)).toBe(
    'AUTH: the mail server answered 535 No',
  );
});

test('a wrong password is in no message, in any form', async () => {
  host = startMailHost();
  host.refuse('AUTH', '535 5.7.8 Bad credentials');
  const server = { ...anonymous, user: 'me', password: 'a secret', host: '127.0.0.1' };
  const error = await sendMail({ ...server, port: host.port }, mail).catch((fault) => fault);
  expect(error.message).toBe('AUTH: the mail server answered 535 5.7.8 Bad credentials');
  const words = Buffer.from('\0me\0a secret').toString('base64');
  expect(Bun.inspect(error)).not.toContain(words);
  expect(Bun.inspect(error)).not.toContain('a secret');
});

test('sign-in is attempted even if the server does not offer it', async () => {
  host = startMailHost();
  host.refuse('EHLO', '250 here');
  const server = { ...anonymous, user: 'me', password: 'secret', host: '127.0.0.1' };
  await sendMail({ ...server, port: host.port }, mail);
  expect(host.taken[0]?.auth).toBe(Buffer.from('\0me\0secret').toString('base64'));
});

test.each(['250-here\r\n250 AUTH PLAIN', '250-here\r\n250-STARTTLS\r\n250 AUTH PLAIN'])(
  'a remote server without encryption, or that withdraws it, gets nothing (%j)',
  async (offer) => {
    host = startMailHost();
    host.refuse('EHLO', offer);
    // Reaches this machine under an address that is not a loopback one.
    const server = {
      ...anonymous,
      user: 'me',
      password: 'secret',
      host: '0.0.0.0',
      port: host.port,
    };
    expect(await refusal(server, mail)).toContain('0.0.0.0 does not support encryption');
    expect(host.heard).toEqual(['EHLO', 'STARTTLS']);
    expect(host.taken).toEqual([]);
  },
);

test('the answer of a remote server is reported, and so is an unreachable one', async () => {
  host = startMailHost();
  host.refuse('EHLO', '550 No');
  const server = { ...anonymous, host: '0.0.0.0', port: host.port };
  expect(await refusal(server, mail)).toContain('the mail server answered 550 No');
  host.stop();
  expect(await refusal(server, mail)).toContain('Nothing was sent to 0.0.0.0');
});

test('a long link arrives complete, and a subject stays on one line', async () => {
  host = startMailHost();
  const link = `https://bricks.example.com/password/${'Ab-_9='.repeat(30)}`;
  const sly = { ...mail, subject: 'Hello\r\nBcc: b@example.com', text: `Here:\n${link}\n.` };
  await sendMail({ ...anonymous, host: '127.0.0.1', port: host.port }, sly);
  const [taken] = host.taken;
  expect(taken?.text).toContain(`\r\n${link}\r\n.`);
  expect(taken?.text).not.toMatch(/^Bcc:/im);
  expect(taken?.text).toContain('\r\nContent-Type: text/plain; charset=utf-8\r\n');
  expect(taken?.text).toContain('Auto-Submitted: auto-generated\r\n');
  expect(host.heard.filter((word) => word === 'RCPT')).toHaveLength(1);
});

test('an unresponsive server times out', async () => {
  const silent = net.createServer(() => {}).listen(0, '127.0.0.1');
  const { port } = silent.address() as net.AddressInfo;
  const server = { ...anonymous, host: '127.0.0.1', port };
  expect(await refusal(server, mail, { patienceMs: 200 })).toContain('did not answer in time');
  silent.close();
});

test.each(['a b@example.com', 'a@example.com>\r\nRCPT TO:<b@example.com', 'ä@example.com'])(
  'an address such as %j is refused',
  async (to) => {
    host = startMailHost();
    const server = { ...anonymous, host: '127.0.0.1', port: host.port };
    expect(await refusal(server, { ...mail, to })).toContain('may not support');
    expect(host.taken).toEqual([]);
  },
);

test('a rejection, a closed connection and a missing server are reported', async () => {
  host = startMailHost();
  const server = { ...anonymous, host: '127.0.0.1', port: host.port };
  host.refuse('RCPT', '550-No such\r\n550 mailbox');
  expect(await refusal(server, mail)).toContain('RCPT: the mail server answered 550-No such');
  host.refuse('EHLO', '');
  expect(await refusal(server, mail)).toContain('closed the connection');
  host.stop();
  expect(await refusal(server, mail)).toContain('Nothing was sent to 127.0.0.1');
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
  const known = { ...anonymous, host: 'localhost', user: 'me', password: 'secret' };

  test.each([true, false])('from the first byte on (%p), or when offered', async (isSecure) => {
    host = startMailHost({ ...secret, isSecure });
    const server = { ...known, port: host.port, isSecure };
    await sendMail(server, mail, { ca: secret.cert });
    expect(host.taken[0]).toMatchObject({ to: 'ann@example.com', isSecret: true });
  });

  test.each([true, false])(
    'a certificate from an unknown CA, or for another name, is rejected (%p)',
    async (isSecure) => {
      host = startMailHost({ ...secret, isSecure });
      const server = { ...known, port: host.port, isSecure };
      expect(await refusal(server, mail)).toContain('Nothing was sent to localhost');
      const elsewhere = { ...server, host: '127.0.0.1' };
      expect(await refusal(elsewhere, mail, { ca: secret.cert })).toContain(
        'Nothing was sent to 127.0.0.1',
      );
      expect(host.heard.filter((word) => word !== 'EHLO' && word !== 'STARTTLS')).toEqual([]);
      expect(host.taken).toEqual([]);
    },
  );
});
