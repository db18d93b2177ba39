/** Pages that say why there is no other: errors, and what another plan has. */

import type { ComponentChildren } from 'preact';
import type { FullAnswer, OwnRequest, PageAnswer, PageRequest } from '../page.ts';
import { idOf } from './address.ts';
import { EmptyState } from './card.tsx';
import { Layout, marketTabs, type Tab } from './layout.tsx';

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  403: 'Not allowed',
  404: 'Page not found',
  405: 'Page not found',
  413: 'Too large',
  429: 'Too many requests',
  500: 'Something went wrong',
};

export function faultAnswer(
  request: PageRequest,
  status: number,
  message: string,
  more: ComponentChildren = null,
): Extract<FullAnswer, { readonly page: unknown }> {
  const page = (
    <Layout title={titles[status] ?? 'Something went wrong'} request={request} isNarrow>
      <p>{message}</p>
      {more}
      <p>{request.who ? <a href="/today">Go to Today</a> : <a href="/">Go to the home page</a>}</p>
    </Layout>
  );
  return { page, status };
}

/** The answer for what does not exist, or is another account's. */
export function missingPage(request: PageRequest): FullAnswer {
  return faultAnswer(request, 404, 'There is no page at this address. Check it for typos.');
}

/** The answer for a path that only accepts forms, with a link to the page of the form. */
export function wrongMethodPage(request: PageRequest, near: string | null) {
  const way = near && <a href={near}>Go to the page it belongs to</a>;
  const problem = 'This address only accepts form submissions.';
  return faultAnswer(request, 405, problem, way && <p>{way}</p>);
}

/** Redirects to the page of the item whose id is in the path. */
export function goToItem(request: PageRequest, pathOf: (id: number) => string): PageAnswer {
  const id = idOf(request.params.id);
  return id === null ? missingPage(request) : { goTo: pathOf(id) };
}

export const freePlanText =
  'The Free plan has market values, your inventory, portfolio and sales, watchlists and alerts.';

/** The contact that the operator has set, or words for it. */
export function OperatorLink({ access: { contact } }: Pick<PageRequest, 'access'>) {
  if (contact === undefined) return <>the operator of this site</>;
  return <a href={contact}>{contact.replace(/^(mailto:|https:\/\/)/, '')}</a>;
}

/** Says that something is part of the Reseller plan, such as `Webhooks are`. */
export function needsPlan(request: OwnRequest, title: string, what: string, tabs: readonly Tab[]) {
  const page = (
    <Layout title={title} request={request} tabs={tabs}>
      <EmptyState title={`${what} part of the Reseller plan`} actions={[['/account', 'Your plan']]}>
        {`${freePlanText} To upgrade, contact `}
        <OperatorLink access={request.access} />.
      </EmptyState>
    </Layout>
  );
  return { page, status: 403 };
}

export function needsEvaluate(request: OwnRequest) {
  return needsPlan(request, 'Evaluate', 'Evaluating a box is', marketTabs);
}
