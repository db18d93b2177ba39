/** Renaming and deleting a watchlist. */
import { type WatchList, watchLimits } from '../../../domain/alerts/watch-list.ts';
import { nounText } from '../../../domain/kernel/format.ts';
import type { WebDeps } from '../../deps.ts';
import { SubmitOrCancel } from '../../kit/buttons.tsx';
import { deletionPage } from '../../kit/confirm-delete.tsx';
import { missingPage } from '../../kit/fault.tsx';
import { Field, PostForm, statusOf, untyped } from '../../kit/fields.tsx';
import { CardPage, watchlistTabs } from '../../kit/layout.tsx';
import { TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer } from '../../page.ts';
import { ownPages, withFound } from '../../page-table.ts';
import { findList, nameTaken } from './watch-lists.tsx';

export const watchListEditRoutes = ownPages({
  '/watchlist/{id}/edit': {
    get: withFound(findList, showEdit),
    post: withFound(findList, postName),
  },
  '/watchlist/{id}/delete': deletionPage({
    find: findList,
    noun: 'list',
    describe: ({ id, name, items }) => ({
      name,
      outcome:
        items === 0
          ? 'This list is empty.'
          : `${nounText(items, 'item')} and the alerts for this list are deleted with it.`,
      cancel: `/watchlist/${id}`,
    }),
    remove: ({ accounts }, { who }, { id }) => accounts.removeWatchList(who.accountId, id),
    goTo: '/watchlist?did=deleted',
  }),
});

function showEdit(
  _: WebDeps,
  request: OwnRequest,
  { id, name }: WatchList,
  typed = untyped,
): PageAnswer {
  const page = (
    <CardPage title={`Rename ${name}`} request={request} tabs={watchlistTabs}>
      <PostForm request={request} action={request.path} typed={typed}>
        <Field
          name="name"
          label="Name"
          value={name}
          isRequired
          maxlength={watchLimits.nameLength}
        />
        <SubmitOrCancel cancel={`/watchlist/${id}`}>Save changes</SubmitOrCancel>
      </PostForm>
    </CardPage>
  );
  return { page, status: statusOf(typed) };
}

async function postName(deps: WebDeps, sent: OwnSentRequest, list: WatchList): Promise<PageAnswer> {
  const fields = new TypedFields(sent.form, sent.at);
  const name = fields.text('name', watchLimits.nameLength);
  if (fields.isGood) {
    const outcome = await deps.accounts.renameWatchList(sent.who.accountId, list.id, name);
    if (outcome === 'no list') return missingPage(sent);
    if (outcome === 'done') return { goTo: `/watchlist/${list.id}?did=renamed` };
    fields.fail('name', nameTaken);
  }
  return showEdit(deps, sent, list, fields.typed);
}
