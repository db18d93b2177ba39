/** A small SMTP server that records messages. */
import net from 'node:net';
import tls from 'node:tls';

/** A received message. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  /** The argument of AUTH PLAIN; empty without authentication. */
  readonly auth: string;
  /** Headers and text, decoded from quoted-printable. */
  readonly text: string;
  readonly isSecret: boolean;
}

export interface MailHost {
  readonly port: number;
  readonly taken: readonly ReceivedMail[];
  /** The first word of each command received. */
  readonly heard: readonly string[];
  /** Replaces the reply to a command; an empty reply closes the connection. */
  refuse(command: string, reply: string): void;
  stop(): void;
}

interface TlsOptions {
  readonly key: string;
  readonly cert: string;
  /** TLS from the first byte; otherwise offered as STARTTLS. */
  readonly isSecure: boolean;
}

/** Starts a server on any free port. */
export function startMailHost(tlsOptions?: TlsOptions): MailHost {
  const taken: ReceivedMail[] = [];
  const heard: string[] = [];
  const refusals = new Map<string, string>();
  const sockets = new Set<net.Socket>();
  const serve = (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    talk(socket, { tlsOptions, taken, heard, refusals, isSecret: tlsOptions?.isSecure ?? false });
    socket.write('220 ready\r\n');
  };
  const server = tlsOptions?.isSecure
    ? tls.createServer(tlsOptions, serve)
    : net.createServer(serve);
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

interface Session {
  readonly tlsOptions: TlsOptions | undefined;
  readonly taken: ReceivedMail[];
  readonly heard: string[];
  readonly refusals: ReadonlyMap<string, string>;
  readonly isSecret: boolean;
}

function talk(socket: net.Socket, session: Session): void {
  const { tlsOptions, isSecret, refusals } = session;
  const envelope = { from: '', to: '', auth: '', text: '', isSecret };
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
        session.taken.push({ ...envelope, text: decoded(line.replace(/^\.(?=\.)/gm, '')) });
        socket.write('250 taken\r\n');
        continue;
      }
      const [word = ''] = line.split(' ', 1);
      session.heard.push(word);
      const refusal = refusals.get(word);
      if (refusal === '') return void socket.destroy();
      if (refusal !== undefined) {
        socket.write(`${refusal}\r\n`);
      } else if (word === 'STARTTLS' && tlsOptions) {
        socket.off('data', onData);
        socket.write('220 go\r\n');
        const inner = new tls.TLSSocket(socket, { isServer: true, ...tlsOptions });
        inner.on('error', () => {});
        return talk(inner, { ...session, isSecret: true });
      } else {
        isData = word === 'DATA';
        socket.write(`${answer(word, { line, envelope, offers: !isSecret && !!tlsOptions })}\r\n`);
      }
    }
  };
  socket.on('data', onData);
}

/** Decodes quoted-printable messages. */
function decoded(message: string): string {
  if (!/^Content-Transfer-Encoding: quoted-printable\r$/im.test(message)) return message;
  return message
    .replaceAll('=\r\n', '')
    .replace(/=([\dA-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

function answer(
  word: string,
  command: {
    readonly line: string;
    readonly envelope: { from: string; to: string; auth: string };
    readonly offers: boolean;
  },
): string {
  const { line, envelope, offers } = command;
  const inside = /<([^>]*)>/.exec(line)?.[1] ?? '';
  switch (word) {
    case 'EHLO':
      return offers ? '250-here\r\n250-STARTTLS\r\n250 AUTH PLAIN' : '250-here\r\n250 AUTH PLAIN';
    case 'AUTH':
      envelope.auth = line.split(' ')[2] ?? '';
      return '235 welcome';
    case 'MAIL':
      envelope.from = inside;
      return '250 ok';
    case 'RCPT':
      envelope.to = inside;
      return '250 ok';
    case 'DATA':
      return '354 go on';
    case 'QUIT':
      return '221 bye';
    default:
      return '500 what';
  }
}
