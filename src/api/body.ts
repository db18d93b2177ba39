/** Reads a JSON body, up to the limit. */
import { bad } from '../contract/input-messages.ts';
import { bodyBytesMax } from '../contract/limits.ts';
import { BodyError, readBounded } from '../http/bounded-body.ts';
import { shortText } from '../kernel/text.ts';

/** Throws an `ApiError` BadRequest if the body is not acceptable. */
export async function readBody(request: Request): Promise<string> {
  const type = (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    const got = type ? `'${shortText(type)}'` : 'none';
    throw bad(`The header Content-Type must be application/json; got ${got}.`);
  }
  const coding = (request.headers.get('content-encoding') ?? '').trim().toLowerCase();
  if (coding !== '' && coding !== 'identity') {
    const got = `got '${shortText(coding)}'`;
    throw bad(`The header Content-Encoding must be absent: send the body uncompressed; ${got}.`);
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
      isLarge
        ? `The body must have at most ${bodyBytesMax} bytes${sizeOf(request)}.`
        : 'The body is incomplete; send all of it.',
    );
  }
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    throw bad(`The body is not valid UTF-8 at byte ${faultyByte(bytes)}; send it as UTF-8.`);
  }
}

function sizeOf(request: Request): string {
  const stated = request.headers.get('content-length');
  return stated === null ? '' : `; got ${stated}`;
}

/** The 1-based position of the first byte that is not valid UTF-8. */
function faultyByte(bytes: Uint8Array): number {
  let [good, faulty] = [0, bytes.length];
  while (faulty - good > 1) {
    const middle = (good + faulty) >>> 1;
    if (isBeginning(bytes.subarray(0, middle))) good = middle;
    else faulty = middle;
  }
  return faulty;
}

function isBeginning(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
