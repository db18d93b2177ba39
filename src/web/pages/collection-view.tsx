/** How a collection looks. */
import type { Entry } from '../../accounts/collection.ts';
import { formatDay } from '../../domain/kernel/time.ts';
import { Choice, Field, Notice, PostForm } from '../fields.tsx';
import { signClass } from '../figure.tsx';
import { Heads } from '../heads.tsx';
import { Layout } from '../layout.tsx';
import { conditionChoices, statusChoices } from '../lot-form.ts';
import { Pager } from '../pager.tsx';
import { SetLink } from '../sets.tsx';
import { countText, gainPercentText, gainText, moneyText } from '../show.ts';
import { WorthFigures } from '../worth.tsx';
import { type CollectionProps, itemLengthMax } from './collection.tsx';

/** The page of a collection. */
export function CollectionPage(props: CollectionProps) {
  const { request, brickfolio, page } = props;
  const { id, name, description, isDefault, total } = brickfolio;
  const added = request.query.get('added');
  return (
    <Layout title={name} request={request} scripts={['suggest.js']}>
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
      <WorthFigures worth={total} />
      <AddLot {...props} />
      {page.entries.length > 0 && <Lots entries={page.entries} />}
      {page.total === 0 && <p class="quiet">There is nothing in it yet.</p>}
      <Pager request={request} total={page.total} />
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

const columns = ['Units', 'Bought', 'Price', 'Value of one', 'Gain'] as const;

function Lots({ entries }: { readonly entries: readonly Entry[] }) {
  return (
    <section class="card scroll">
      <h2>Lots</h2>
      <table class="cards">
        <Heads words={['Set']} numbers={columns} />
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
