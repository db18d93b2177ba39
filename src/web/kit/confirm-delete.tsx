/** The kind of page that asks before something is deleted or revoked. */
import type { ComponentChildren } from 'preact';
import type { WebDeps } from '../deps.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer } from '../page.ts';
import { SubmitOrCancel } from './buttons.tsx';
import { PostForm } from './fields.tsx';
import { formPage, type Refusal } from './form-page.tsx';
import { CardPage } from './layout.tsx';

type Verb = 'Delete' | 'Revoke' | 'Leave';

interface Deletion<Found> {
  readonly verb?: Verb;
  /** Its noun, such as `alert`. */
  readonly noun: string;
  readonly describe: (found: Found) => Described;
  /** A refusal (`{ refused }`) is shown on the page; other results do not matter. */
  readonly remove: (deps: WebDeps, sent: OwnSentRequest, found: Found) => Promise<unknown>;
  /** Where the form leads when it is deleted, also if it was sent twice. */
  readonly goTo: string;
}

interface Described {
  readonly name: ComponentChildren;
  /** What is deleted with it, and what is kept. */
  readonly outcome: string;
  /** Where Cancel leads. */
  readonly cancel: string;
}

/** The route that asks whether to delete something, and deletes it; one of `foundPages`. */
export function deletionPage<Found>(deletion: Deletion<Found>) {
  const { verb, noun, describe, remove, goTo } = deletion;
  const page = formPage({
    show: (_, request: OwnRequest, found: Found) =>
      confirmDelete({ request, verb, noun, ...describe(found) }),
    read: () => null,
    save: async ({ deps, sent, found }) => {
      const outcome = await remove(deps, sent, found);
      return isRefusal(outcome) ? outcome : { goTo };
    },
  });
  return { goneTo: goTo, ...page };
}

function isRefusal(outcome: unknown): outcome is Refusal {
  return typeof outcome === 'object' && outcome !== null && 'refused' in outcome;
}

/** Asks whether to delete or revoke something; the form posts to the same address. */
export function confirmDelete(
  props: Described & {
    readonly request: OwnRequest;
    readonly verb?: Verb | undefined;
    readonly noun: string;
  },
): PageAnswer {
  const { request, verb = 'Delete', noun, name, outcome, cancel } = props;
  return (
    <CardPage title={`${verb} this ${noun}?`} request={request}>
      <p>
        <strong>{name}</strong>
      </p>
      <p>{outcome}</p>
      <PostForm action={request.path}>
        <SubmitOrCancel look="danger" cancel={cancel}>
          {`${verb} ${noun}`}
        </SubmitOrCancel>
      </PostForm>
    </CardPage>
  );
}
