/** A client for server-sent events that parses streams line by line. */
import { plusPrefix } from '../../src/contract/limits.ts';
import type { Event } from '../../src/contract/plus/events.ts';
import { until } from './until.ts';

export interface Message {
  /** The last event ID, possibly of an earlier event, as in the standard. */
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

export interface StreamClient {
  readonly status: number;
  readonly headers: Headers;
  /** Comments are kept apart from messages. */
  readonly messages: Message[];
  readonly comments: string[];
  /** The messages that are events of the log. */
  events(): Event[];
  /** The last event ID; null before the first message. */
  lastId(): string | null;
  /** Resolves once the condition holds; throws if the stream ends first. */
  until(condition: () => boolean): Promise<void>;
  /** Resolves with true if the server closed the stream cleanly, false if it was cut off. */
  readonly ended: Promise<boolean>;
  close(): Promise<void>;
}

export interface StreamOptions {
  /** Without the question mark. */
  readonly query?: string;
  readonly lastEventId?: string;
}

const ownEvents = ['position', 'stale', 'error'];

/** Opens a stream; resolves after the first message, or at once if the status is not 200. */
export async function openStream(
  url: string,
  key: string,
  { query = '', lastEventId }: StreamOptions = {},
): Promise<StreamClient> {
  const leaving = new AbortController();
  const response = await fetch(`${url}${plusPrefix}/events/stream?${query}`, {
    signal: leaving.signal,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    },
  });
  const messages: Message[] = [];
  const comments: string[] = [];
  let isDone = false;
  const ended = read(response, messages, comments)
    .then(
      () => true,
      () => false,
    )
    .finally(() => {
      isDone = true;
    });
  const untilRead = async (condition: () => boolean) => {
    const what = () => `${condition} of ${JSON.stringify(messages)}`;
    await until(() => condition() || isDone, what);
    if (!condition()) throw new Error(`The stream ended before ${what()}`);
  };
  const client: StreamClient = {
    status: response.status,
    headers: response.headers,
    messages,
    comments,
    events: () =>
      messages.filter(({ event }) => !ownEvents.includes(event)).map(({ data }) => data as Event),
    lastId: () => messages.at(-1)?.id ?? null,
    until: untilRead,
    ended,
    close: async () => {
      leaving.abort();
      await ended;
    },
  };
  if (response.status === 200) await untilRead(() => messages.length > 0);
  return client;
}

async function read(response: Response, messages: Message[], comments: string[]): Promise<void> {
  const fields = new Map<string, string>();
  let rest = '';
  let id = '';
  const take = (line: string) => {
    if (line.startsWith(':')) return void comments.push(line);
    if (line !== '') {
      const at = line.indexOf(':');
      fields.set(line.slice(0, at), line.slice(at + 1).replace(/^ /, ''));
      return;
    }
    id = fields.get('id') ?? id;
    const data = fields.get('data');
    if (data !== undefined) {
      messages.push({ id, event: fields.get('event') ?? 'message', data: JSON.parse(data) });
    }
    fields.clear();
  };
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  }
}
