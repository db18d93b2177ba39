/** MCP over standard input and output, for apps that start a program. */
import { type Readable, Transform, type Writable } from 'node:stream';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { type McpDeps, makeMcpServer } from './server.ts';

/** How long to wait for pending responses after the end of the input, and how often to check. */
const usualPatienceMs = 30_000;
const lookMs = 10;

interface StdioOptions {
  readonly stdout?: Writable;
  readonly patienceMs?: number;
}

export interface StdioServing {
  /** Resolves when the input has ended and all requests are answered. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** In the protocol generation that the app starts with. */
export function serveMcp(deps: McpDeps, stdin: Readable, options: StdioOptions = {}): StdioServing {
  const transport = new AnsweringTransport(stdin, options);
  const { inTurn = oneAfterTheOther() } = deps;
  const makeServer = () => makeMcpServer({ ...deps, inTurn });
  const { close } = serveStdio(makeServer, { onerror: deps.onFault, transport });
  return { ended: transport.ended, close };
}

/**
 * The server charges the calls of a tool one by one here, so tools that run at the same time could
 * use up the allowance without any of them having a result.
 */
function oneAfterTheOther(): NonNullable<McpDeps['inTurn']> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}

/**
 * Closes only once all requests are answered: the library's transport closes when the input ends,
 * and would lose responses that were charged.
 */
class AnsweringTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly ended: Promise<void>;
  private readonly wire: StdioServerTransport;
  private readonly unanswered = new Set<RequestId>();

  constructor(stdin: Readable, { stdout, patienceMs = usualPatienceMs }: StdioOptions) {
    const input = new Transform({
      transform: (chunk, _, done) => done(null, chunk),
      flush: (done) => void this.untilAnswered(patienceMs).then(() => done()),
    });
    this.wire = new StdioServerTransport(stdin.pipe(input), stdout);
    this.ended = new Promise((resolve) => {
      this.wire.onclose = () => {
        this.onclose?.();
        resolve();
      };
    });
    this.wire.onerror = (error) => this.onerror?.(error);
    this.wire.onmessage = (message) => {
      this.note(message);
      this.onmessage?.(message);
    };
  }

  start(): Promise<void> {
    return this.wire.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.wire.send(message);
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    if (isAnswer && message.id !== undefined) this.unanswered.delete(message.id);
  }

  close(): Promise<void> {
    return this.wire.close();
  }

  private note(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.unanswered.add(message.id);
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      this.unanswered.delete(message.params?.requestId as RequestId);
    }
  }

  private async untilAnswered(patienceMs: number): Promise<void> {
    const end = performance.now() + patienceMs;
    // At least once, because the last message is read only now.
    do await Bun.sleep(lookMs);
    while (this.unanswered.size > 0 && performance.now() < end);
  }
}
