/** The kind of page that deletes or revokes something, and usually asks before. */
import type { ComponentChildren } from 'preact';
import type { OwnRequest, OwnSentRequest, PageAnswer, WebDeps } from '../page.ts';
import { type Find, type FoundPage, type OwnPage, page } from '../page-table.ts';
import { SubmitOrCancel } from './buttons.tsx';
import { missingPage } from './fault.tsx';
import { PostForm } from './fields.tsx';
import { applyForm, type FormAccounts, findApplied, formPage, type Refusal } from './form-page.tsx';
import { CardPage } from './layout.tsx';

type Verb = 'Delete' | 'Revoke' | 'Leave';

interface Deletion<Found> {
  readonly find: Find<Found>;
  readonly verb?: Verb;
  readonly noun: string;
  readonly describe: (found: Found) => Described;
  /** A refusal (`{ refused }`) is shown on the page, and `{ goTo }` leads elsewhere. */
  readonly remove: (
    store: { readonly accounts: FormAccounts },
    sent: OwnSentRequest,
    found: Found,
  ) => Promise<unknown>;
  /** Called if `remove` returns what stands for a removal. */
  readonly removed?: (deps: WebDeps, sent: OwnSentRequest, found: Found) => Promise<void>;
  /** Where the form leads when it is deleted, also if it was sent twice. */
  readonly goTo: string;
}

interface OwnDeletion<Found> extends FoundPage<Found> {
  readonly post: NonNullable<FoundPage<Found>['post']>;
  /** Where the form leads that is sent again, and finds nothing to delete. */
  readonly goneTo: string;
}

interface Described {
  readonly name: ComponentChildren;
  /** What is deleted with it, and what is kept. */
  readonly outcome: string;
  /** Where Cancel leads. */
  readonly cancel: string;
}

export function deletionPage<Found>(row: Deletion<Found>): OwnPage {
  const { find, verb, noun, describe, remove, removed, goTo } = row;
  const form = formPage({
    show: (_, request: OwnRequest, found: Found) =>
      confirmDelete({ request, verb, noun, ...describe(found) }),
    read: () => null,
    save: async ({ deps, sent, found }) => {
      const outcome = await applyForm(deps, sent, (accounts) => remove({ accounts }, sent, found));
      if (isAnswer(outcome)) return outcome;
      if (outcome && outcome !== 'sent before') await removed?.(deps, sent, found);
      return { goTo };
    },
  });
  return deletion({ find, goneTo: goTo, ...form });
}

/** A page that deletes something in its own way; a form that it applies is remembered. */
export function deletion<Found>({ goneTo, ...row }: OwnDeletion<Found>): OwnPage {
  return {
    ...page(row),
    post: async (deps, sent) => {
      const found = await row.find(deps, sent);
      if (found !== null) return row.post(deps, sent, found);
      return (await findApplied(deps, sent)) ? { goTo: goneTo } : missingPage(sent);
    },
  };
}

function isAnswer(outcome: unknown): outcome is Refusal | { readonly goTo: string } {
  if (typeof outcome !== 'object' || outcome === null) return false;
  return 'refused' in outcome || 'goTo' in outcome;
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
