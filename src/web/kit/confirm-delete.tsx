/** The page that asks before something is deleted or revoked. */

import type { OwnRequest, PageAnswer } from '../page.ts';
import { SubmitOrCancel } from './buttons.tsx';
import { PostForm } from './fields.tsx';
import { CardPage } from './layout.tsx';

/** Asks whether to delete or revoke something; the form posts to the same address. */
export function confirmDelete(props: {
  readonly request: OwnRequest;
  readonly verb?: 'Delete' | 'Revoke';
  /** What kind of thing it is, such as `alert`. */
  readonly noun: string;
  readonly name: string;
  /** What is deleted with it, and what is kept. */
  readonly outcome: string;
  /** Where Cancel leads. */
  readonly cancel: string;
}): PageAnswer {
  const { request, verb = 'Delete', noun, name, outcome, cancel } = props;
  const page = (
    <CardPage title={`${verb} this ${noun}?`} request={request}>
      <p>
        <strong>{name}</strong>
      </p>
      <p>{outcome}</p>
      <PostForm request={request} action={request.path}>
        <SubmitOrCancel look="danger" cancel={cancel}>
          {`${verb} ${noun}`}
        </SubmitOrCancel>
      </PostForm>
    </CardPage>
  );
  return { page };
}
