/**
 * The pages of readers: members at `/shared/{id}`, links at `/s/{token}`. Every request finds the
 * share first, and then reads only what the share names.
 */

import { mayShareLinks } from '../../../accounts/people/site-access.ts';
import { hashToken } from '../../../accounts/sign-in/sign-in.work.ts';
import { shareLinkPath } from '../../../portfolio/sharing/share.ts';
import { idOf } from '../../kit/address.ts';
import { CardPage } from '../../kit/layout.tsx';
import type { OwnRequest, PageAnswer, PageRequest, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { orTooOften } from '../../session/end-alert.tsx';
import type { Reading } from './reading.tsx';
import { sendBox, showBox } from './shared-box.tsx';
import { sendLots, sendTaxYear, showLots, showSales } from './shared-collection.tsx';

type ReadPage = (
  deps: WebDeps,
  request: PageRequest,
  reading: Reading,
) => Promise<PageAnswer | null>;

/** Pages by the end of their address. Null: there is no such page for this share. */
const pages: Readonly<Record<string, ReadPage>> = {
  '': async (deps, request, reading) =>
    (await showLots(deps, request, reading)) ?? showBox(deps, request, reading),
  '/items.csv': async (deps, request, reading) =>
    (await sendLots(deps, request, reading)) ?? sendBox(deps, request, reading),
  '/sales': showSales,
  '/sales/{file}': sendTaxYear,
};

export function sharedRoutes() {
  const ends = Object.entries(pages);
  return [
    ...routes(
      'own',
      Object.fromEntries(
        ends.map(([end, page]) => [`/shared/{id}${end}`, { get: withShare(openMembership, page) }]),
      ),
    ),
    ...routes(
      'entrance',
      Object.fromEntries(
        ends.map(([end, page]) => [
          `${shareLinkPath('{token}')}${end}`,
          { hasSecretPath: true, get: orTooOften(withShare(openLink, page)) },
        ]),
      ),
    ),
  ];
}

function withShare<R extends PageRequest>(
  open: (deps: WebDeps, request: R) => Promise<Reading | null>,
  page: ReadPage,
) {
  return async (deps: WebDeps, request: R): Promise<PageAnswer> => {
    const reading = await open(deps, request);
    const answer = reading && (await page(deps, request, reading));
    return answer ?? nothingShared(request);
  };
}

async function openMembership(
  { accounts }: WebDeps,
  { who, params, at }: OwnRequest,
): Promise<Reading | null> {
  const id = idOf(params.id);
  const share = id === null ? null : await accounts.openMembership(who.accountId, id, at);
  return share && { share, path: `/shared/${share.id}` };
}

async function openLink(
  { accounts }: WebDeps,
  { params: { token = '' }, access, at }: PageRequest,
): Promise<Reading | null> {
  if (!mayShareLinks(access)) return null;
  const share = await accounts.openLink(hashToken(token), at);
  return share && { share, path: shareLinkPath(token) };
}

function nothingShared(request: PageRequest): PageAnswer {
  const page = (
    <CardPage title="Nothing is shared here" request={request}>
      <p class="flush">
        It was revoked or has ended, or the address has a typo. Ask the person who sent it to you.
      </p>
    </CardPage>
  );
  return { page, status: 404 };
}
