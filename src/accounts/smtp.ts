/** Hands e-mails over to a mail server (SMTP), as much of it as a few short messages need. */
import net from 'node:net';
import tls from 'node:tls';
import type { Mail, MailServer } from '../domain/account/mail.ts';
import { secondMs } from '../domain/kernel/time.ts';

/** A server that is silent for so long is given up. */
const patienceMs = 20 * secondMs;

/** A reply that is longer than this is none. */
const replyLengthMax = 16_384;

/** Why a message was not taken; never with what was secret in the dialog. */
export class MailError extends Error {}

/** How the certificate of a server is looked at; tests bring their own authority. */
export type Trust = Pick<tls.ConnectionOptions, 'ca'>;

/** Sends a message; resolves when the server has taken it. */
export async function sendMail(server: MailServer, mail: Mail, trust: Trust = {}): Promise<void> {
  checkAddress(mail.to);
  const { host, port } = server;
  const plain = server.isSecure
    ? tls.connect({ host, port, servername: host, ...trust })
    : net.connect({ host, port });
  let dialog = new Dialog(plain);
  try {
    await dialog.reply('220');
    const offers = await dialog.say('EHLO brickmark', '250');
    const offersTls = /^250[ -]STARTTLS\s*$/im.test(offers);
    if (!server.isSecure && offersTls) {
      await dialog.say('STARTTLS', '220');
      dialog.leave();
      dialog = new Dialog(tls.connect({ socket: plain, servername: host, ...trust }));
      await dialog.say('EHLO brickmark', '250');
    }
    if (!server.isSecure && !offersTls && !isLocal(host)) throw new MailError(notSecret(host));
    await signIn(dialog, server);
    await dialog.say(`MAIL FROM:<${server.from}>`, '250');
    await dialog.say(`RCPT TO:<${mail.to}>`, '250');
    await dialog.say('DATA', '354');
    await dialog.say(`${messageOf(server, mail)}\r\n.`, '250', 'The message');
    // It is taken; whether the server says good-bye does not matter.
    await dialog.say('QUIT', '221').catch(() => {});
  } finally {
    dialog.end();
  }
}

/** What is said on this machine is read by nobody else. */
function isLocal(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}

function notSecret(host: string): string {
  return `${host} offers no encryption, so it is told neither the password nor the message.`;
}

async function signIn(dialog: Dialog, { user, password }: MailServer): Promise<void> {
  if (user === null) return;
  const words = Buffer.from(`\0${user}\0${password ?? ''}`).toString('base64');
  await dialog.say(`AUTH PLAIN ${words}`, '235');
}

/** Addresses go into the dialog as they are: only those that cannot be mistaken for more. */
function checkAddress(address: string): void {
  if (!/^[\x21-\x7e]+@[\x21-\x7e]+$/.test(address) || /[<>]/.test(address)) {
    throw new MailError('The address has letters that the mail server may not understand.');
  }
}

function messageOf({ from }: MailServer, { to, subject, text, at }: Mail): string {
  const lines = [
    `From: Brickmark <${from}>`,
    `To: <${to}>`,
    `Subject: ${subject}`,
    `Date: ${new Date(at).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${crypto.randomUUID()}@${from.split('@')[1] ?? 'brickmark'}>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Auto-Submitted: auto-generated',
    '',
    ...text.split('\n'),
  ];
  // A line that is a full stop alone would end the message.
  return lines.map((line) => (line.startsWith('.') ? `.${line}` : line)).join('\r\n');
}

/** One side says something, the other answers with a number. */
class Dialog {
  private text = '';
  private fault: Error | null = null;
  private wake: (() => void) | null = null;

  constructor(private readonly socket: net.Socket) {
    socket.setTimeout(patienceMs, () => this.fail(new MailError('The mail server is silent.')));
    socket.on('data', this.onData);
    socket.on('error', this.onError);
    socket.on('close', this.onClose);
  }

  private readonly onData = (part: Buffer) => {
    this.text += part.toString('latin1');
    if (this.text.length > replyLengthMax) this.fail(new MailError('The reply is too long.'));
    this.wake?.();
  };

  private readonly onError = (error: Error) => this.fail(error);

  private readonly onClose = () => this.fail(new MailError('The mail server hung up.'));

  private fail(error: Error): void {
    this.fault ??= error;
    this.wake?.();
  }

  /** Sends a line and waits for its answer; faults show no more of it than its first word. */
  say(line: string, wanted: string, shown = line.split(/[ \r\n]/, 1)[0]): Promise<string> {
    this.socket.write(`${line}\r\n`);
    return this.reply(wanted, shown);
  }

  /** Waits for a whole answer: its last line has a blank after the number. */
  async reply(wanted: string, shown = 'The greeting'): Promise<string> {
    for (;;) {
      const whole = /^(?:\d{3}-[^\n]*\n)*(\d{3})(?: [^\n]*)?\n/.exec(this.text);
      if (whole) {
        this.text = this.text.slice(whole[0].length);
        if (whole[1] === wanted) return whole[0].replaceAll('\r', '');
        throw new MailError(`${shown}: the mail server answered ${whole[0].trim()}`);
      }
      if (this.fault) throw this.fault;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  /** Leaves the connection to somebody else. */
  leave(): void {
    this.socket.off('data', this.onData);
    this.socket.off('close', this.onClose);
    this.socket.setTimeout(0);
  }

  end(): void {
    this.socket.destroy();
  }
}
