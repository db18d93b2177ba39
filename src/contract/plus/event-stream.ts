/** Server-sent events: what can be asked of the stream, and what is written to it. */

import Type from 'typebox';
import { shortText } from '../../domain/kernel/text.ts';
import type { LoggedEvent } from '../../domain/market/events.ts';
import { ApiError, type ErrorCode } from '../errors.ts';
import { exactly } from '../fields.ts';
import { idMax, pageSizeMax } from '../limits.ts';
import { EventsQuery, eventPageExample, presentEvent } from './events.ts';

/** Which events a stream is asked for: as a page of them is, but where it begins and ends. */
export const StreamQuery = exactly({
  ...EventsQuery.properties,
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: idMax,
      format: 'int64',
      examples: [eventPageExample.next],
      description: 'Only events after this position. If omitted, the stream starts now.',
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

/** The header with which clients that were cut off resume. */
export const StreamHeaders = exactly({
  [lastEventId]: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: idMax,
      format: 'int64',
      examples: [eventPageExample.next],
      description: 'Position of the last event you read; takes precedence over `after`.',
    }),
  ),
});

/** The position after which a client resumes; null when it does not. */
export function readLastEventId(headers: Headers): number | null {
  const sent = headers.get(lastEventId)?.trim() ?? '';
  if (sent === '') return null;
  const position = /^\d{1,16}$/.test(sent) ? Number(sent) : Number.POSITIVE_INFINITY;
  if (position <= idMax) return position;
  throw new ApiError(
    'BadRequest',
    `The header ${lastEventId} must be a position, such as the last id; got '${shortText(sent)}'.`,
  );
}

/** The headers of a stream; the last one keeps nginx from holding events back. */
export const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'X-Accel-Buffering': 'no',
} as const;

/** How long a client waits before it connects again. */
const retryMs = 3_000;

/** The first words of a stream: when to connect again, and the position that it begins after. */
export function greetingText(position: number): string {
  return `retry: ${retryMs}\n\n${positionText(position)}`;
}

/** One event. */
export function eventText(event: LoggedEvent): string {
  const { position, kind } = event;
  return `id: ${position}\nevent: ${kind}\ndata: ${JSON.stringify(presentEvent(event))}\n\n`;
}

/** Tells that everything up to a position was gone through, whether or not it was asked for. */
export function positionText(position: number): string {
  return `id: ${position}\nevent: position\ndata: {"position":${position}}\n\n`;
}

/** Tells that events are missing: those that are still kept come after this position. */
export function staleText(oldest: number): string {
  return `id: ${oldest}\nevent: stale\ndata: {"oldest":${oldest}}\n\n`;
}

/** Tells why the stream ends, in the shape of all errors. */
export function errorText(code: ErrorCode, message: string): string {
  return `event: error\ndata: ${JSON.stringify({ error: { code, message } })}\n\n`;
}

/** Shows that the stream is there while nothing happens. */
export const heartbeatText = ': heartbeat\n\n';

/** A stream as the OpenAPI document shows it. */
export const streamExample =
  greetingText(eventPageExample.next - 1) +
  eventPageExample.events
    .map(
      (event) => `id: ${event.position}\nevent: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`,
    )
    .join('') +
  heartbeatText;
