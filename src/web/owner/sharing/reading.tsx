/** A share that is being read, and what its pages have in common. */
import type { ComponentChildren } from 'preact';
import type { OpenShare } from '../../../portfolio/sharing/share.ts';
import { momentText } from '../../kit/format.ts';
import { Layout, type Tab } from '../../kit/layout.tsx';
import type { PageRequest } from '../../page.ts';

export interface Reading {
  readonly share: OpenShare;
  /** The address of its first page. */
  readonly path: string;
}

export function SharedPage(props: {
  readonly request: PageRequest;
  readonly reading: Reading;
  /** The time of the values on the page; null if there are none. */
  readonly valuedAt: number | null;
  readonly tabs?: readonly Tab[] | null;
  readonly actions: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const { request, reading, valuedAt, tabs, actions, children } = props;
  const note = `Shared with you, read-only${reading.share.withCosts ? '' : ' and without costs'}.`;
  const as = valuedAt === null ? '' : ` Values as of ${momentText(valuedAt, request.timeZone)}.`;
  return (
    <Layout title={reading.share.title} request={request} actions={actions} {...(tabs && { tabs })}>
      <p class="quiet">{`${note}${as}`}</p>
      {children}
    </Layout>
  );
}
