/** A client of streams of events: reads them line by line, as the standard says. */
import { plusPrefix } from '../../src/contract/limits.ts';
import type { Event } from '../../src/contract/plus/events.ts';
import { until } from './until.ts';

/** One event as it came. */
export interface Message {
  /** The last one that was sent, also when this event has none of its own. */
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** A stream that is being read. */
export interface StreamClient {
  readonly status: number;
  readonly headers: Headers;
  /** Everything that has come, and the comments apart. */
  readonly messages: Message[];
  readonly comments: string[];
  /** The events of the log among the messages. */
  events(): Event[];
  /** The last position that was told; null before the first. */
  lastId(): string | null;
  /** Resolves once the condition holds; throws when the stream ends before that. */
  until(condition: () => boolean): Promise<void>;
  /** Resolves with whether the server ended the stream as it should, not in the middle. */
  readonly ended: Promise<boolean>;
  close(): Promise<void>;
}

/** What is asked for. */
export interface StreamOptions {
  /** Without the question mark. */
  readonly query?: string;
  readonly lastEventId?: string;
}

const ownEvents = ['position', 'stale', 'error'];

/** Opens a stream; its first words have come unless it was refused. */
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
