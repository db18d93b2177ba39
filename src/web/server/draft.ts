/**
 * Drafts: the input of a form that could not be accepted, in a cookie until its page is shown
 * again. The server stores nothing, and only fills in the form.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Form } from '../kit/form.ts';
import type { Draft } from '../page.ts';

/** Long enough to sign in, even after a password reset. */
export const draftSeconds = 30 * 60;

/** Leaves room for other headers: some proxies accept 4 KB in total. */
export const draftLengthMax = 2_400;

const unpackedBytesMax = 64 * 1024;

/** Secrets, including addresses of channels, and fields that belong to one rendering. */
const leftOut = /password|token|secret|address|^code$|^once$|^next$/;

/** The input without the fields that are not kept. */
export function draftValues(form: Form): Draft['values'] {
  const values = Object.entries(form.typed).filter(([name]) => !leftOut.test(name));
  return Object.fromEntries(values);
}

/** A draft as a cookie, without the longest values if it is too long; null if nothing fits. */
export function packDraft(draft: Draft): string | null {
  const values = Object.entries(draft.values).toSorted(([, a], [, b]) => a.length - b.length);
  const pack = (count: number) => {
    const kept = Object.fromEntries(values.slice(0, count));
    return deflateRawSync(JSON.stringify({ ...draft, values: kept })).toString('base64url');
  };
  // A binary search: anyone can send hundreds of values, and packing takes time.
  let best: string | null = null;
  for (let [low, high] = [1, values.length]; low <= high; ) {
    const middle = Math.ceil((low + high) / 2);
    const packed = pack(middle);
    if (packed.length <= draftLengthMax) [best, low] = [packed, middle + 1];
    else high = middle - 1;
  }
  return best;
}

/** Reads a draft; null if the cookie is missing or invalid. */
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
