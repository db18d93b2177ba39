/** The page that asks before something is deleted. */

import type { OwnRequest } from '../page.ts';
import { PostForm } from './fields.tsx';
import { Layout } from './layout.tsx';

/** What is asked, and where the answer goes. */
export interface ConfirmDeleteProps {
  readonly request: OwnRequest;
  /** What kind of thing it is, such as `alert`. */
  readonly noun: string;
  readonly name: string;
  /** What goes and what stays. */
  readonly outcome: string;
  readonly action: string;
  /** Where to go instead. */
  readonly cancel: string;
}

/** Asks whether to delete something. */
export function ConfirmDelete(props: ConfirmDeleteProps) {
  const { request, noun, name, outcome, action, cancel } = props;
  return (
    <Layout title={`Delete this ${noun}?`} request={request} isNarrow>
      <section class="card">
        <p>
          <strong>{name}</strong>
        </p>
        <p>{outcome}</p>
        <PostForm request={request} action={action} class="row">
          <button class="danger" type="submit">
            Delete
          </button>
          <a class="button plain" href={cancel}>
            Cancel
          </a>
        </PostForm>
      </section>
    </Layout>
  );
}
