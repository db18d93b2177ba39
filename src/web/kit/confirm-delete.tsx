/** The page that asks before something is deleted or revoked. */

import type { OwnRequest, PageAnswer } from '../page.ts';
import { SubmitOrCancel } from './buttons.tsx';
import { Card } from './card.tsx';
import { PostForm } from './fields.tsx';
import { Layout } from './layout.tsx';

/** What is asked, and where the answer goes. */
export interface ConfirmDeleteProps {
  readonly request: OwnRequest;
  readonly verb?: 'Delete' | 'Revoke';
  /** What kind of thing it is, such as `alert`. */
  readonly noun: string;
  readonly name: string;
  /** What goes and what stays. */
  readonly outcome: string;
  /** Where the answer goes, if not to the page itself. */
  readonly action?: string;
  /** Where to go instead. */
  readonly cancel: string;
}

/** The page that asks. */
export function confirmDelete(props: ConfirmDeleteProps): PageAnswer {
  return { page: <ConfirmDelete {...props} /> };
}

/** Asks whether to delete something, or to revoke it. */
export function ConfirmDelete(props: ConfirmDeleteProps) {
  const { request, verb = 'Delete', noun, name, outcome, cancel } = props;
  return (
    <Layout title={`${verb} this ${noun}?`} request={request} isNarrow>
      <Card>
        <p>
          <strong>{name}</strong>
        </p>
        <p>{outcome}</p>
        <PostForm request={request} action={props.action ?? request.path}>
          <SubmitOrCancel look="danger" cancel={cancel}>
            {`${verb} ${noun}`}
          </SubmitOrCancel>
        </PostForm>
      </Card>
    </Layout>
  );
}
