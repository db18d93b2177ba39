/** The page that asks before something is deleted or revoked. */

import type { OwnRequest } from '../page.ts';
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
  readonly action: string;
  /** Where to go instead. */
  readonly cancel: string;
}

/** Asks whether to delete something, or to revoke it. */
export function ConfirmDelete(props: ConfirmDeleteProps) {
  const { request, verb = 'Delete', noun, name, outcome, action, cancel } = props;
  return (
    <Layout title={`${verb} this ${noun}?`} request={request} isNarrow>
      <section class="card">
        <p>
          <strong>{name}</strong>
        </p>
        <p>{outcome}</p>
        <PostForm request={request} action={action} class="row">
          <button class="danger" type="submit">
            {`${verb} ${noun}`}
          </button>
          <a class="button plain" href={cancel}>
            Cancel
          </a>
        </PostForm>
      </section>
    </Layout>
  );
}
