/** One collection: what is in it, what it is worth, and more to put into it. */

import {
  type BrickfolioSummary,
  type Entry,
  readBrickfolios,
  readEntries,
} from '../../../accounts/collection.ts';
import { addLot } from '../../../accounts/own-lots.ts';
import { countText, gainText, moneyText } from '../../../domain/kernel/format.ts';
import { sentence } from '../../../domain/kernel/text.ts';
import { formatDay } from '../../../domain/kernel/time.ts';
import {
  findListPrice,
  matchSets,
  type SuggestedSet,
  suggestSets,
} from '../../catalog/find-set.ts';
import type { WebDeps } from '../../deps.ts';
import { goToItem, missingPage } from '../../kit/fault.tsx';
import { Choice, Field, Notice, PostForm, type Typed, untyped } from '../../kit/fields.tsx';
import { signClass, ValueFigures } from '../../kit/figures.tsx';
import { gainPercentText } from '../../kit/format.ts';
import { Layout } from '../../kit/layout.tsx';
import { SetLink } from '../../kit/links.tsx';
import { lastPagePath, PagePager, pageRange } from '../../kit/pager.tsx';
import { TableHead } from '../../kit/table-head.tsx';
import { TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRoute } from '../../page.ts';
import { conditionChoices, idOf, readLotTerms, statusChoices } from './lot-form.ts';

/** How much may be typed to find a set. */
const itemLengthMax = 200;

/** A collection, and sets to add to it. */
export function collectionRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'own',
      path: '/collections/suggest',
      get: async ({ query }) => ({ data: await suggestSets(deps, query.get('q') ?? '') }),
    },
    {
      access: 'own',
      path: '/collections/add',
      get: (request) => goToAdd(deps, request),
    },
    {
      access: 'own',
      path: '/collections/{id}',
      get: (request) => showCollection(deps, request),
    },
    {
      access: 'own',
      path: '/collections/{id}/lots',
      get: async (request) => goToItem(request, (id) => `/collections/${id}`),
      post: (sent) => postLot(deps, sent),
    },
  ];
}

/** To the form of the default collection, with a set in it. */
async function goToAdd(deps: WebDeps, { who, query }: OwnRequest): Promise<PageAnswer> {
  const { brickfolios } = await deps.accounts.findHoldings(who.accountId);
  const into = brickfolios.find((each) => each.isDefault) ?? brickfolios[0];
  if (!into) return { goTo: '/collections' };
  const item = (query.get('item') ?? '').slice(0, itemLengthMax);
  return { goTo: `/collections/${into.id}?item=${encodeURIComponent(item)}` };
}

/** What a page of a collection shows. */
interface CollectionProps {
  readonly request: OwnRequest;
  readonly brickfolio: BrickfolioSummary;
  readonly page: { readonly total: number; readonly entries: readonly Entry[] };
  readonly typed: Typed;
  /** Sets to choose from, when what was typed leaves it open. */
  readonly choices: readonly SuggestedSet[];
}

async function showCollection(
  deps: WebDeps,
  request: OwnRequest,
  outcome: Partial<Pick<CollectionProps, 'typed' | 'choices'>> & { readonly status?: number } = {},
): Promise<PageAnswer> {
  const { accountId } = request.who;
  const id = idOf(request.params.id);
  if (id === null) return missingPage(request);
  const { brickfolios } = await readBrickfolios(deps.portfolio, accountId);
  const brickfolio = brickfolios.find((each) => each.id === id);
  const options = { ...pageRange(request), brickfolioId: id };
  const page = brickfolio && (await readEntries(deps.portfolio, accountId, options));
  if (!brickfolio || !page) return missingPage(request);
  const last = lastPagePath(request, page.total);
  if (last) return { goTo: last };
  const { typed = untyped, choices = [], status = 200 } = outcome;
  const props = { request, brickfolio, page, typed, choices };
  return { page: <CollectionPage {...props} />, status };
}

/** The set that was typed; what is wrong is said beside the field. */
async function readSetField(
  deps: WebDeps,
  fields: TypedFields,
): Promise<{ readonly set: SuggestedSet | null; readonly choices: readonly SuggestedSet[] }> {
  const item = fields.text('item', itemLengthMax);
  // A choice was made for what had been typed then.
  const isChosen = fields.form.text('chosen_for') === item && !fields.isBlank('chosen');
  const typed = isChosen ? fields.form.text('chosen') : item;
  if (typed === '') return { set: null, choices: [] };
  const matches = await matchSets(deps, typed);
  if (matches.length === 1) return { set: matches[0] ?? null, choices: [] };
  if (matches.length === 0) fields.fail('item', `No set is known by '${typed}'.`);
  else fields.fail('item', 'Several sets fit; choose one of them below.');
  return { set: null, choices: matches };
}

async function postLot(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { brickfolios } = await deps.accounts.findHoldings(sent.who.accountId);
  const brickfolio = brickfolios.find((each) => each.id === idOf(sent.params.id));
  if (!brickfolio) return missingPage(sent);
  const fields = new TypedFields(sent.form, sent.at);
  const terms = readLotTerms(fields);
  const { set, choices } = await readSetField(deps, fields);
  const priceCents = terms.priceCents ?? (set && (await findListPrice(deps, set.number)));
  if (set && fields.isBlank('price') && typeof priceCents !== 'number') {
    fields.fail('price', 'The list price of this set is not known; write what you paid.');
  }
  const again = () => showCollection(deps, sent, { typed: fields.typed, choices, status: 400 });
  if (!set || typeof priceCents !== 'number' || !fields.isGood) return again();
  const facts = {
    ...terms,
    brickfolio: brickfolio.name,
    setNumber: set.number,
    priceCents,
    isEstimated: terms.priceCents === null,
    dateBasis: 'known' as const,
  };
  const doing = { accounts: deps.accounts, who: sent.who, at: sent.at };
  const done = await addLot(doing, facts, sent.form.text('once'));
  if (done.ok) {
    const added = encodeURIComponent(set.number);
    return { goTo: `/collections/${brickfolio.id}?added=${added}` };
  }
  fields.fail('item', sentence(done.reason));
  return again();
}

/** The page of a collection. */
function CollectionPage(props: CollectionProps) {
  const { request, brickfolio, page } = props;
  const { id, name, description, isDefault, total } = brickfolio;
  const added = request.query.get('added');
  return (
    <Layout title={name} request={request}>
      {added && <Notice>Added {added}.</Notice>}
      {request.query.has('made') && <Notice>Here it is. Add what you own.</Notice>}
      {request.query.has('changed') && <Notice>Changed.</Notice>}
      {request.query.has('removed') && <Notice>The lot is gone.</Notice>}
      <p class="row">
        {isDefault && <span class="badge">default</span>}
        {description && <span>{description}</span>}
        <span class="quiet">
          {countText(total.itemCount)} units of {countText(total.setCount)} sets
        </span>
        <a href={`/collections/${id}/edit`}>Change this collection</a>
        <a href={`/collections/${id}/sold`}>Sold-out lots</a>
      </p>
      <ValueFigures gain={total} />
      <AddLot {...props} />
      {page.entries.length > 0 && <Lots entries={page.entries} />}
      {page.total === 0 && <p class="quiet">There is nothing in it yet.</p>}
      <PagePager request={request} total={page.total} />
    </Layout>
  );
}

function AddLot({ request, brickfolio, typed, choices }: CollectionProps) {
  return (
    <section class="card">
      <h2>Add a set</h2>
      <PostForm request={request} action={`/collections/${brickfolio.id}/lots`}>
        <div class="suggest" data-suggest-sets="/collections/suggest">
          <Field
            name="item"
            label="Set number, name or barcode"
            typed={typed}
            value={request.query.get('item') ?? ''}
            isRequired
            maxlength={itemLengthMax}
          />
        </div>
        {choices.length > 0 && (
          <>
            <input type="hidden" name="chosen_for" value={typed.values.item?.trim()} />
            <Choice
              name="chosen"
              label="Which of these?"
              options={choices.map((set) => [set.number, choiceText(set)] as const)}
            />
          </>
        )}
        <div class="form-grid">
          <Field
            name="quantity"
            label="Units"
            typed={typed}
            value="1"
            inputmode="numeric"
            isRequired
          />
          <Choice name="condition" label="Condition" options={conditionChoices} typed={typed} />
          <Field
            name="price"
            label="Price of one, in $"
            typed={typed}
            hint="Empty: the list price, marked as a guess."
            inputmode="decimal"
          />
          <Field
            name="purchase_date"
            label="Bought on"
            type="date"
            typed={typed}
            value={formatDay(request.at)}
            isRequired
          />
          <Choice name="status" label="Status" options={statusChoices} typed={typed} />
        </div>
        <button type="submit">Add it</button>
      </PostForm>
    </section>
  );
}

function choiceText(set: CollectionProps['choices'][number]): string {
  const about = [set.theme, set.year].filter(Boolean).join(', ');
  return `${set.number} ${set.title}${about && ` (${about})`}`;
}

const numbers = ['Units', 'Bought', 'Price', 'Value of one', 'Gain'] as const;

function Lots({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <section class="card scroll">
      <h2>Lots</h2>
      <table class="cards">
        <TableHead columns={['Set', ...numbers]} numbers={numbers} action="Open" />
        <tbody>
          {entries.map((entry) => (
            <LotRow key={entry.lot.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function LotRow({ entry: { lot, set, unitCents, gain } }: { readonly entry: Entry }) {
  return (
    <tr>
      <td data-name="Set">
        <span>
          <SetLink number={set.number} title={set.title} />{' '}
          {lot.condition === 'used' && <span class="badge">used</span>}{' '}
          {lot.status === 'listed' && <span class="badge">listed</span>}
        </span>
      </td>
      <td data-name="Units" class="number">
        {countText(lot.units)}
      </td>
      <td data-name="Bought" class="number">
        {lot.purchaseDate}
      </td>
      <td data-name="Price" class="number">
        <span>
          {moneyText(lot.priceCents)} {lot.isEstimated && <span class="badge">estimated</span>}
        </span>
      </td>
      <td data-name="Value of one" class="number">
        {moneyText(unitCents)}
      </td>
      <td data-name="Gain" class="number">
        <span class={signClass(gain.gainCents)}>
          {gainText(gain.gainCents)} ({gainPercentText(gain)})
        </span>
      </td>
      <td data-name="">
        <span class="row">
          <a href={`/lots/${lot.id}`}>
            Change<span class="visually-hidden"> {set.title}</span>
          </a>
          <a href={`/lots/${lot.id}/sale`}>
            Record a sale<span class="visually-hidden"> of {set.title}</span>
          </a>
        </span>
      </td>
    </tr>
  );
}
