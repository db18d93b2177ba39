/** Answers that should be JSON. */
import { SourceError, type SourceResponse } from './client.ts';

/** What an answer says. Half an answer, or a page for people, is an error that may pass. */
export function readJsonAnswer({ bytes }: SourceResponse, service: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new SourceError(`${service} sent a response that is not JSON.`, 'later');
  }
}
