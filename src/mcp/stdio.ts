/** MCP over standard input and output, for apps that start a program. */
import { type Readable, Transform } from 'node:stream';
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

/** How long answers are waited for after the end of the input, and how often that is checked. */
const patienceMs = 30_000;
const lookMs = 10;

/** What is served. */
export interface StdioServing {
  /** Resolves when the input has ended, and everything that was asked is answered. */
  readonly ended: Promise<void>;
  /** Ends it at once. */
  close(): Promise<void>;
}

/** Answers what comes in on standard output, in the generation that the app begins with. */
export function serveMcp(deps: McpDeps, stdin: Readable): StdioServing {
  const transport = new AnsweringTransport(stdin);
  const { close } = serveStdio(() => makeMcpServer(deps), { onerror: deps.onFault, transport });
  return { ended: transport.ended, close };
}

/**
 * Standard input and output, closed only when all requests are answered: the library closes both
 * when the input ends, and would lose the answers to calls that are paid for.
 */
class AnsweringTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  readonly ended: Promise<void>;
  private readonly wire: StdioServerTransport;
  private readonly unanswered = new Set<RequestId>();

  constructor(stdin: Readable) {
    const input = new Transform({
      transform: (chunk, _, done) => done(null, chunk),
      flush: (done) => void this.untilAnswered().then(() => done()),
    });
    this.wire = new StdioServerTransport(stdin.pipe(input));
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

  private async untilAnswered(): Promise<void> {
    const end = performance.now() + patienceMs;
    // Once at least: what came last is read only now.
    do await Bun.sleep(lookMs);
    while (this.unanswered.size > 0 && performance.now() < end);
  }
}
