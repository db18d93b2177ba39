/** Fields of lots that an account names itself. */

import { detailLimits, type OwnField, readOwnName } from '../../../portfolio/lots/lot-details.ts';
import { BackLink } from '../../kit/buttons.tsx';
import { Card } from '../../kit/card.tsx';
import { actionColumn, mainColumn } from '../../kit/columns.tsx';
import { deletionPage } from '../../kit/confirm-delete.tsx';
import { DataTable } from '../../kit/data-table.tsx';
import { missingPage } from '../../kit/fault.tsx';
import { Field, PostForm } from '../../kit/fields.tsx';
import { FormPage, formPage, foundForm } from '../../kit/form-page.tsx';
import type { FormReader } from '../../kit/form-reader.ts';
import { Layout } from '../../kit/layout.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../../page.ts';
import { byId, routes } from '../../page-table.ts';

const listPath = '/inventory/fields';

const findField = byId(({ accounts }, { who }) => accounts.listOwnFields(who.accountId));

export const ownFieldRoutes = routes('own', {
  [listPath]: formPage({
    show: showFields,
    read: ({ fields }) => readName(fields),
    save: async ({ deps, sent }, name) => {
      const outcome = await deps.accounts.addOwnField(sent.who.accountId, name);
      // The page has no form for one more, so the error is about the whole page.
      if (outcome === 'too many')
        return { refused: `You can have ${detailLimits.ownFields} fields. Delete one first.` };
      // The second of two identical forms finds the field that the first added.
      return { goTo: `${listPath}?did=added` };
    },
  }),
  '/inventory/fields/{id}/edit': foundForm({
    find: findField,
    show: (_, request, { name }) => (
      <FormPage request={request} title={`Rename ${name}`} button="Save changes" cancel={listPath}>
        <NameField value={name} />
      </FormPage>
    ),
    read: ({ fields }) => readName(fields),
    save: async ({ deps, sent, found: { id } }, name) => {
      const outcome = await deps.accounts.changeOwnField(sent.who.accountId, id, name);
      if (outcome === 'missing') return missingPage(sent);
      if (outcome === 'done') return { goTo: `${listPath}?did=renamed` };
      return { refused: 'You already have a field with this name.', field: 'name' };
    },
  }),
  '/inventory/fields/{id}/delete': deletionPage({
    find: findField,
    noun: 'field',
    describe: ({ name }) => ({
      name,
      outcome: 'What you entered in this field is deleted from all lots. This cannot be undone.',
      cancel: listPath,
    }),
    remove: ({ accounts }, { who }, { id }) => accounts.changeOwnField(who.accountId, id, null),
    goTo: `${listPath}?did=deleted`,
  }),
});

function readName(fields: FormReader): string {
  const name = readOwnName(fields.text('name', detailLimits.ownName));
  if ('value' in name) return name.value;
  fields.fail('name', `The name ${name.problem}.`);
  return '';
}

function NameField({ value = '' }: { readonly value?: string }) {
  const { ownName: maxlength } = detailLimits;
  return <Field name="name" label="Name" value={value} isRequired maxlength={maxlength} />;
}

async function showFields(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const fields = await deps.accounts.listOwnFields(request.who.accountId);
  const done = { added: 'Field added.', renamed: 'Field renamed.', deleted: 'Field deleted.' };
  return (
    <Layout title="Own fields" request={request} done={done} isNarrow>
      <BackLink href="/inventory">Back to inventory</BackLink>
      <p>
        {`Add up to ${detailLimits.ownFields} fields of your own to every lot. `}
        You can edit, filter, show as columns, import and export them.
      </p>
      {fields.length > 0 && (
        <Card>
          <DataTable label="Own fields" rows={fields} columns={columns} />
        </Card>
      )}
      {fields.length < detailLimits.ownFields && (
        <Card title="New field">
          <PostForm action={listPath}>
            <NameField />
            <button type="submit">Add field</button>
          </PostForm>
        </Card>
      )}
    </Layout>
  );
}

const columns = [
  mainColumn<OwnField>('Name', ({ name }) => name),
  actionColumn<OwnField>(({ id }) => (
    <span class="row">
      <a href={`${listPath}/${id}/edit`}>Rename</a>
      <a class="danger" href={`${listPath}/${id}/delete`}>
        Delete
      </a>
    </span>
  )),
];
