/** The event stream. It reconnects automatically and resumes after the last event. */
import { bytesOf, linesOf } from './body.ts';
import { BrickmarkError } from './errors.ts';
import { type CallOptions, type PauseBounds, retryOf, type Transport } from './transport.ts';
import type { MarketEvent } from './types.ts';

/** Options of an event stream. */
export interface StreamOptions extends CallOptions {
  /**
   * Called if events are missing because those after the position have been deleted. The stream
   * then continues after `oldest`. Without `onStale`, the stream fails.
   */
  readonly onStale?: ((oldest: number) => void) | undefined;
}

/** The server writes something every 15 seconds. */
const silenceMsMax = 45_000;

const reconnects: PauseBounds = { msMin: 1_000, msMax: 60_000 };

/** Market events as they are published, until you stop reading. */
export class EventStream implements AsyncIterable<MarketEvent> {
  /** The position of the last event. To resume, pass it as `after` to a new stream. */
  position: number | null = null;

  constructor(
    private readonly transport: Transport,
    private readonly path: string,
    private readonly options: StreamOptions = {},
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<MarketEvent> {
    const { transport, options } = this;
    let isFirst = true;
    for (let failures = 0; ; failures++) {
      try {
        for await (const message of this.#connect()) {
          isFirst = false;
          // Reconnecting returns the same reason as an error.
          if (message.event === 'error') break;
          // The first message does not show that the connection lasts; an event or a heartbeat
          // does.
          if (message.event !== 'position' && !message.retry) failures = 0;
          const event = this.#take(message);
          if (event) yield event;
        }
      } catch (error) {
        if (isFirst || !(retryOf(error) === 'backoff' || isCrowded(error))) throw error;
      }
      await transport.pause(failures, reconnects, options);
    }
  }

  async *#connect(): AsyncGenerator<Message> {
    const { transport, path, options, position } = this;
    const headers: Record<string, string> = { Accept: 'text/event-stream' };
    if (position !== null) headers['Last-Event-ID'] = String(position);
    const request = { method: 'GET', path, headers } as const;
    const connection = await transport.attempt(() => transport.connect(request, options), options);
    yield* messagesOf(linesOf(bytesOf(transport, connection, silenceMsMax)));
  }

  #take({ event, id, data }: Message): MarketEvent | null {
    if (event === 'stale') (this.options.onStale ?? this.#refuseStale)(Number(id));
    if (id) this.position = Number(id);
    return data && event !== 'position' && event !== 'stale' ? JSON.parse(data) : null;
  }

  #refuseStale = (oldest: number): never => {
    throw new BrickmarkError({
      code: 'BadRequest',
      message:
        `Events before position ${oldest} have been deleted. To continue from there, set ` +
        'onStale, and reload any data you keep a copy of.',
      status: 400,
      requestId: null,
      retryAfter: null,
      budget: this.transport.budget,
    });
  };
}

/** Whether there are too many streams: the one that was disconnected may still be counted. */
function isCrowded(error: unknown): boolean {
  return error instanceof BrickmarkError && error.code === 'TooManyStreams';
}

type Message = Readonly<Record<string, string>>;

/** A message is lines of fields, terminated by an empty line. */
async function* messagesOf(lines: AsyncIterable<string>): AsyncGenerator<Message> {
  let fields: Record<string, string> = {};
  for await (const line of lines) {
    if (line === '') {
      yield fields;
      fields = {};
    } else if (!line.startsWith(':')) {
      const at = line.indexOf(': ');
      fields[line.slice(0, at)] = line.slice(at + 2);
    }
  }
}
