/** Email as a channel: it goes to the account's own address, so that there is nothing to set up. */
import type { ChannelStore } from '../domain/delivery/delivery-store.ts';

/** The id of an account's email channel, which is made if there is none; none without account. */
export async function ensureEmailChannel(
  accounts: Pick<ChannelStore, 'listChannels' | 'addChannel'>,
  accountId: number,
  at: number,
): Promise<readonly number[]> {
  const find = async () =>
    (await accounts.listChannels(accountId)).find(({ kind }) => kind === 'email');
  const found = await find();
  if (found) return [found.id];
  const made = await accounts.addChannel(accountId, {
    kind: 'email',
    name: 'Email',
    address: null,
    secret: null,
    subscription: null,
    position: null,
    at,
  });
  if (typeof made === 'object') return [made.id];
  // Another window was quicker.
  const other = await find();
  return other ? [other.id] : [];
}
