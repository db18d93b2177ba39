/** Reads a JSON body, up to the limit. */
import { ApiError } from '../contract/errors.ts';
import { bodyBytesMax } from '../contract/limits.ts';

/** The text of the body; throws an `ApiError` BadRequest when it is not one we take. */
export async function readBody(request: Request): Promise<string> {
  const type = (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw bad("Send the body as JSON, with 'Content-Type: application/json'.");
  }
  if (Number(request.headers.get('content-length') ?? 0) > bodyBytesMax) throw tooLarge();
  return decode(await readBytes(request));
}

async function readBytes(request: Request): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  if (!request.body) return chunks;
  let length = 0;
  const reader = request.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return chunks;
      length += value.length;
      if (length > bodyBytesMax) throw tooLarge();
      chunks.push(value);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw bad('The body was cut short.');
  } finally {
    reader.releaseLock();
  }
}

function decode(chunks: readonly Uint8Array[]): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw bad('The body is not valid UTF-8.');
  }
}

function tooLarge(): ApiError {
  return bad(`The body is larger than ${bodyBytesMax} bytes.`);
}

function bad(message: string): ApiError {
  return new ApiError('BadRequest', message);
}
