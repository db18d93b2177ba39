/** What accounts see that lack the plan for a page. */

import type { OwnRequest, PageAnswer } from '../page.ts';
import { Notice } from './fields.tsx';
import { Layout } from './layout.tsx';

/** The page of something that is part of the Reseller plan; `what` begins the sentence. */
export function needsPlan(request: OwnRequest, title: string, what: string): PageAnswer {
  const page = (
    <Layout title={title} request={request}>
      <Notice kind="warn">
        {`${what} part of the Reseller plan. `}
        Ask the operator of this site to upgrade your account.
      </Notice>
    </Layout>
  );
  return { page, status: 403 };
}
