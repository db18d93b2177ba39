/**
 * What was typed into a form that could not be taken, kept in a cookie until its page is shown
 * again. It stays in the browser that it was typed in, and nothing is done with it but to show it.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Form } from '../kit/form.ts';
import type { Draft } from '../page.ts';

/** How long a draft is kept: signing in takes a minute, finding the password some more. */
export const draftSeconds = 30 * 60;

/** Proxies pass on headers of 4 KB, and there are others beside it. */
export const draftLengthMax = 2_400;

/** What a short cookie can be unpacked to. */
const unpackedBytesMax = 64 * 1024;

/** Secrets, and what belongs to one showing of a form. Addresses of channels are secrets, too. */
const leftOut = /password|token|secret|address|^once$|^next$/;

/** What was typed, without what is not kept. */
export function draftValues(form: Form): Draft['values'] {
  const values = Object.entries(form.typed).filter(([name]) => !leftOut.test(name));
  return Object.fromEntries(values);
}

/** A draft as a cookie's value, without the longest values if it is too long; null for nothing. */
export function packDraft(draft: Draft): string | null {
  const values = Object.entries(draft.values).toSorted(([, a], [, b]) => a.length - b.length);
  const pack = (count: number) => {
    const kept = Object.fromEntries(values.slice(0, count));
    return deflateRawSync(JSON.stringify({ ...draft, values: kept })).toString('base64url');
  };
  // Half of what is open each time: strangers send hundreds of values, and packing takes time.
  let best: string | null = null;
  for (let [low, high] = [1, values.length]; low <= high; ) {
    const middle = Math.ceil((low + high) / 2);
    const packed = pack(middle);
    if (packed.length <= draftLengthMax) [best, low] = [packed, middle + 1];
    else high = middle - 1;
  }
  return best;
}

/** The draft again; null when it is none. Browsers send what they like. */
export function unpackDraft(packed: string | null): Draft | null {
  if (packed === null) return null;
  try {
    const bytes = inflateRawSync(Buffer.from(packed, 'base64url'), {
      maxOutputLength: unpackedBytesMax,
    });
    const draft: unknown = JSON.parse(bytes.toString());
    return isDraft(draft) ? draft : null;
  } catch {
    return null;
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const { action, page, values, reason } = value as Record<string, unknown>;
  if (typeof action !== 'string' || typeof page !== 'string') return false;
  if (reason !== 'signed out' && reason !== 'too old') return false;
  if (typeof values !== 'object' || values === null) return false;
  return Object.values(values).every((each) => typeof each === 'string');
}
