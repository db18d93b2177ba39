/** Reads a JSON body, up to the limit. */
import { ApiError } from '../contract/errors.ts';
import { bodyBytesMax } from '../contract/limits.ts';
import { BodyError, readBounded } from '../http/bounded-body.ts';

/** The text of the body; throws an `ApiError` BadRequest when it is not one we take. */
export async function readBody(request: Request): Promise<string> {
  const type = (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw bad("Send the body as JSON, with 'Content-Type: application/json'.");
  }
  return decode(await readBytes(request));
}

async function readBytes(request: Request): Promise<Uint8Array> {
  try {
    return await readBounded(request, { bytesMax: bodyBytesMax });
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    const isLarge = error.reason === 'too large';
    throw bad(
      isLarge ? `The body is larger than ${bodyBytesMax} bytes.` : 'The body was cut short.',
    );
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw bad('The body is not valid UTF-8.');
  }
}

function bad(message: string): ApiError {
  return new ApiError('BadRequest', message);
}
