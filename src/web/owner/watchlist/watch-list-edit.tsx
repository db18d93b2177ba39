/** Renaming and deleting a watch list. */
import { isFirstSubmission } from '../../../accounts/form-submission.ts';
import { type WatchList, watchLimits } from '../../../domain/alerts/watch-list.ts';
import { countText } from '../../../domain/kernel/format.ts';
import type { WebDeps } from '../../deps.ts';
import { goToItem, missingPage } from '../../kit/fault.tsx';
import { Checkbox, Field, PostForm, type Typed, untyped } from '../../kit/fields.tsx';
import { Layout } from '../../kit/layout.tsx';
import { TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRoute } from '../../page.ts';
import { idOf } from '../inventory/lot-form.ts';
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
      get: async (request) => goToItem(request, (id) => `/watchlist/${id}/edit`),
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
  const fields = new TypedFields(sent.form, sent.at);
  if (!sent.form.isTicked('sure')) fields.fail('sure', 'Check this box to delete the list.');
  if (!fields.isGood) return showEdit(deps, sent, { typed: fields.typed, status: 400 });
  await accounts.removeWatchList(accountId, list.id);
  return { goTo: deleted };
}

const deleted = '/watchlist?deleted=1';

function EditPage(props: {
  readonly request: OwnRequest;
  readonly list: WatchList;
  readonly typed: Typed;
}) {
  const { request, list, typed } = props;
  const { name, items } = list;
  const path = `/watchlist/${list.id}`;
  const count = items === 1 ? '1 item' : `${countText(items)} items`;
  return (
    <Layout title={`Edit ${name}`} request={request} isNarrow>
      <p>
        <a href={path}>{`Back to ${name}`}</a>
      </p>
      <section class="card">
        <h2>Name</h2>
        <PostForm request={request} action={`${path}/edit`}>
          <Field
            name="name"
            label="Name"
            typed={typed}
            value={name}
            isRequired
            maxlength={watchLimits.nameLength}
          />
          <button type="submit">Save</button>
        </PostForm>
      </section>
      <section class="card">
        <h2>Delete</h2>
        <p>
          {items === 0
            ? 'This list is empty.'
            : `This list has ${count}. Their targets and notes are deleted with it, and so are ` +
              'alerts for this list.'}
        </p>
        <PostForm request={request} action={`${path}/delete`}>
          <Checkbox name="sure" label={`Yes, delete ${name}`} typed={typed} />
          <button class="danger" type="submit">
            Delete list
          </button>
        </PostForm>
      </section>
    </Layout>
  );
}
