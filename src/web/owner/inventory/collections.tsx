/** All collections of an account, and a new one. */

import { type BrickfolioSummary, readBrickfolios } from '../../../accounts/collection.ts';
import { applyAll } from '../../../accounts/own-lots.ts';
import { countText, gainText, moneyText } from '../../../domain/kernel/format.ts';
import { sentence } from '../../../domain/kernel/text.ts';
import { gainOf } from '../../../domain/portfolio/holdings.ts';
import type { WebDeps } from '../../deps.ts';
import { Checkbox, Field, Notice, PostForm, type Typed, untyped } from '../../kit/fields.tsx';
import { signClass, ValueFigures } from '../../kit/figures.tsx';
import { gainPercentText } from '../../kit/format.ts';
import { Layout } from '../../kit/layout.tsx';
import { TableHead } from '../../kit/table-head.tsx';
import { TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRoute } from '../../page.ts';
import { ExportLinks } from '../../session/export.tsx';

/** How long names and descriptions may be, here as in imports. */
export const nameLengthMax = 100;
export const descriptionLengthMax = 500;

/** The list of collections. */
export function collectionsRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'own',
      path: '/collections',
      get: (request) => showCollections(deps, request),
      post: (sent) => postCollection(deps, sent),
    },
  ];
}

async function showCollections(
  deps: WebDeps,
  request: OwnRequest,
  outcome: { readonly typed?: Typed; readonly status?: number } = {},
): Promise<PageAnswer> {
  const { brickfolios } = await readBrickfolios(deps.portfolio, request.who.accountId);
  const { typed = untyped, status = 200 } = outcome;
  return {
    page: <CollectionsPage request={request} brickfolios={brickfolios} typed={typed} />,
    status,
  };
}

async function postCollection(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { accounts } = deps;
  const { accountId, email } = sent.who;
  const fields = new TypedFields(sent.form, sent.at);
  const name = fields.text('name', nameLengthMax);
  const description = fields.textOrNull('description', descriptionLengthMax);
  const isDefault = sent.form.isTicked('is_default');
  const { brickfolios } = await accounts.findHoldings(accountId);
  const found = brickfolios.find((each) => each.name === name);
  // Sent twice, the second finds what the first one made.
  if (found && found.description !== description) {
    fields.fail('name', 'You have a collection of this name; choose another one.');
  }
  if (!fields.isGood) return showCollections(deps, sent, { typed: fields.typed, status: 400 });
  const facts = { name, description, isDefault };
  const doing = { accounts, who: sent.who, at: sent.at };
  const done = await applyAll(doing, [{ kind: 'brickfolio', email, facts }]);
  if (!done.ok) {
    fields.fail('name', sentence(done.reason));
    return showCollections(deps, sent, { typed: fields.typed, status: 400 });
  }
  const made = (await accounts.findHoldings(accountId)).brickfolios.find((b) => b.name === name);
  return { goTo: made ? `/collections/${made.id}?made=1` : '/collections' };
}

interface CollectionsProps {
  readonly request: OwnRequest;
  readonly brickfolios: readonly BrickfolioSummary[];
  readonly typed: Typed;
}

function CollectionsPage({ request, brickfolios, typed }: CollectionsProps) {
  const cost = brickfolios.reduce((sum, { total }) => sum + total.costCents, 0);
  const value = brickfolios.reduce((sum, { total }) => sum + total.valueCents, 0);
  return (
    <Layout title="Collections" request={request}>
      {request.query.has('removed') && <Notice>The collection is gone.</Notice>}
      {brickfolios.length > 0 && <ValueFigures gain={gainOf(cost, value)} />}
      {brickfolios.length > 0 ? (
        <CollectionTable brickfolios={brickfolios} />
      ) : (
        <p class="quiet">You have no collection yet. Make one below, then add what you own.</p>
      )}
      <p class="row">
        <a class="button plain" href="/collections/import">
          Import a file
        </a>
        {brickfolios.length > 0 && <ExportLinks kind="collection" />}
      </p>
      <section class="card">
        <h2>A new collection</h2>
        <PostForm request={request} action="/collections">
          <Field name="name" label="Name" typed={typed} isRequired maxlength={nameLengthMax} />
          <Field
            name="description"
            label="What it is for"
            typed={typed}
            hint="You can leave this out."
            maxlength={descriptionLengthMax}
          />
          <Checkbox name="is_default" label="Make it the default" typed={typed} />
          <button type="submit">Make it</button>
        </PostForm>
      </section>
    </Layout>
  );
}

function CollectionTable({ brickfolios }: Pick<CollectionsProps, 'brickfolios'>) {
  return (
    <section class="card scroll">
      <table class="cards">
        <TableHead
          columns={['Collection', 'Sets', 'Units', 'Cost', 'Value', 'Gain']}
          numbers={['Sets', 'Units', 'Cost', 'Value', 'Gain']}
        />
        <tbody>
          {brickfolios.map(({ id, name, isDefault, total }) => (
            <tr key={id}>
              <td data-name="Collection">
                <span>
                  <a href={`/collections/${id}`}>{name}</a>{' '}
                  {isDefault && <span class="badge">default</span>}
                </span>
              </td>
              <td data-name="Sets" class="number">
                {countText(total.setCount)}
              </td>
              <td data-name="Units" class="number">
                {countText(total.itemCount)}
              </td>
              <td data-name="Cost" class="number">
                {moneyText(total.costCents)}
              </td>
              <td data-name="Value" class="number">
                {moneyText(total.valueCents)}
              </td>
              <td data-name="Gain" class="number">
                <span class={signClass(total.gainCents)}>
                  {gainText(total.gainCents)} ({gainPercentText(total)})
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
