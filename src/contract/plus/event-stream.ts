/** Server-sent events: the query, and the messages of a stream. */

import Type from 'typebox';
import { shortText } from '../../kernel/text.ts';
import type { LoggedEvent } from '../../market/events/events.ts';
import type { ErrorCode } from '../errors.ts';
import { exactly, position } from '../fields.ts';
import { bad } from '../input-messages.ts';
import { idMax, pageSizeMax } from '../limits.ts';
import { EventsQuery, eventPageExample, presentEvent } from './events.ts';

/** The filters of a page of events, and where to start. */
export const StreamQuery = exactly({
  ...EventsQuery.properties,
  after: Type.Optional(
    position('Only events after this position. If omitted, the stream starts now.', {
      example: eventPageExample.next,
    }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: pageSizeMax,
    format: 'int32',
    default: pageSizeMax,
    examples: [pageSizeMax],
    description: 'Maximum number of events to send at a time.',
  }),
});

const lastEventId = 'Last-Event-ID';

/** Sent by clients that resume. */
export const StreamHeaders = exactly({
  [lastEventId]: Type.Optional(
    position('Position of the last event you read; takes precedence over `after`.', {
      example: eventPageExample.next,
    }),
  ),
});

/** The position to resume after; null: none. */
export function readLastEventId(headers: Headers): number | null {
  const sent = headers.get(lastEventId)?.trim() ?? '';
  if (sent === '') return null;
  const position = /^\d{1,16}$/.test(sent) ? Number(sent) : Number.POSITIVE_INFINITY;
  if (position <= idMax) return position;
  throw bad(
    `The header ${lastEventId} must be a position, such as the last id; got '${shortText(sent)}'.`,
  );
}

/** The last one prevents nginx from buffering. */
export const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'X-Accel-Buffering': 'no',
} as const;

/** How long a client waits before it reconnects. */
const retryMs = 3_000;

/** The first message: when to reconnect, and the start position. */
export function greetingText(position: number): string {
  return `retry: ${retryMs}\n\n${positionText(position)}`;
}

export function eventText(event: LoggedEvent): string {
  const { position, kind } = event;
  return `id: ${position}\nevent: ${kind}\ndata: ${JSON.stringify(presentEvent(event))}\n\n`;
}

/** The log was read up to a position, whether or not events matched. */
export function positionText(position: number): string {
  return `id: ${position}\nevent: position\ndata: {"position":${position}}\n\n`;
}

/** Events are missing: those still kept come after this position. */
export function staleText(oldest: number): string {
  return `id: ${oldest}\nevent: stale\ndata: {"oldest":${oldest}}\n\n`;
}

/** Why the stream ends, in the error format. */
export function errorText(code: ErrorCode, message: string): string {
  return `event: error\ndata: ${JSON.stringify({ error: { code, message } })}\n\n`;
}

/** Keeps an idle connection open. */
export const heartbeatText = ': heartbeat\n\n';

/** Example for the OpenAPI document. */
export const streamExample =
  greetingText(eventPageExample.next - 1) +
  eventPageExample.events
    .map(
      (event) => `id: ${event.position}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`,
    )
    .join('') +
  heartbeatText;
