/** Shown to accounts without the plan for a page. */

import type { OwnRequest } from '../page.ts';
import { EmptyState } from './empty-state.tsx';
import { Layout, marketTabs, type Tab } from './layout.tsx';

/** Says that something is part of the Reseller plan, such as `Webhooks are`. */
export function needsPlan(request: OwnRequest, title: string, what: string, tabs: readonly Tab[]) {
  const page = (
    <Layout title={title} request={request} tabs={tabs}>
      <EmptyState title={`${what} part of the Reseller plan`} actions={[['/account', 'Your plan']]}>
        Ask the operator of this site to upgrade your account.
      </EmptyState>
    </Layout>
  );
  return { page, status: 403 };
}

export function needsEvaluate(request: OwnRequest) {
  return needsPlan(request, 'Evaluate', 'Evaluating a box is', marketTabs);
}
