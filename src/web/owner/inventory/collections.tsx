/** The list of collections with totals, and the forms to create, edit and delete one. */

import { sentence } from '../../../kernel/text.ts';
import {
  type Brickfolio,
  type RemovalOptions,
  takenName,
} from '../../../portfolio/lots/brickfolios.ts';
import {
  type BrickfolioSummary,
  readBrickfolios,
} from '../../../portfolio/lots/collection.work.ts';
import { applyAll } from '../../../portfolio/lots/own-lots.work.ts';
import { idOf, withQuery } from '../../kit/address.ts';
import { BackLink, ButtonForm, RowLink } from '../../kit/buttons.tsx';
import { Badge, Card } from '../../kit/card.tsx';
import {
  actionColumn,
  countColumn,
  mainColumn,
  moneyColumn,
  numberColumn,
} from '../../kit/columns.tsx';
import { deletion } from '../../kit/confirm-delete.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { goToItem, missingPage } from '../../kit/fault.tsx';
import { Checkbox, Choice, Field, Notice, PostForm } from '../../kit/fields.tsx';
import { actionOf, applyForm, formPage } from '../../kit/form-page.tsx';
import type { FormReader } from '../../kit/form-reader.ts';
import { countText, nounText } from '../../kit/format.ts';
import { Layout } from '../../kit/layout.tsx';
import { Delta } from '../../kit/money.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRequest, WebDeps } from '../../page.ts';
import { page, routes } from '../../page-table.ts';
import { sharePage } from '../sharing/share-form.tsx';
import { brickfolioOptions, readBrickfolio } from './lot-form.ts';

/** Maximum lengths, the same as in imports. */
const nameLengthMax = 100;
const descriptionLengthMax = 500;

const listPath = '/inventory/collections';
const deletedPath = withQuery(listPath, { did: 'deleted' });

export function collectionRoutes() {
  // These forms are on the page to edit; the page above leads to the lots.
  const toEdit = toItem((id) => `/collections/${id}/edit`);
  return routes('own', {
    [listPath]: newForm,
    '/collections/{id}/edit': page({ find: findCollection, ...editForm }),
    '/collections/{id}/share': sharePage(findCollection, ({ brickfolio: { id, name } }) => ({
      thing: { brickfolioId: id, boxId: null },
      name,
      path: `/collections/${id}/share`,
      costs: 'Include costs, gains and sales',
    })),
    '/collections/{id}/default': page({ find: findCollection, ...toEdit, post: postDefault }),
    '/collections/{id}/delete': deletion({
      find: findCollection,
      goneTo: deletedPath,
      ...toEdit,
      post: deleteForm.post,
    }),
    '/collections/{id}': toItem((collection, query) =>
      withQuery('/inventory', { collection, ...query }),
    ),
  });
}

/** Redirects to a page about a collection, if its ID is valid. */
function toItem(to: (id: number, query: Readonly<Record<string, string>>) => string) {
  return {
    get: (_: WebDeps, request: PageRequest) =>
      goToItem(request, (id) => to(id, Object.fromEntries(request.query))),
  };
}

async function showCollections(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { accountId } = request.who;
  const { brickfolios } = await readBrickfolios(deps.portfolio, accountId, null);
  // Only an existing name is shown, so that a link cannot inject a text.
  const name = brickfolios.find((each) => each.name === request.query.get('n'))?.name ?? '';
  const doneTexts = {
    created: `Collection ${name} created.`,
    saved: `Collection ${name} saved.`,
    deleted: 'Collection deleted.',
  };
  return (
    <Layout title="Collections" request={request} done={doneTexts}>
      <BackLink href="/inventory">Back to inventory</BackLink>
      {brickfolios.length > 0 && (
        <Card>
          <DataTable label="Collections" rows={brickfolios} columns={columns} />
        </Card>
      )}
      <Card title="New collection">
        <PostForm action={listPath}>
          <NameFields name="" description={null} />
          <Checkbox name="is_default" label="Make it the default" />
          <button type="submit">Create collection</button>
        </PostForm>
      </Card>
    </Layout>
  );
}

const newForm = formPage({
  show: showCollections,
  read: ({ sent: { form }, fields }) => {
    return { ...readFacts(fields), isDefault: form.isTicked('is_default') };
  },
  save: async ({ deps, sent }, facts) => {
    const rows = [{ kind: 'brickfolio', facts, seen: null } as const];
    const done = await applyAll(actionOf(deps, sent), { rows });
    if (done.ok) return { goTo: withQuery(listPath, { did: 'created', n: facts.name }) };
    return { refused: sentence(done.reason), field: 'name' };
  },
});

function readFacts(fields: FormReader) {
  return {
    name: fields.text('name', nameLengthMax),
    description: fields.textOrNull('description', descriptionLengthMax),
  };
}

function NameFields({ name, description }: Pick<Brickfolio, 'name' | 'description'>) {
  return (
    <>
      <Field name="name" label="Name" value={name} isRequired maxlength={nameLengthMax} />
      <Field
        name="description"
        label="Description (optional)"
        value={description ?? ''}
        maxlength={descriptionLengthMax}
      />
    </>
  );
}

const columns: readonly Column<BrickfolioSummary>[] = [
  mainColumn('Collection', ({ id, name, description, isDefault }) => (
    <>
      <a href={`/inventory?collection=${id}`}>{name}</a> {isDefault && <Badge>Default</Badge>}
      {description && <div class="quiet small">{description}</div>}
    </>
  )),
  countColumn('Items', ({ total }) => total.distinctCount),
  countColumn('Units', ({ total }) => total.itemCount),
  moneyColumn('Cost basis', ({ total }) => total.costCents),
  moneyColumn('Market value', ({ total }) => total.valueCents),
  numberColumn('Unrealized gain', ({ total }) => (
    <Delta cents={total.gainCents} percent={total.costCents > 0 ? total.gainPct : null} />
  )),
  actionColumn(({ id, name }) => (
    <>
      <RowLink href={`/collections/${id}/share`} of={name}>
        Share
      </RowLink>{' '}
      <RowLink href={`/collections/${id}/edit`} of={name}>
        Edit
      </RowLink>
    </>
  )),
];

type FoundCollection = NonNullable<Awaited<ReturnType<typeof findCollection>>>;

async function findCollection({ accounts }: WebDeps, { who, params }: OwnRequest) {
  const id = idOf(params.id);
  const count = id === null ? null : await accounts.countLots(who.accountId, id);
  const brickfolios = await accounts.listBrickfolios(who.accountId);
  const brickfolio = brickfolios.find((each) => each.id === id);
  if (!brickfolio || !count) return null;
  return { brickfolio, others: brickfolios.filter((each) => each !== brickfolio), count };
}

function showEdit(_: WebDeps, request: OwnRequest, found: FoundCollection): PageAnswer {
  const { id, name, description, isDefault } = found.brickfolio;
  const path = `/collections/${id}`;
  return (
    <Layout title={`Edit ${name}`} request={request}>
      <BackLink href={listPath}>Back to collections</BackLink>
      <Card>
        <PostForm action={`${path}/edit`}>
          <NameFields name={name} description={description} />
          <button type="submit">Save changes</button>
        </PostForm>
      </Card>
      <Card title="Default collection">
        {isDefault ? (
          <p>Sets that you add or import go here unless you choose another collection.</p>
        ) : (
          <ButtonForm action={`${path}/default`} look="plain">
            Make it the default
          </ButtonForm>
        )}
      </Card>
      <DeleteForm {...found} />
    </Layout>
  );
}

const editForm = formPage({
  show: showEdit,
  read: ({ fields }) => readFacts(fields),
  save: async ({ deps, sent, found }, facts) => {
    const { accountId } = sent.who;
    const outcome = await deps.accounts.changeBrickfolio(accountId, found.brickfolio.id, facts);
    if (outcome === 'done') return { goTo: withQuery(listPath, { did: 'saved', n: facts.name }) };
    return outcome === 'missing' ? missingPage(sent) : { refused: takenName, field: 'name' };
  },
});

async function postDefault(deps: WebDeps, sent: OwnSentRequest, { brickfolio }: FoundCollection) {
  const isDone = await deps.accounts.setDefault(sent.who.accountId, brickfolio.id);
  return isDone ? { goTo: listPath } : missingPage(sent);
}

const changedSince =
  'The lots of this collection changed since you opened this page. Check it and try again.';

const lotsChoices = ['move', 'remove'] as const;

const deleteForm = formPage({
  show: showEdit,
  read: ({ sent, found, fields }) => {
    if (!sent.form.isTicked('sure')) fields.fail('sure', 'Check this box to delete it.');
    return readRemoval(fields, found);
  },
  save: async ({ deps, sent, found }, removal) => {
    const outcome = await applyForm(deps, sent, (accounts) =>
      accounts.removeBrickfolio(sent.who.accountId, found.brickfolio.id, removal),
    );
    if (outcome === 'done' || outcome === 'sent before') return { goTo: deletedPath };
    if (outcome === 'changed') return { refused: changedSince };
    return { refused: 'Choose another collection for its lots.', field: 'lots' };
  },
});

function readRemoval(fields: FormReader, { count, others }: FoundCollection): RemovalOptions {
  const number = (name: string) => Number(fields.form.text(name));
  const seen = { lots: number('seen_lots'), withSales: number('seen_sales') };
  if (count.lots === 0) return { lots: 'remove', to: null, seen };
  const lots = fields.word('lots', lotsChoices);
  const isMoved = lots === 'move' || count.withSales > 0;
  const to = isMoved ? (readBrickfolio(fields, 'to', others)?.id ?? null) : null;
  return { lots, to, seen };
}

function DeleteForm({ brickfolio, others, count }: FoundCollection) {
  const { lots, withSales } = count;
  const needsOther = withSales > 0 && others.length === 0;
  return (
    <Card title="Delete this collection">
      {lots > 0 && (
        <p>
          {`It has ${nounText(lots, 'lot')}`}
          {withSales > 0 && `, ${countText(withSales)} of them with recorded sales`}
          {withSales > 0 ? '. Lots with sales are always kept.' : '.'}
        </p>
      )}
      {needsOther ? (
        <Notice kind="warn">Create another collection first, for the lots with sales.</Notice>
      ) : (
        <PostForm action={`/collections/${brickfolio.id}/delete`}>
          <input type="hidden" name="seen_lots" value={lots} />
          <input type="hidden" name="seen_sales" value={withSales} />
          {lots > 0 && (
            <Choice
              name="lots"
              label="Its lots"
              options={[
                ...(others.length > 0 ? ([['move', 'Move all of them']] as const) : []),
                ['remove', withSales > 0 ? 'Delete those without sales' : 'Delete them'],
              ]}
            />
          )}
          {lots > 0 && others.length > 0 && (
            <Choice name="to" label="Move lots to" options={brickfolioOptions(others)} />
          )}
          <Checkbox name="sure" label={`Yes, delete ${brickfolio.name}`} />
          <button class="danger" type="submit">
            Delete collection
          </button>
        </PostForm>
      )}
    </Card>
  );
}
