/** Messages for failed API calls: one sentence and a next step. */
import { BrickmarkError, NetworkError } from '../../../clients/typescript/src/index.ts';
import { countText, durationText, momentText, nounText } from '../../kernel/format.ts';
import { escapeHiddenCharacters } from '../../kernel/text.ts';
import { CommandError } from '../command.ts';

interface Call {
  readonly url: string;
  readonly now: number;
  /** A next step if the item does not exist. */
  readonly missingHint?: string | undefined;
}

/** Returns errors other than failed calls unchanged. */
export function callFailure(error: unknown, call: Call): unknown {
  const { url } = call;
  if (error instanceof NetworkError) {
    return new CommandError(
      `No response from ${url}. Check the address, and that the server is running.`,
    );
  }
  if (!(error instanceof BrickmarkError)) return error;
  // Text of the server could contain control characters for the terminal.
  return new CommandError(escapeHiddenCharacters(sentences(error, call)));
}

function sentences(error: BrickmarkError, { url, now, missingHint = '' }: Call): string {
  switch (error.code) {
    case 'MissingApiKey':
    case 'InvalidApiKey':
      return (
        `${url} rejected the key: it is mistyped, expired or revoked. ` +
        "Create one under 'API keys', then run 'brickmark login'."
      );
    case 'TierRequired':
      return 'The key works, but API calls need the Reseller plan, and its account is not on it.';
    case 'QuotaExceeded':
      return `${quotaText(error)} ${resetText(error, now)}`;
    case 'InternalError':
      return (
        `Server error (request ${error.requestId ?? 'unknown'}). ` +
        'Try again. If it keeps failing, send this request ID to the operator.'
      );
    case 'UnexpectedResponse':
      return unexpectedText(error, url);
    case 'NotFound':
      return `${error.message} ${missingHint}`.trimEnd();
    default:
      return error.message;
  }
}

function unexpectedText({ status }: BrickmarkError, url: string): string {
  if (status >= 300 && status < 400) {
    return `${url} redirects to another address. Use that one, for example with https.`;
  }
  if (status === 429)
    return `A proxy in front of ${url} limits requests (status 429). Try again later.`;
  return `The server at ${url} is not Brickmark (status ${status}). Check the address.`;
}

function quotaText({ budget, message }: BrickmarkError): string {
  if (budget === null) return message;
  const limit = nounText(budget.limit, 'call');
  if (budget.remaining === 0) return `The daily limit of ${limit} is used up.`;
  return `${countText(budget.remaining)} of ${limit} left today, fewer than this needs.`;
}

/** When the allowance resets, relative to the local clock. */
function resetText({ budget, retryAfter }: BrickmarkError, now: number): string {
  const localZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const reset = budget === null ? now + (retryAfter ?? 0) * 1000 : Date.parse(budget.reset);
  return `Resets at ${momentText(reset, localZone)}, in ${durationText(Math.max(0, reset - now))}.`;
}
