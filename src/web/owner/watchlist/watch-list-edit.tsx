/** Renaming and deleting a watchlist. */
import { isFirstSubmission } from '../../../accounts/form-submission.ts';
import { type WatchList, watchLimits } from '../../../domain/alerts/watch-list.ts';
import { nounText } from '../../../domain/kernel/format.ts';
import type { WebDeps } from '../../deps.ts';
import { idOf } from '../../kit/address.ts';
import { SubmitOrCancel } from '../../kit/buttons.tsx';
import { Card } from '../../kit/card.tsx';
import { ConfirmDelete } from '../../kit/confirm-delete.tsx';
import { missingPage } from '../../kit/fault.tsx';
import { Field, PostForm, type Typed, untyped } from '../../kit/fields.tsx';
import { Layout, watchlistTabs } from '../../kit/layout.tsx';
import { TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRoute } from '../../page.ts';
import { nameTaken } from './watch-lists.tsx';

/** The pages that change a list as a whole. */
export function watchListEditRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'own',
      path: '/watchlist/{id}/edit',
      get: (request) => showEdit(deps, request),
      post: (sent) => postName(deps, sent),
    },
    {
      access: 'own',
      path: '/watchlist/{id}/delete',
      get: async (request) => {
        const list = await findList(deps, request);
        return list ? { page: <DeletePage request={request} list={list} /> } : missingPage(request);
      },
      post: (sent) => postDelete(deps, sent),
    },
  ];
}

/** The list that an address names; null when the account has no such list. */
export async function findList(
  { accounts }: Pick<WebDeps, 'accounts'>,
  { who, params }: OwnRequest,
): Promise<WatchList | null> {
  const id = idOf(params.id);
  const lists = await accounts.listWatchLists(who.accountId);
  return lists.find((list) => list.id === id) ?? null;
}

async function showEdit(
  deps: WebDeps,
  request: OwnRequest,
  outcome: { readonly typed?: Typed; readonly status?: number } = {},
): Promise<PageAnswer> {
  const list = await findList(deps, request);
  if (!list) return missingPage(request);
  const { typed = untyped, status = 200 } = outcome;
  return { page: <EditPage request={request} list={list} typed={typed} />, status };
}

async function postName(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const list = await findList(deps, sent);
  if (!list) return missingPage(sent);
  const fields = new TypedFields(sent.form, sent.at);
  const name = fields.text('name', watchLimits.nameLength);
  if (fields.isGood) {
    const outcome = await deps.accounts.renameWatchList(sent.who.accountId, list.id, name);
    if (outcome === 'no list') return missingPage(sent);
    if (outcome === 'done') return { goTo: `/watchlist/${list.id}?renamed=1` };
    fields.fail('name', nameTaken);
  }
  return showEdit(deps, sent, { typed: fields.typed, status: 400 });
}

async function postDelete(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { accounts } = deps;
  const { accountId } = sent.who;
  const formId = sent.form.text('once');
  const isFirst = await isFirstSubmission(accounts, { accountId, formId, at: sent.at });
  const list = await findList(deps, sent);
  // Sent twice, the second finds what the first one did.
  if (!list) return isFirst ? missingPage(sent) : { goTo: deleted };
  await accounts.removeWatchList(accountId, list.id);
  return { goTo: deleted };
}

const deleted = '/watchlist?deleted=1';

interface ListProps {
  readonly request: OwnRequest;
  readonly list: WatchList;
}

function EditPage({ request, list, typed }: ListProps & { readonly typed: Typed }) {
  const path = `/watchlist/${list.id}`;
  return (
    <Layout title={`Rename ${list.name}`} request={request} tabs={watchlistTabs} isNarrow>
      <Card>
        <PostForm request={request} action={`${path}/edit`}>
          <Field
            name="name"
            label="Name"
            typed={typed}
            value={list.name}
            isRequired
            maxlength={watchLimits.nameLength}
          />
          <SubmitOrCancel cancel={path}>Save changes</SubmitOrCancel>
        </PostForm>
      </Card>
    </Layout>
  );
}

function DeletePage({ request, list: { id, name, items } }: ListProps) {
  return (
    <ConfirmDelete
      request={request}
      noun="list"
      name={name}
      outcome={
        items === 0
          ? 'This list is empty.'
          : `${nounText(items, 'item')} and the alerts for this list are deleted with it.`
      }
      action={`/watchlist/${id}/delete`}
      cancel={`/watchlist/${id}`}
    />
  );
}
