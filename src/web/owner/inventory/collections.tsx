/** Collections: a list of them with their totals, and what creates, renames and deletes one. */
import { type BrickfolioSummary, readBrickfolios } from '../../../accounts/collection.ts';
import { isFirstSubmission } from '../../../accounts/form-submission.ts';
import { applyAll } from '../../../accounts/own-lots.ts';
import { countText, nounText } from '../../../domain/kernel/format.ts';
import { sentence } from '../../../domain/kernel/text.ts';
import type { Brickfolio, LotCount } from '../../../domain/portfolio/brickfolio-store.ts';
import type { RemovalOptions } from '../../../domain/portfolio/holding-edits.ts';
import type { WebDeps } from '../../deps.ts';
import { idOf, withQuery } from '../../kit/address.ts';
import { Badge, Card } from '../../kit/card.tsx';
import {
  actionColumn,
  countColumn,
  mainColumn,
  moneyColumn,
  numberColumn,
} from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { goToItem, missingPage } from '../../kit/fault.tsx';
import {
  Checkbox,
  Choice,
  Field,
  Notice,
  PostForm,
  type Typed,
  untyped,
} from '../../kit/fields.tsx';
import { Layout } from '../../kit/layout.tsx';
import { Delta } from '../../kit/money.tsx';
import { Toast } from '../../kit/toast.tsx';
import { TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRequest, PageRoute } from '../../page.ts';
import { ownPages } from '../../page-table.ts';
import { readBrickfolio } from './lot-form.ts';

/** How long names and descriptions may be, here as in imports. */
const nameLengthMax = 100;
const descriptionLengthMax = 500;

const listPath = '/inventory/collections';

/** The pages of collections. */
export function collectionRoutes(deps: WebDeps): readonly PageRoute[] {
  const toEdit = (_: WebDeps, request: PageRequest) =>
    goToItem(request, (id) => `/collections/${id}/edit`);
  return [
    ...ownPages(deps, {
      [listPath]: { get: showCollections, post: postCollection },
      '/collections/{id}/edit': { get: showEdit, post: postEdit },
      '/collections/{id}/default': { get: toEdit, post: postDefault },
      '/collections/{id}/delete': { get: toEdit, post: postDelete },
    }),
    ...movedRoutes,
  ];
}

/** Where pages are that were elsewhere before. */
const movedRoutes: readonly PageRoute[] = [
  moved('/collections', ({ query }) => withQuery('/inventory', Object.fromEntries(query))),
  moved('/collections/suggest', ({ query }) =>
    withQuery('/search.json', { ...Object.fromEntries(query), kind: 'set' }),
  ),
  moved('/collections/add', ({ query }) => {
    const { item = '', ...others } = Object.fromEntries(query);
    return withQuery('/inventory/add', { set: item, ...others });
  }),
  movedItem('/collections/{id}', (id, query) =>
    withQuery('/inventory', { collection: id, ...query }),
  ),
  movedItem('/collections/{id}/lots', (id) => withQuery('/inventory/add', { collection: id })),
  movedItem('/collections/{id}/sold', (id, query) =>
    withQuery('/inventory', { collection: id, show: 'sold', ...query }),
  ),
];

function moved(path: string, to: (request: PageRequest) => string): PageRoute {
  return { access: 'own', path, get: async (request) => ({ goTo: to(request) }) };
}

function movedItem(
  path: string,
  to: (id: number, query: Readonly<Record<string, string>>) => string,
): PageRoute {
  const go = (request: PageRequest) =>
    goToItem(request, (id) => to(id, Object.fromEntries(request.query)));
  return { access: 'own', path, get: async (request) => go(request) };
}

async function showCollections(
  deps: WebDeps,
  request: OwnRequest,
  typed: Typed = untyped,
): Promise<PageAnswer> {
  const { brickfolios } = await readBrickfolios(deps.portfolio, request.who.accountId);
  const page = <CollectionsPage request={request} brickfolios={brickfolios} typed={typed} />;
  return { page, status: typed === untyped ? 200 : 400 };
}

async function postCollection(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { accounts } = deps;
  const { accountId, email } = sent.who;
  const fields = new TypedFields(sent.form, sent.at);
  const name = fields.text('name', nameLengthMax);
  const description = fields.textOrNull('description', descriptionLengthMax);
  const isDefault = sent.form.isTicked('is_default');
  const found = (await accounts.listBrickfolios(accountId)).find((each) => each.name === name);
  // Sent twice, the second finds what the first one made.
  if (found && found.description !== description) fields.fail('name', takenName);
  if (!fields.isGood) return showCollections(deps, sent, fields.typed);
  const facts = { name, description, isDefault };
  const doing = { accounts, who: sent.who, at: sent.at };
  const done = await applyAll(doing, [{ kind: 'brickfolio', email, facts }]);
  if (done.ok) return { goTo: withQuery(listPath, { did: 'created', n: name }) };
  fields.fail('name', sentence(done.reason));
  return showCollections(deps, sent, fields.typed);
}

const takenName = 'You have a collection with this name. Choose another one.';

/** What was just done, in words. */
const doneTexts = new Map<string | null, (name: string) => string>([
  ['created', (name) => `Collection ${name} created.`],
  ['saved', (name) => `Collection ${name} saved.`],
  ['deleted', () => 'Collection deleted.'],
]);

function CollectionsPage(props: {
  readonly request: OwnRequest;
  readonly brickfolios: readonly BrickfolioSummary[];
  readonly typed: Typed;
}) {
  const { request, brickfolios, typed } = props;
  // Named only where there is such a collection: a link from elsewhere says nothing here.
  const name = brickfolios.find((each) => each.name === request.query.get('n'))?.name ?? '';
  const done = doneTexts.get(request.query.get('did'))?.(name);
  return (
    <Layout title="Collections" request={request}>
      {done && <Toast>{done}</Toast>}
      <p>
        <a href="/inventory">Back to inventory</a>
      </p>
      {brickfolios.length > 0 && (
        <Card>
          <DataTable
            label="Collections"
            rows={brickfolios}
            rowKey={({ id }) => id}
            columns={columns}
          />
        </Card>
      )}
      <Card title="New collection">
        <PostForm request={request} action={listPath}>
          <Field name="name" label="Name" typed={typed} isRequired maxlength={nameLengthMax} />
          <Field
            name="description"
            label="Description (optional)"
            typed={typed}
            maxlength={descriptionLengthMax}
          />
          <Checkbox name="is_default" label="Make it the default" typed={typed} />
          <button type="submit">Create collection</button>
        </PostForm>
      </Card>
    </Layout>
  );
}

const columns: readonly Column<BrickfolioSummary>[] = [
  mainColumn('Collection', ({ id, name, description, isDefault }) => (
    <>
      <a href={`/inventory?collection=${id}`}>{name}</a> {isDefault && <Badge>Default</Badge>}
      {description && <div class="quiet small">{description}</div>}
    </>
  )),
  countColumn('Sets', ({ total }) => total.setCount),
  countColumn('Units', ({ total }) => total.itemCount),
  moneyColumn('Cost basis', ({ total }) => total.costCents),
  moneyColumn('Market value', ({ total }) => total.valueCents),
  numberColumn('Unrealized gain', ({ total }) => (
    <Delta cents={total.gainCents} percent={total.costCents > 0 ? total.gainPct : null} />
  )),
  actionColumn(({ id, name }) => (
    <a href={`/collections/${id}/edit`}>
      Edit<span class="visually-hidden"> {name}</span>
    </a>
  )),
];

interface EditProps {
  readonly request: OwnRequest;
  readonly brickfolio: Brickfolio;
  readonly others: readonly Brickfolio[];
  readonly count: LotCount;
  readonly typed: Typed;
}

async function showEdit(
  deps: WebDeps,
  request: OwnRequest,
  typed: Typed = untyped,
): Promise<PageAnswer> {
  const id = idOf(request.params.id);
  const { accountId } = request.who;
  const count = id === null ? null : await deps.accounts.countLots(accountId, id);
  const brickfolios = await deps.accounts.listBrickfolios(accountId);
  const brickfolio = brickfolios.find((each) => each.id === id);
  if (!brickfolio || !count) return missingPage(request);
  const others = brickfolios.filter((each) => each !== brickfolio);
  const props = { request, brickfolio, others, count, typed };
  const page = <EditPage {...props} />;
  return { page, status: typed === untyped ? 200 : 400 };
}

async function postEdit(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const id = idOf(sent.params.id);
  const { accountId } = sent.who;
  if (id === null || !(await deps.accounts.countLots(accountId, id))) return missingPage(sent);
  const fields = new TypedFields(sent.form, sent.at);
  const name = fields.text('name', nameLengthMax);
  const description = fields.textOrNull('description', descriptionLengthMax);
  if (fields.isGood) {
    const facts = { name, description };
    const outcome = await deps.accounts.changeBrickfolio(accountId, id, facts);
    if (outcome === 'done') return { goTo: withQuery(listPath, { did: 'saved', n: name }) };
    if (outcome === 'missing') return missingPage(sent);
    fields.fail('name', takenName);
  }
  return showEdit(deps, sent, fields.typed);
}

async function postDefault(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const id = idOf(sent.params.id);
  const isDone = id !== null && (await deps.accounts.setDefault(sent.who.accountId, id));
  return isDone ? { goTo: listPath } : missingPage(sent);
}

const lotsChoices = ['move', 'remove'] as const;

async function postDelete(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { accounts } = deps;
  const { accountId } = sent.who;
  const id = idOf(sent.params.id);
  const isFirst = await isFirstSubmission(accounts, {
    accountId,
    formId: sent.form.text('once'),
    at: sent.at,
  });
  const count = id === null ? null : await accounts.countLots(accountId, id);
  const gone = withQuery(listPath, { did: 'deleted' });
  if (id === null || !count) return isFirst ? missingPage(sent) : { goTo: gone };
  const fields = new TypedFields(sent.form, sent.at);
  if (!sent.form.isTicked('sure')) fields.fail('sure', 'Check this box to delete it.');
  const others = (await accounts.listBrickfolios(accountId)).filter((each) => each.id !== id);
  const removal = readRemoval(fields, count, others);
  if (fields.isGood) {
    const outcome = await accounts.removeBrickfolio(accountId, id, removal);
    if (outcome === 'done') return { goTo: gone };
    fields.fail('lots', 'Choose another collection for its lots.');
  }
  return showEdit(deps, sent, fields.typed);
}

function readRemoval(
  fields: TypedFields,
  count: LotCount,
  others: readonly Brickfolio[],
): RemovalOptions {
  if (count.lots === 0) return { lots: 'remove', to: null };
  const lots = fields.word('lots', lotsChoices);
  const isMoved = lots === 'move' || count.withSales > 0;
  const to = isMoved ? (readBrickfolio(fields, 'to', others)?.id ?? null) : null;
  return { lots, to };
}

function EditPage(props: EditProps) {
  const { request, brickfolio, typed } = props;
  const { id, name, description, isDefault } = brickfolio;
  const path = `/collections/${id}`;
  return (
    <Layout title={`Edit ${name}`} request={request}>
      <p>
        <a href={listPath}>Back to collections</a>
      </p>
      <Card>
        <PostForm request={request} action={`${path}/edit`}>
          <Field
            name="name"
            label="Name"
            typed={typed}
            value={name}
            isRequired
            maxlength={nameLengthMax}
          />
          <Field
            name="description"
            label="Description (optional)"
            typed={typed}
            value={description ?? ''}
            maxlength={descriptionLengthMax}
          />
          <button type="submit">Save changes</button>
        </PostForm>
      </Card>
      <Card title="Default collection">
        {isDefault ? (
          <p>Sets that you add or import go here unless you choose another collection.</p>
        ) : (
          <PostForm request={request} action={`${path}/default`}>
            <button class="plain" type="submit">
              Make it the default
            </button>
          </PostForm>
        )}
      </Card>
      <DeleteForm {...props} />
    </Layout>
  );
}

function DeleteForm({ request, brickfolio, others, count, typed }: EditProps) {
  const { lots, withSales } = count;
  const isStuck = withSales > 0 && others.length === 0;
  return (
    <Card title="Delete this collection">
      {lots > 0 && (
        <p>
          {`It has ${nounText(lots, 'lot')}`}
          {withSales > 0 && `, ${countText(withSales)} of them with recorded sales`}
          {withSales > 0 ? '. Lots with sales are always kept.' : '.'}
        </p>
      )}
      {isStuck ? (
        <Notice kind="warn">Create another collection first, for the lots with sales.</Notice>
      ) : (
        <PostForm request={request} action={`/collections/${brickfolio.id}/delete`}>
          {lots > 0 && (
            <Choice
              name="lots"
              label="Its lots"
              typed={typed}
              options={[
                ...(others.length > 0 ? ([['move', 'Move all of them']] as const) : []),
                ['remove', withSales > 0 ? 'Delete those without sales' : 'Delete them'],
              ]}
            />
          )}
          {lots > 0 && others.length > 0 && (
            <Choice
              name="to"
              label="Move lots to"
              typed={typed}
              options={others.map((each) => [String(each.id), each.name] as const)}
            />
          )}
          <Checkbox name="sure" label={`Yes, delete ${brickfolio.name}`} typed={typed} />
          <button class="danger" type="submit">
            Delete collection
          </button>
        </PostForm>
      )}
    </Card>
  );
}
