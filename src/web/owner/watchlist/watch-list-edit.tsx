/** Renaming and deleting a watchlist. */
import { watchLimits } from '../../../alerts/watchlists/watch-list.ts';
import { deletionPage } from '../../kit/confirm-delete.tsx';
import { missingPage } from '../../kit/fault.tsx';
import { Field } from '../../kit/fields.tsx';
import { FormPage, foundForm } from '../../kit/form-page.tsx';
import { nounText } from '../../kit/format.ts';
import { watchlistTabs } from '../../kit/layout.tsx';
import { routes } from '../../page-table.ts';
import { findList, nameTaken } from './watch-lists.tsx';

export const watchListEditRoutes = routes('own', {
  '/watchlist/{id}/edit': foundForm({
    find: findList,
    show: (_, request, { id, name }) => (
      <FormPage
        request={request}
        title={`Rename ${name}`}
        tabs={watchlistTabs}
        button="Save changes"
        cancel={`/watchlist/${id}`}
      >
        <Field
          name="name"
          label="Name"
          value={name}
          isRequired
          maxlength={watchLimits.nameLength}
        />
      </FormPage>
    ),
    read: ({ fields }) => fields.text('name', watchLimits.nameLength),
    save: async ({ deps, sent, found: { id } }, name) => {
      const outcome = await deps.accounts.renameWatchList(sent.who.accountId, id, name);
      if (outcome === 'no list') return missingPage(sent);
      if (outcome === 'done') return { goTo: `/watchlist/${id}?did=renamed` };
      return { refused: nameTaken, field: 'name' };
    },
  }),
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
