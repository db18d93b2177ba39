/** Tells whether the settings of a source have changed, without storing them. */
import { createHash } from 'node:crypto';
import { Secret } from './secret.ts';
import type { SourceSettings } from './source.work.ts';

const markLength = 16;

/**
 * A hash of the settings without secrets, so that commands that do not read these find the same. A
 * corrected key is tried at the next start instead.
 */
export function settingsMark(settings: SourceSettings & { readonly hasSecret?: boolean }): string {
  const { url, ...others } = settings;
  // A secret URL may have a key in it.
  const plain = { url: settings.hasSecret ? null : url.href, ...others };
  const text = JSON.stringify(plain, (_, value) => (value instanceof Secret ? undefined : value));
  return createHash('sha256').update(text).digest('hex').slice(0, markLength);
}
