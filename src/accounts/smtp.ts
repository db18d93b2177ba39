/** Hands e-mails over to a mail server (SMTP); `nodemailer` speaks with it. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Mail, MailServer } from '../domain/account/mail.ts';
import { secondMs } from '../domain/kernel/time.ts';
import { withTimeout } from '../domain/kernel/timeout.ts';

/** A server that is silent for so long is given up. */
const patienceMs = 20 * secondMs;

/** A reply that is longer than this is none. */
const replyLengthMax = 16_384;

/** Why a message was not taken; never with what was secret in the dialog. */
export class MailError extends Error {}

/** How a server is met; tests bring an authority of their own, and less patience. */
export interface MailOptions {
  readonly ca?: string;
  readonly patienceMs?: number;
}

/** Sends a message; resolves when the server has taken it. */
export async function sendMail(
  server: MailServer,
  mail: Mail,
  { ca, patienceMs: wait = patienceMs }: MailOptions = {},
): Promise<void> {
  checkAddress(mail.to);
  const { host, port, isSecure, user, password, from } = server;
  const { to, subject, text, at, unsubscribeUrl } = mail;
  // Only here, so that nothing else starts later because of it.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host: await addressOf(host, wait),
    port,
    secure: isSecure,
    requireTLS: needsStartTls(server),
    name: 'brickmark',
    // A server that does not offer to be signed in to is asked all the same: silently going on
    // without would only be refused later.
    ...(user !== null && { auth: { user, pass: password ?? '' }, forceAuth: true }),
    tls: { ...(isIP(host) === 0 && { servername: host }), ...(ca !== undefined && { ca }) },
    connectionTimeout: wait,
    greetingTimeout: wait,
    socketTimeout: wait,
    maxResponseSize: replyLengthMax,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from: { name: 'Brickmark', address: from },
      to: { name: '', address: to },
      subject,
      text,
      date: new Date(at),
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(unsubscribeUrl && {
          'List-Unsubscribe': `<${unsubscribeUrl}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        }),
      },
      xMailer: false,
    });
  } catch (error) {
    throw new MailError(reasonOf(error as SmtpFault, server));
  }
}

/**
 * Looked up as the system does it, with /etc/hosts first: nodemailer would ask DNS even what
 * `localhost` is, and whoever answered that would be told the password.
 */
async function addressOf(host: string, wait: number): Promise<string> {
  const name = host.replace(/^\[(.*)\]$/, '$1');
  const tooLate = () => new Error('its address was not found in time');
  try {
    const { address } = await withTimeout(lookup(name), wait, tooLate);
    return address;
  } catch (error) {
    throw new MailError(`Nothing was sent to ${host}: ${(error as Error).message}`);
  }
}

/** Elsewhere nothing is said before it is encrypted; on this machine nobody else could read it. */
function needsStartTls({ host, isSecure }: MailServer): boolean {
  return !isSecure && !/^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}

/** Addresses are passed on as they are: only those that cannot be mistaken for more. */
function checkAddress(address: string): void {
  if (!/^[\x21-\x7e]+@[\x21-\x7e]+$/.test(address) || /[<>]/.test(address)) {
    throw new MailError('The address has characters that mail servers may not support.');
  }
}

/** What nodemailer says of a failure. */
interface SmtpFault extends Error {
  readonly code?: string;
  /** What was said last, such as `RCPT TO`, and what the server answered. */
  readonly command?: string;
  readonly response?: string;
}

function reasonOf({ code, command, response, message }: SmtpFault, server: MailServer): string {
  const { host } = server;
  if (code === 'ETLS' && response !== undefined && needsStartTls(server)) {
    return `${host} does not support encryption, so nothing was sent to it.`;
  }
  if (response !== undefined) {
    return `${shown(code, command)}: the mail server answered ${response}`;
  }
  if (code === 'ETIMEDOUT') return 'The mail server did not answer in time.';
  if (code === 'ECONNECTION') return 'The mail server closed the connection.';
  return `Nothing was sent to ${host}: ${message}`;
}

/** What the server answered to, with no more of it than its first word. */
function shown(code: string | undefined, command = 'CONN'): string {
  if (code === 'EMESSAGE') return 'The message';
  return command === 'CONN' ? 'The greeting' : (command.split(' ', 1)[0] ?? command);
}
