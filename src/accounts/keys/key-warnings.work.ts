/** Mails before keys expire, sent by the delivery process. */

import { momentText } from '../../kernel/format.ts';
import { type Clock, minuteMs } from '../../kernel/time.ts';
import type { Mail } from '../people/mail.ts';
import { warningsDue } from './key-expiry.ts';
import type { KeyStore } from './keys.store.ts';
import type { EndingKey } from './keys.ts';

/** How often to look; a mail that was not accepted is sent again then. */
const lookMs = 10 * minuteMs;

const mailsAtOnce = 50;

interface WarningDeps {
  readonly accounts: Pick<KeyStore, 'listEndingKeys' | 'noteKeyWarned'>;
  readonly clock: Clock;
  /** Reports its failures itself. */
  sendMail(mail: Mail): Promise<void>;
  /** The public URL, without a trailing slash. */
  readonly baseUrl: string;
}

/** A step of the delivery process. Returns whether there is more to do at once. */
export function keyWarnings(deps: WarningDeps): () => Promise<boolean> {
  let nextAt = Number.NEGATIVE_INFINITY;
  /** The next look continues here, so that refused addresses do not keep others waiting. */
  let after: EndingKey | null = null;
  return async () => {
    const at = deps.clock();
    if (at < nextAt) return false;
    nextAt = at + lookMs;
    const keys = await deps.accounts.listEndingKeys(at, { after, limit: mailsAtOnce });
    after = keys.length < mailsAtOnce ? null : (keys.at(-1) ?? null);
    for (const key of keys) await warn(deps, key, at);
    return false;
  };
}

/** Marked once it is sent: after a crash in between, it is sent twice instead of never. */
async function warn(deps: WarningDeps, key: EndingKey, at: number): Promise<void> {
  const isSent = await deps.sendMail(warningMail(key, { baseUrl: deps.baseUrl, at })).then(
    () => true,
    () => false,
  );
  if (isSent) await deps.accounts.noteKeyWarned(key.id, warningsDue(key.expiresAt, at));
}

/** Without the name of the key, which somebody typed. */
export function warningMail(
  { prefix, email, expiresAt }: EndingKey,
  { baseUrl, at }: { readonly baseUrl: string; readonly at: number },
): Mail {
  const isLast = warningsDue(expiresAt, at) > 1;
  const when = isLast ? 'within a day' : 'within 14 days';
  const text = [
    `Your API key ${prefix}… expires on ${momentText(expiresAt)}.`,
    'After that, calls with it return 401.',
    '',
    'To keep your programs running, roll the key and choose a later date, or create another key:',
    `${baseUrl}/keys`,
  ].join('\n');
  return { to: email, subject: `Your Brickmark API key expires ${when}`, text, at };
}
