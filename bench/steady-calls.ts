/**
 * Makes API calls at a fixed rate from a separate process, until the message `end`. Its argument is
 * a `SteadyCalls` as JSON. A call that has to wait for a free connection has started when it was
 * due, so that a server that stands still delays every call that was due meanwhile.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { type KindReport, Latencies } from './latencies.ts';

export interface SteadyCalls {
  readonly url: string;
  readonly callsPerSecond: number;
  readonly connections: number;
  /** Lines as in requests.lua. */
  readonly file: string;
}

/** Sent for each message, about the calls since the last one; after `end`, about all. */
export interface SteadyReport {
  readonly kinds: readonly KindReport[];
  /** By reason. */
  readonly errors: Readonly<Record<string, number>>;
}

interface Call {
  readonly kind: string;
  readonly bytes: string;
}

const tickMs = 1;

if (import.meta.main) run(JSON.parse(process.argv[2] ?? ''));

function run({ url, callsPerSecond, connections, file }: SteadyCalls): void {
  const calls = readFileSync(file, 'utf8').trimEnd().split('\n').map(toCall);
  const latencies = new Map<string, Latencies>();
  const errors: Record<string, number> = {};
  const noteError = (reason: string) => {
    errors[reason] = (errors[reason] ?? 0) + 1;
  };
  const noteAnswer = ({ kind }: Call, ms: number, status: string) => {
    if (!status.startsWith('2')) noteError(`${kind}: ${status}`);
    const known = latencies.get(kind) ?? new Latencies();
    latencies.set(kind, known);
    known.add(ms);
    recent.add(ms);
  };
  let recent = new Latencies();
  const start = performance.now();
  const dueAt = (index: number) => start + (index / callsPerSecond) * 1_000;
  let issued = 0;
  const next = () => {
    const at = dueAt(issued);
    const call = calls[issued % calls.length];
    if (!call || at > performance.now()) return null;
    issued++;
    return { call, at };
  };
  const all = Array.from({ length: connections }, () => {
    return new Connection(url, { next, noteAnswer, noteError });
  });
  const timer = setInterval(() => {
    for (const connection of all) connection.useIfIdle();
  }, tickMs);
  process.on('message', (message) => {
    const kinds = [...latencies].map(([kind, measured]) => measured.toReport(kind));
    const all = recent.toReport('all calls');
    process.send?.({ kinds: message === 'end' ? kinds : [all], errors } satisfies SteadyReport);
    recent = new Latencies();
    if (message === 'end') clearInterval(timer);
  });
}

/** The name of a kind of calls, from its path. */
function kindOf(method: string, path: string): string {
  const [route = ''] = path.split('?');
  return `${method} ${route.replace(/\/(set|minifig)\/[^/]+/, '/$1/{number}')}`;
}

function toCall(line: string): Call {
  const [method = '', path = '', key = '', body = ''] = line.split('\t');
  const type = body === '' ? '' : 'Content-Type: application/json\r\n';
  const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${type}`;
  const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return { kind: kindOf(method, path), bytes: `${head}${length}\r\n${body}` };
}

interface Work {
  next(): { readonly call: Call; readonly at: number } | null;
  noteAnswer(call: Call, ms: number, status: string): void;
  noteError(reason: string): void;
}

/** A connection that is kept alive, with one call at a time. */
class Connection {
  private socket: Socket | null = null;
  private current: { readonly call: Call; readonly at: number } | null = null;
  private received = '';

  constructor(
    private readonly url: string,
    private readonly work: Work,
  ) {}

  useIfIdle(): void {
    if (this.current) return;
    this.current = this.work.next();
    if (!this.current) return;
    this.socket ??= this.open();
    this.socket.write(this.current.call.bytes);
  }

  private open(): Socket {
    const { hostname, port } = new URL(this.url);
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.receive(chunk.toString('latin1')));
    socket.on('error', (error) => this.work.noteError(error.message));
    socket.on('close', () => {
      // The server may close a connection between two calls.
      if (this.current) this.work.noteError(`${this.current.call.kind}: connection closed`);
      this.socket = null;
      this.current = null;
      this.received = '';
    });
    return socket;
  }

  private receive(text: string): void {
    this.received += text;
    if (!this.current || !isComplete(this.received)) return;
    const { call, at } = this.current;
    this.work.noteAnswer(call, performance.now() - at, this.received.slice(9, 12));
    this.received = '';
    this.current = null;
    this.useIfIdle();
  }
}

function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const head = text.slice(0, end).toLowerCase();
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
  if (length !== undefined) return text.length >= end + 4 + Number(length);
  return text.endsWith('\r\n0\r\n\r\n');
}
