/**
 * Subscribers of events: a poller, a stream and a webhook receiver. Each reconnects after failures
 * and records events in the order in which they arrive.
 */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Random } from '../../simulator/market/random.ts';
import { plusPrefix } from '../../src/contract/limits.ts';
import type { Event, EventPage } from '../../src/contract/plus/events.ts';
import { openStream } from './event-stream.ts';

/** The current address of a server, which may change when it restarts. */
export interface Target {
  readonly url: string;
  readonly key: string;
}

export interface Subscriber {
  /** The events received, in order. */
  readonly received: readonly Event[];
  /** Drops the current connection, if any. */
  cut(): void;
  stop(): Promise<void>;
}

/** The delay before a retry. */
const pauseMs = 20;

export async function latestPosition({ url, key }: Target): Promise<number> {
  return (await readEvents({ url, key }, '')).next;
}

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

/** A client that reconnects from its last position. */
function startClient(
  from: number,
  connect: (after: number, take: Take, signal: AbortSignal) => Promise<void>,
): Subscriber {
  const received: Event[] = [];
  let after = from;
  let isOver = false;
  let connection = new AbortController();
  const take: Take = (event, next) => {
    if (event) received.push(event);
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
    received,
    cut: () => connection.abort(),
    stop: async () => {
      isOver = true;
      connection.abort();
      await running;
    },
  };
}

type Take = (event: Event | null, next: number) => void;

/** Polls a few events at a time. */
export function startPoller(target: () => Target, from: number, query = ''): Subscriber {
  return startClient(from, async (after, take, signal) => {
    const page = await readEvents(target(), `?after=${after}&limit=7${query}`, signal);
    for (const event of page.events) take(event, event.position);
    take(null, page.next);
    if (!page.has_more) await Bun.sleep(pauseMs);
  });
}

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

export interface Arrival {
  readonly id: string;
  readonly body: string;
  readonly event: Event;
  /** Checks the signature (Standard Webhooks 1.0), without its timestamp's age. */
  isSignedWith(secret: string): boolean;
  /** Whether the receiver acknowledged it. */
  readonly isTaken: boolean;
}

export interface Receiver extends Subscriber {
  readonly url: string;
  /** Every attempt, including retries. */
  readonly arrivals: readonly Arrival[];
}

/** Failures of a first attempt; `hang up late` drops the connection after accepting the message. */
type ReceiverFault = 'refuse' | 'hang up' | 'hang up late';
const receiverFaults: readonly ReceiverFault[] = ['refuse', 'hang up', 'hang up late'];

/** The share of messages that fail, until `faultsMax` is reached. */
const faultShare = 0.1;

/** A receiver that fails the first attempt of some random messages. */
export async function startFaultyReceiver(options: {
  readonly random: Random;
  readonly faultsMax: number;
}): Promise<Receiver> {
  const { random } = options;
  let faultsLeft = options.faultsMax;
  const received: Event[] = [];
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
    if (isTaken && !taken.has(id)) received.push(event);
    if (isTaken) taken.add(id);
    if (fault === 'refuse' || fault === null) response.writeHead(fault ? 503 : 204).end();
    else request.socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
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
