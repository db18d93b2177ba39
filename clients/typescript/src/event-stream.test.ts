/** Event streams of the client: they resume, and report missing events. */
import { expect, test } from 'bun:test';
import { eventPageExample } from '../../../src/contract/plus/events.ts';
import { Brickmark, BrickmarkError, type StreamOptions } from './index.ts';

const [example] = eventPageExample.events;
const greeting = 'retry: 3000\n\nid: 5\nevent: position\ndata: {"position":5}\n\n';
const heartbeat = ': heartbeat\n\n';

const eventAt = (position: number) =>
  `id: ${position}\nevent: retail.price\ndata: ${JSON.stringify({ ...example, position })}\n\n`;

const refusal = (status: number, code: string) =>
  Response.json({ error: { code, message: 'No.' } }, { status });

/** A connection: a response, or texts in sequence before it ends or is lost. */
type Connection = Response | { readonly texts: readonly string[]; readonly isLost?: boolean };

/** Reads events over several connections, until `count` have come or it fails. */
async function follow(
  connections: readonly Connection[],
  count: number,
  options: StreamOptions & { after?: number } = {},
) {
  const sent: Headers[] = [];
  const pauses: number[] = [];
  const open = { cancelled: 0 };
  const fetch = async (_: string, init: RequestInit) => {
    const connection = connections[sent.length];
    sent.push(new Headers(init.headers));
    if (!connection) throw new Error('Refused.');
    return connection instanceof Response ? connection : new Response(bodyOf(connection, open));
  };
  const client = new Brickmark(
    { url: 'https://brickmark.example.com', key: 'bmk_0', fetch },
    {
      now: () => 0,
      random: () => 1,
      sleep: async (ms) => {
        pauses.push(ms);
      },
    },
  );
  const { after, ...rest } = options;
  const stream = client.plus.streamEvents({ after }, rest);
  const positions: number[] = [];
  let fault: unknown = null;
  try {
    for await (const { position } of stream) {
      positions.push(position);
      expect(stream.position).toBe(position);
      if (positions.length === count) break;
    }
  } catch (error) {
    fault = error;
  }
  const ids = sent.map((headers) => headers.get('last-event-id'));
  return { positions, fault, ids, pauses, stream, open };
}

function bodyOf(
  { texts, isLost }: { readonly texts: readonly string[]; readonly isLost?: boolean },
  open: { cancelled: number },
): ReadableStream {
  let sent = 0;
  return new ReadableStream({
    pull: (controller) => {
      const text = texts[sent++];
      if (text !== undefined) controller.enqueue(new TextEncoder().encode(text));
      else if (isLost) controller.error(new TypeError('terminated'));
      else controller.close();
    },
    cancel: () => {
      open.cancelled++;
    },
  });
}

test('events arrive one by one, however their bytes are split', async () => {
  const text = greeting + eventAt(7) + heartbeat + eventAt(9);
  const { positions, ids, open } = await follow([{ texts: [...text, heartbeat] }], 2);
  expect({ positions, ids }).toEqual({ positions: [7, 9], ids: [null] });
  // Ending the iteration closes the connection.
  expect(open.cancelled).toBe(1);
});

test('a lost or ended connection is resumed after the last position', async () => {
  const { positions, ids, pauses } = await follow(
    [
      { texts: [greeting, eventAt(7)], isLost: true },
      { texts: [greeting.replaceAll('5', '8')] },
      refusal(500, 'InternalError'),
      refusal(500, 'InternalError'),
      refusal(500, 'InternalError'),
      { texts: [eventAt(9), 'event: error\ndata: {"error":{"code":"InternalError"}}\n\n'] },
      refusal(429, 'TooManyStreams'),
      { texts: [eventAt(10)] },
    ],
    3,
  );
  expect(positions).toEqual([7, 9, 10]);
  expect(ids).toEqual([null, '7', '8', '8', '8', '8', '9', '9']);
  // A greeting alone does not make the next pause short again; an event does.
  expect(pauses).toEqual([1_000, 2_000, 250, 500, 4_000, 1_000, 2_000]);
});

test('a server that is unavailable at first is an error, and so is a refusal at any time', async () => {
  const gone = await follow([], 1);
  expect(gone.fault).toMatchObject({ name: 'NetworkError' });
  expect(gone.ids).toHaveLength(3);
  const crowded = await follow([refusal(429, 'TooManyStreams')], 1);
  expect(crowded.fault).toMatchObject({ code: 'TooManyStreams' });
  const revoked = await follow([{ texts: [eventAt(7)] }, refusal(401, 'InvalidApiKey')], 2);
  expect(revoked.positions).toEqual([7]);
  expect(revoked.fault).toMatchObject({ code: 'InvalidApiKey', status: 401 });
});

test('missing events end the stream, unless there is a handler', async () => {
  const stale = 'id: 50\nevent: stale\ndata: {"oldest":50}\n\n';
  const connections = () => [{ texts: [stale, eventAt(51)] }];
  const { positions, fault } = await follow(connections(), 1, { after: 1 });
  expect(positions).toEqual([]);
  expect(fault).toBeInstanceOf(BrickmarkError);
  expect(String(fault)).toContain('position 50');
  const told: number[] = [];
  const onStale = (oldest: number) => told.push(oldest);
  const followed = await follow(connections(), 1, { after: 1, onStale });
  expect({ told, positions: followed.positions }).toEqual({ told: [50], positions: [51] });
});
