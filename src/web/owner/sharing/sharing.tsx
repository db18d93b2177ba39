/** Everything that an account shares, and that is shared with it: revoke, accept, leave. */

import { byAccount } from '../../../accounts/audit/audit.ts';
import { hashToken } from '../../../accounts/sign-in/sign-in.work.ts';
import { type OfferedShare, type Share, shareLimits } from '../../../portfolio/sharing/share.ts';
import { recordAudit } from '../../audit.ts';
import { ButtonLink, RowLink } from '../../kit/buttons.tsx';
import { Card, EmptyState, Facts } from '../../kit/card.tsx';
import { actionColumn, column, dayColumn, mainColumn } from '../../kit/columns.tsx';
import { deletionPage } from '../../kit/confirm-delete.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { PostForm } from '../../kit/fields.tsx';
import { formPage } from '../../kit/form-page.tsx';
import { CardPage, Layout } from '../../kit/layout.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../../page.ts';
import { byId, routes } from '../../page-table.ts';
import { expiryText } from '../developer/key-form.tsx';
import { costsText, readerText, ShareTable, shareInvitationPath } from './share-form.tsx';

const path = '/account/sharing';

export const sharingRoutes = routes('own', {
  [path]: { get: showSharing },
  [`${path}/{id}/revoke`]: deletionPage({
    find: byId<Share>(({ accounts }, { who, at }) => accounts.listShares(who.accountId, at)),
    verb: 'Revoke',
    noun: 'share',
    describe: (share) => ({
      name: `${share.title}, shared with ${readerText(share)}`,
      outcome: 'It can no longer be opened, right away. This cannot be undone.',
      cancel: path,
    }),
    remove: ({ accounts }, { who }, { id }) => accounts.removeShare(who.accountId, id),
    removed: (deps, sent, { id }) =>
      recordAudit(deps, sent, { action: 'share.revoked', detail: `share ${id}` }),
    goTo: `${path}?did=revoked`,
  }),
  [shareInvitationPath('{token}')]: {
    hasSecretPath: true,
    ...formPage({
      show: async ({ accounts }: WebDeps, request: OwnRequest) => {
        const offer = await accounts.findShareOffer(hashOf(request), request.at);
        return offer ? askToAccept(request, offer) : goneOffer(request);
      },
      read: () => null,
      save: async ({ deps, sent }) => {
        const offer = await deps.accounts.acceptShare(sent.who.accountId, hashOf(sent), sent.at);
        if (offer === 'gone') return goneOffer(sent);
        if (offer === 'own') return { refused: ownOffer, status: 409 };
        if (offer === 'too many') return { refused: tooMany, status: 409 };
        const { accountId: ownerId, id } = offer;
        await recordForBoth(deps, sent, { action: 'share.accepted', ownerId, id });
        return { goTo: `${path}?did=accepted` };
      },
    }),
  },
  '/shared/{id}/leave': deletionPage({
    find: byId<OfferedShare>(({ accounts }, { who, at }) =>
      accounts.listMemberships(who.accountId, at),
    ),
    verb: 'Leave',
    noun: 'share',
    describe: ({ id, title }) => ({
      name: title,
      outcome: 'You can no longer open it, unless you are invited again.',
      cancel: `/shared/${id}`,
    }),
    remove: ({ accounts }, { who }, { id }) => accounts.leaveShare(who.accountId, id),
    removed: (deps, sent, { id, accountId: ownerId }) =>
      recordForBoth(deps, sent, { action: 'share.left', ownerId, id }),
    goTo: `${path}?did=left`,
  }),
});

/** In the logs of the member and the owner. */
async function recordForBoth(
  { accounts }: WebDeps,
  { who, at }: OwnRequest,
  done: {
    readonly action: 'share.accepted' | 'share.left';
    readonly ownerId: number;
    readonly id: number;
  },
): Promise<void> {
  const { action, ownerId, id } = done;
  for (const accountId of [ownerId, who.accountId]) {
    const detail = `share ${id}`;
    await accounts.recordAudit({ at, by: byAccount(who.accountId), action, accountId, detail });
  }
}

async function showSharing({ accounts }: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { who, at } = request;
  const shares = await accounts.listShares(who.accountId, at);
  const received = await accounts.listMemberships(who.accountId, at);
  return (
    <Layout
      title="Sharing"
      request={request}
      done={{
        revoked: 'Share revoked. It can no longer be opened.',
        left: 'You left the share.',
        accepted: 'Accepted. You find it here from now on.',
      }}
    >
      <Card title="Shared by you">
        {shares.length > 0 ? (
          <ShareTable shares={shares} hasTitles />
        ) : (
          <EmptyState
            title="You share nothing"
            actions={[['/inventory/collections', 'Your collections']]}
          >
            Share a collection, or a box of Evaluate, from its own page.
          </EmptyState>
        )}
      </Card>
      <Card title="Shared with you">
        {received.length > 0 ? (
          <DataTable label="Shared with you" columns={receivedColumns} rows={received} />
        ) : (
          <p class="quiet flush">
            Nothing. Open the link of an invitation to see what others share.
          </p>
        )}
      </Card>
    </Layout>
  );
}

const receivedColumns: readonly Column<OfferedShare>[] = [
  mainColumn('Shared', ({ id, title }) => <a href={`/shared/${id}`}>{title}</a>),
  column('By', ({ ownerEmail }) => ownerEmail),
  column('Costs', costsText),
  dayColumn('Ends', ({ expiresAt }) => expiryText(expiresAt)),
  actionColumn(({ id, title }) => (
    <RowLink href={`/shared/${id}/leave`} of={title}>
      Leave
    </RowLink>
  )),
];

const ownOffer = 'This is your own. Send the link to the person you want to share it with.';
const tooMany = `You have accepted ${shareLimits.accepted} shares. Leave one first.`;

function hashOf({ params }: OwnRequest) {
  return hashToken(params.token ?? '');
}

function askToAccept(request: OwnRequest, offer: OfferedShare): PageAnswer {
  const { title, ownerEmail, boxId, expiresAt } = offer;
  return (
    <CardPage title="Accept this share?" request={request}>
      <Facts
        facts={[
          [boxId === null ? 'Collection' : 'Box', title],
          ['Shared by', ownerEmail],
          ['Costs', costsText(offer)],
          ['Ends', expiryText(expiresAt)],
        ]}
      />
      <p>{`You can look at it but change nothing. ${ownerEmail} sees your email address.`}</p>
      <PostForm action={request.path}>
        <button type="submit">Accept</button>
      </PostForm>
    </CardPage>
  );
}

function goneOffer(request: OwnRequest): PageAnswer {
  const page = (
    <CardPage title="This invitation is no longer valid" request={request}>
      <p>It was already accepted or revoked, or it has expired. Ask for a new one.</p>
      <ButtonLink href={path}>Shared with you</ButtonLink>
    </CardPage>
  );
  return { page, status: 404 };
}
