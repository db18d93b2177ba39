/** A small mail server that keeps what it is given. */
import net from 'node:net';
import tls from 'node:tls';

/** A message that was taken. */
export interface Taken {
  readonly from: string;
  readonly to: string;
  /** What was said to sign in; empty when nobody did. */
  readonly auth: string;
  /** Headers and text, as they were meant. */
  readonly text: string;
  readonly isSecret: boolean;
}

/** A running mail server. */
export interface MailHost {
  readonly port: number;
  readonly taken: readonly Taken[];
  /** The first word of everything that was said to it. */
  readonly heard: readonly string[];
  /** Answers a command with something else; with nothing, it hangs up. */
  refuse(command: string, reply: string): void;
  stop(): void;
}

interface Secret {
  readonly key: string;
  readonly cert: string;
  /** From the first byte on; otherwise it is offered. */
  readonly isSecure: boolean;
}

/** Starts one on any free port. */
export function startMailHost(secret?: Secret): MailHost {
  const taken: Taken[] = [];
  const heard: string[] = [];
  const refusals = new Map<string, string>();
  const sockets = new Set<net.Socket>();
  const serve = (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    talk(socket, { secret, taken, heard, refusals, isSecret: secret?.isSecure ?? false });
    socket.write('220 ready\r\n');
  };
  const server = secret?.isSecure ? tls.createServer(secret, serve) : net.createServer(serve);
  server.listen(0, '127.0.0.1');
  return {
    port: (server.address() as net.AddressInfo).port,
    taken,
    heard,
    refuse: (command, reply) => refusals.set(command, reply),
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

interface Desk {
  readonly secret: Secret | undefined;
  readonly taken: Taken[];
  readonly heard: string[];
  readonly refusals: ReadonlyMap<string, string>;
  readonly isSecret: boolean;
}

function talk(socket: net.Socket, desk: Desk): void {
  const { secret, isSecret, refusals } = desk;
  const letter = { from: '', to: '', auth: '', text: '', isSecret };
  let rest = '';
  let isData = false;
  const onData = (part: Buffer) => {
    rest += part.toString();
    for (;;) {
      const end = isData ? '\r\n.\r\n' : '\r\n';
      const at = rest.indexOf(end);
      if (at < 0) return;
      const line = rest.slice(0, at);
      rest = rest.slice(at + end.length);
      if (isData) {
        isData = false;
        desk.taken.push({ ...letter, text: asMeant(line.replace(/^\.(?=\.)/gm, '')) });
        socket.write('250 taken\r\n');
        continue;
      }
      const [word = ''] = line.split(' ', 1);
      desk.heard.push(word);
      const refusal = refusals.get(word);
      if (refusal === '') return void socket.destroy();
      if (refusal !== undefined) {
        socket.write(`${refusal}\r\n`);
      } else if (word === 'STARTTLS' && secret) {
        socket.off('data', onData);
        socket.write('220 go\r\n');
        const inner = new tls.TLSSocket(socket, { isServer: true, ...secret });
        inner.on('error', () => {});
        return talk(inner, { ...desk, isSecret: true });
      } else {
        isData = word === 'DATA';
        socket.write(`${answer(word, { line, letter, offers: !isSecret && !!secret })}\r\n`);
      }
    }
  };
  socket.on('data', onData);
}

/** The message as a mail program would show it, with its lines put together again. */
function asMeant(message: string): string {
  if (!/^Content-Transfer-Encoding: quoted-printable\r$/im.test(message)) return message;
  return message
    .replaceAll('=\r\n', '')
    .replace(/=([\dA-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

function answer(
  word: string,
  said: {
    readonly line: string;
    readonly letter: { from: string; to: string; auth: string };
    readonly offers: boolean;
  },
): string {
  const { line, letter, offers } = said;
  const inside = /<([^>]*)>/.exec(line)?.[1] ?? '';
  switch (word) {
    case 'EHLO':
      return offers ? '250-here\r\n250-STARTTLS\r\n250 AUTH PLAIN' : '250-here\r\n250 AUTH PLAIN';
    case 'AUTH':
      letter.auth = line.split(' ')[2] ?? '';
      return '235 welcome';
    case 'MAIL':
      letter.from = inside;
      return '250 ok';
    case 'RCPT':
      letter.to = inside;
      return '250 ok';
    case 'DATA':
      return '354 go on';
    case 'QUIT':
      return '221 bye';
    default:
      return '500 what';
  }
}
