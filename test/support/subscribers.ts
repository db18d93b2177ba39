/**
 * Those who are told of events: a poller, a stream, a receiver of webhooks. Each goes on after
 * whatever happens to its connections, and keeps what it was told in the order in which it came.
 */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { plusPrefix } from '../../src/contract/limits.ts';
import type { Event, EventPage } from '../../src/contract/plus/events.ts';
import type { Random } from '../../src/simulate/random.ts';
import { openStream } from './event-stream.ts';

/** Where a server is now: it may have been started again elsewhere. */
export interface Target {
  readonly url: string;
  readonly key: string;
}

/** Somebody who is told of events. */
export interface Subscriber {
  /** What it was told, as it came. */
  readonly told: readonly Event[];
  /** Loses the connection at hand, if there is one. */
  cut(): void;
  stop(): Promise<void>;
}

/** How long to wait before asking again what could not be asked. */
const pauseMs = 20;

/** The latest position, as the first call tells it. */
export async function latestPosition({ url, key }: Target): Promise<number> {
  return (await readEvents({ url, key }, '')).next;
}

/** All events after a position. */
export async function listEvents(target: Target, after: number, query = ''): Promise<Event[]> {
  const events: Event[] = [];
  for (let next = after, hasMore = true; hasMore; ) {
    const page = await readEvents(target, `?after=${next}&limit=250${query}`);
    events.push(...page.events);
    next = page.next;
    hasMore = page.has_more;
  }
  return events;
}

async function readEvents(
  { url, key }: Target,
  query: string,
  signal: AbortSignal | null = null,
): Promise<EventPage> {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(`${url}${plusPrefix}/events${query}`, { headers, signal });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: EventPage }).data;
}

/** Somebody who connects again and again from where it was. */
function startClient(
  from: number,
  connect: (after: number, take: Take, signal: AbortSignal) => Promise<void>,
): Subscriber {
  const told: Event[] = [];
  let after = from;
  let isOver = false;
  let connection = new AbortController();
  const take: Take = (event, next) => {
    if (event) told.push(event);
    after = next;
  };
  const run = async () => {
    while (!isOver) {
      connection = new AbortController();
      await connect(after, take, connection.signal).catch(() => Bun.sleep(pauseMs));
    }
  };
  const running = run();
  return {
    told,
    cut: () => connection.abort(),
    stop: async () => {
      isOver = true;
      connection.abort();
      await running;
    },
  };
}

type Take = (event: Event | null, next: number) => void;

/** Asks for a few events at a time. */
export function startPoller(target: () => Target, from: number, query = ''): Subscriber {
  return startClient(from, async (after, take, signal) => {
    const page = await readEvents(target(), `?after=${after}&limit=7${query}`, signal);
    for (const event of page.events) take(event, event.position);
    take(null, page.next);
    if (!page.has_more) await Bun.sleep(pauseMs);
  });
}

/** Reads the stream. */
export function startStream(target: () => Target, from: number, query = ''): Subscriber {
  return startClient(from, async (after, take, signal) => {
    const { url, key } = target();
    const stream = await openStream(url, key, { query, lastEventId: String(after) });
    let isOpen = true;
    stream.ended.then(() => {
      isOpen = false;
    });
    for (let read = 0; isOpen || read < stream.messages.length; ) {
      if (signal.aborted) await stream.close();
      for (const { id, event, data } of stream.messages.slice(read)) {
        read++;
        if (event === 'stale') throw new Error(`Events are missing: ${JSON.stringify(data)}`);
        if (event !== 'error') take(event === 'position' ? null : (data as Event), Number(id));
      }
      await Bun.sleep(5);
    }
  });
}

/** A message that came to a receiver of webhooks. */
export interface Arrival {
  readonly id: string;
  readonly body: string;
  readonly event: Event;
  /** Whether it has a signature of a secret (Standard Webhooks 1.0), whatever the time is. */
  isSignedWith(secret: string): boolean;
  /** Whether it was acknowledged, as far as the receiver knows. */
  readonly isTaken: boolean;
}

/** A receiver of webhooks. */
export interface Receiver extends Subscriber {
  readonly url: string;
  /** Every message of every try. */
  readonly arrivals: readonly Arrival[];
}

/** What goes wrong with the first try of a message; `late`: after it was taken. */
type ReceiverFault = 'refuse' | 'hang up' | 'hang up late';
const receiverFaults: readonly ReceiverFault[] = ['refuse', 'hang up', 'hang up late'];

/** The share of messages that something goes wrong with, while it may. */
const faultShare = 0.1;

/** Receives; of a few messages, drawn at random, the first try goes wrong. */
export async function startFaultyReceiver(options: {
  readonly random: Random;
  readonly faultsMax: number;
}): Promise<Receiver> {
  const { random } = options;
  let faultsLeft = options.faultsMax;
  const told: Event[] = [];
  const arrivals: Arrival[] = [];
  const tried = new Set<string>();
  const taken = new Set<string>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const id = String(request.headers['webhook-id']);
    const isFaulty = faultsLeft > 0 && !tried.has(id) && random.chance(faultShare);
    const fault = isFaulty ? random.pick(receiverFaults) : null;
    if (isFaulty) faultsLeft--;
    tried.add(id);
    const event: Event = JSON.parse(body).data;
    const isTaken = fault === null || fault === 'hang up late';
    const isSignedWith = (secret: string) => isSigned(secret, request.headers, body);
    arrivals.push({ id, body, event, isTaken, isSignedWith });
    if (isTaken && !taken.has(id)) told.push(event);
    if (isTaken) taken.add(id);
    if (fault === 'refuse' || fault === null) response.writeHead(fault ? 503 : 204).end();
    else request.socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    told,
    arrivals,
    cut: () => server.closeAllConnections(),
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function isSigned(secret: string, headers: IncomingHttpHeaders, body: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(expected);
}
