/** The time zone of this browser, which a script writes into a cookie. */
import { canonicalTimeZone } from '../../kernel/time-zone.ts';

/** Null if unknown. */
export function readTimeZone(cookies: string | null): string | null {
  const [, name = ''] = /(?:^|;\s*)brickmark_zone=([^;]*)/.exec(cookies ?? '') ?? [];
  return canonicalTimeZone(name);
}
