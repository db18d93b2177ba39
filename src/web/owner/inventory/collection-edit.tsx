/** Naming, describing, choosing and removing a collection. */
import { isFirstSubmission } from '../../../accounts/form-submission.ts';
import type { Brickfolio, LotCount } from '../../../domain/portfolio/brickfolio-store.ts';
import type { RemovalOptions } from '../../../domain/portfolio/holding-edits.ts';
import type { WebDeps } from '../../deps.ts';
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
import { TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRoute } from '../../page.ts';
import { descriptionLengthMax, nameLengthMax } from './collections.tsx';
import { idOf, readBrickfolio } from './lot-form.ts';

/** The pages that change a collection. */
export function collectionEditRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'own',
      path: '/collections/{id}/edit',
      get: (request) => showEdit(deps, request),
      post: (sent) => postEdit(deps, sent),
    },
    {
      access: 'own',
      path: '/collections/{id}/default',
      post: async (sent) => {
        const id = idOf(sent.params.id);
        const isDone = id !== null && (await deps.accounts.setDefault(sent.who.accountId, id));
        return isDone ? { goTo: `/collections/${id}?changed=1` } : missingPage(sent);
      },
    },
    {
      access: 'own',
      path: '/collections/{id}/delete',
      get: async (request) => goToItem(request, (id) => `/collections/${id}/edit`),
      post: (sent) => postDelete(deps, sent),
    },
  ];
}

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
  outcome: { readonly typed?: Typed; readonly status?: number } = {},
): Promise<PageAnswer> {
  const { accountId } = request.who;
  const id = idOf(request.params.id);
  const count = id === null ? null : await deps.accounts.countLots(accountId, id);
  const { brickfolios } = await deps.accounts.findHoldings(accountId);
  const brickfolio = brickfolios.find((each) => each.id === id);
  if (!brickfolio || !count) return missingPage(request);
  const others = brickfolios.filter((each) => each !== brickfolio);
  const { typed = untyped, status = 200 } = outcome;
  return {
    page: (
      <EditPage
        request={request}
        brickfolio={brickfolio}
        others={others}
        count={count}
        typed={typed}
      />
    ),
    status,
  };
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
    if (outcome === 'done') return { goTo: `/collections/${id}?changed=1` };
    if (outcome === 'missing') return missingPage(sent);
    fields.fail('name', 'You have another collection of this name; choose a different one.');
  }
  return showEdit(deps, sent, { typed: fields.typed, status: 400 });
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
  if (id === null || !count) return isFirst ? missingPage(sent) : { goTo: gone };
  const fields = new TypedFields(sent.form, sent.at);
  if (!sent.form.isTicked('sure')) fields.fail('sure', 'Tick this if you mean it.');
  const { brickfolios } = await accounts.findHoldings(accountId);
  const removal = readRemoval(
    fields,
    count,
    brickfolios.filter((each) => each.id !== id),
  );
  if (fields.isGood) {
    const outcome = await accounts.removeBrickfolio(accountId, id, removal);
    if (outcome === 'done') return { goTo: gone };
    fields.fail('lots', 'Its lots have to go somewhere: choose another collection for them.');
  }
  return showEdit(deps, sent, { typed: fields.typed, status: 400 });
}

const gone = '/collections?removed=1';

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
    <Layout title={`Change ${name}`} request={request}>
      <p>
        <a href={path}>Back to {name}</a>
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
            maxlength={nameLengthMax}
          />
          <Field
            name="description"
            label="What it is for"
            typed={typed}
            value={description ?? ''}
            maxlength={descriptionLengthMax}
          />
          <button type="submit">Save</button>
        </PostForm>
      </section>
      <section class="card">
        <h2>Default</h2>
        {isDefault ? (
          <p>This is your default: what is imported without a collection goes here.</p>
        ) : (
          <PostForm request={request} action={`${path}/default`}>
            <button class="plain" type="submit">
              Make it the default
            </button>
          </PostForm>
        )}
      </section>
      <DeleteForm {...props} />
    </Layout>
  );
}

function DeleteForm({ request, brickfolio, others, count, typed }: EditProps) {
  const { lots, withSales } = count;
  const isStuck = withSales > 0 && others.length === 0;
  return (
    <section class="card">
      <h2>Delete</h2>
      {lots === 0 && <p>There is nothing in it.</p>}
      {lots > 0 && (
        <p>
          It has {lots} {lots === 1 ? 'lot' : 'lots'}
          {withSales > 0 &&
            `, and from ${lots === 1 ? 'it' : `${withSales} of them`} units were sold`}
          . Lots that units were sold from are kept in any case, because your sales refer to them.
        </p>
      )}
      {isStuck ? (
        <Notice kind="warn">
          Make another collection first, which those lots can be moved to.
        </Notice>
      ) : (
        <PostForm request={request} action={`/collections/${brickfolio.id}/delete`}>
          {lots > 0 && (
            <Choice
              name="lots"
              label="What becomes of its lots"
              typed={typed}
              options={[
                ...(others.length > 0 ? ([['move', 'Move all of them']] as const) : []),
                ['remove', 'Delete them, except those that units were sold from'],
              ]}
            />
          )}
          {lots > 0 && others.length > 0 && (
            <Choice
              name="to"
              label="Lots that are kept go to"
              typed={typed}
              options={others.map((each) => [String(each.id), each.name] as const)}
            />
          )}
          <Checkbox name="sure" label={`Yes, delete ${brickfolio.name}`} typed={typed} />
          <button class="danger" type="submit">
            Delete it
          </button>
        </PostForm>
      )}
    </section>
  );
}
