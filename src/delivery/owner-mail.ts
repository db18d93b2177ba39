/** What owners are told of their channels by email. */
import type { Mail } from '../domain/account/mail.ts';
import type { ChannelKind } from '../domain/delivery/channel.ts';
import type { DueChannel } from '../domain/delivery/delivery-store.ts';

const nouns: Readonly<Record<ChannelKind, string>> = {
  email: 'email channel',
  webhook: 'webhook',
  ntfy: 'ntfy channel',
  discord: 'Discord channel',
};

/** Tells that a channel was turned off, why, and how to turn it on again. */
export function turnedOffMail(
  { kind, name, email }: Pick<DueChannel, 'kind' | 'name' | 'email'>,
  {
    reason,
    baseUrl,
    at,
  }: { readonly reason: string; readonly baseUrl: string; readonly at: number },
): Mail {
  const channel = `Your ${nouns[kind]} "${name}"`;
  const page = kind === 'webhook' ? '/webhooks' : '/alerts/settings';
  const next =
    kind === 'webhook'
      ? 'Turn it on again, and it continues where it stopped. Events are kept for 90 days.'
      : 'Turn it on again to get alerts there.';
  const text = `${channel} was turned off.\n\n${reason}\n\n${next}\n${baseUrl}${page}\n`;
  return { to: email, subject: `${channel} was turned off`, text, at };
}
