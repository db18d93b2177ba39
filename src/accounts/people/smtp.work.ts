/** Sends emails over SMTP, with `nodemailer`. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { secondMs } from '../../kernel/time.ts';
import { withTimeout } from '../../kernel/timeout.ts';
import type { Mail, MailServer } from './mail.ts';

/** Timeout of an unresponsive server. */
const patienceMs = 20 * secondMs;

const replyLengthMax = 16_384;

/** Why a message was rejected, without secrets of the dialog. */
export class MailError extends Error {}

/** Tests use their own certificate authority and shorter timeouts. */
export interface MailOptions {
  readonly ca?: string;
  readonly patienceMs?: number;
}

/** Resolves when the server has accepted the message. */
export async function sendMail(
  server: MailServer,
  mail: Mail,
  { ca, patienceMs: wait = patienceMs }: MailOptions = {},
): Promise<void> {
  checkAddress(mail.to);
  const { host, port, isSecure, user, password, from } = server;
  const { to, subject, text, at, unsubscribeUrl } = mail;
  // Imported here, because it would slow down startup.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host: await addressOf(host, wait),
    port,
    secure: isSecure,
    requireTLS: needsStartTls(server),
    name: 'brickmark',
    // Sign in even if the server does not offer it: continuing without would only be rejected
    // later.
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
 * Resolved by the system, including /etc/hosts: nodemailer would ask DNS even for `localhost`, and
 * could send the password to an attacker.
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

/** Except on this machine, nothing is sent before encryption. */
function needsStartTls({ host, isSecure }: MailServer): boolean {
  return !isSecure && !/^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}

/** Only addresses that cannot be parsed as several are accepted. */
function checkAddress(address: string): void {
  if (!/^[\x21-\x7e]+@[\x21-\x7e]+$/.test(address) || /[<>]/.test(address)) {
    throw new MailError('The address has characters that mail servers may not support.');
  }
}

/** An error of nodemailer. */
interface SmtpFault extends Error {
  readonly code?: string;
  /** The last command, such as `RCPT TO`, and the reply. */
  readonly command?: string;
  readonly response?: string;
}

function reasonOf({ code, command, response, message }: SmtpFault, server: MailServer): string {
  const { host } = server;
  if (code === 'ETLS' && response !== undefined && needsStartTls(server)) {
    return `${host} does not support encryption, so nothing was sent to it.`;
  }
  if (response !== undefined) {
    return `${stageName(code, command)}: the mail server answered ${response}`;
  }
  if (code === 'ETIMEDOUT') return 'The mail server did not answer in time.';
  if (code === 'ECONNECTION') return 'The mail server closed the connection.';
  return `Nothing was sent to ${host}: ${message}`;
}

/** Only the first word of the command. */
function stageName(code: string | undefined, command = 'CONN'): string {
  if (code === 'EMESSAGE') return 'The message';
  return command === 'CONN' ? 'The greeting' : (command.split(' ', 1)[0] ?? command);
}
