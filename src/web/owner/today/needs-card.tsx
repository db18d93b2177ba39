/** Imports, syncs and channels that need a hand; nothing if all is well. */

import { hasRole } from '../../../accounts/people/role.ts';
import { channelPath } from '../../../alerts/channels/delivery-channel-kinds.ts';
import { freshnessOf, type Standing } from '../../../sync/freshness.ts';
import { Card } from '../../kit/card.tsx';
import { nounText } from '../../kit/format.ts';
import type { OwnRequest, WebDeps } from '../../page.ts';
import { channelLabel } from '../alerts/alert-text.ts';

interface Need {
  readonly text: string;
  readonly href: string;
  readonly action: string;
}

export async function readNeeds(deps: WebDeps, request: OwnRequest): Promise<readonly Need[]> {
  const [files, channels, sources] = await Promise.all([
    fileNeeds(deps, request),
    channelNeeds(deps, request),
    sourceNeeds(deps, request),
  ]);
  return [...files, ...sources, ...channels];
}

/** Files that were uploaded and not imported. */
async function fileNeeds({ accounts }: WebDeps, { who, at }: OwnRequest): Promise<readonly Need[]> {
  const drafts = await accounts.listImportDrafts(who.accountId);
  const waiting = drafts.filter(({ isDone, expiresAt }) => !isDone && expiresAt > at);
  return waiting.map(({ id, name, path }) => ({
    text: `${name} was uploaded but not imported yet.`,
    href: `${path}/${id}`,
    action: 'Check and import it',
  }));
}

async function channelNeeds({ accounts }: WebDeps, { who }: OwnRequest): Promise<readonly Need[]> {
  const channels = await accounts.listDeliveryChannels(who.accountId);
  return channels.flatMap((channel) => {
    const { state, stateReason } = channel;
    // Without a reason, its owner turned it off.
    if (state === 'active' || stateReason === null) return [];
    const text = `${channelLabel(channel)}: ${stateReason}`;
    return [{ text, href: channelPath(channel), action: 'Fix it' }];
  });
}

const standingTexts: Readonly<Record<Exclude<Standing, 'working' | 'off'>, string>> = {
  stopped: 'stopped',
  failing: 'keep failing',
  overdue: 'are overdue',
};

/** Only those who run the site can do something about sources. */
async function sourceNeeds({ sync }: WebDeps, { who, at }: OwnRequest): Promise<readonly Need[]> {
  if (!hasRole(who.role, 'operator')) return [];
  const states = await sync.listSources();
  const found = states.map(({ state }) => freshnessOf(state, at).standing);
  return (['stopped', 'failing', 'overdue'] as const).flatMap((standing) => {
    const count = found.filter((each) => each === standing).length;
    if (count === 0) return [];
    const text = `${nounText(count, 'source')} ${standingTexts[standing]}.`;
    return [{ text, href: '/operator', action: 'Look at it' }];
  });
}

export function Needs({ needs }: { readonly needs: readonly Need[] }) {
  if (needs.length === 0) return null;
  return (
    <Card title="Needs a hand">
      <ul class="plain-list">
        {needs.map(({ text, href, action }) => (
          <li key={text}>
            {`${text} `}
            <a href={href}>{action}</a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
