/** How the page of a lot looks. */
import { gainOf, unitValueCents } from '../../domain/portfolio/holdings.ts';
import { Choice, Field, Notice, PostForm } from '../fields.tsx';
import { Layout } from '../layout.tsx';
import { conditionChoices, lotMark, statusChoices } from '../lot-form.ts';
import { LotSales } from '../lot-ties.tsx';
import { Seen } from '../seen.tsx';
import { SetLink } from '../sets.tsx';
import { countText, moneyText } from '../show.ts';
import { Tick } from '../tick.tsx';
import { amountText } from '../typed-fields.ts';
import { WorthFigures } from '../worth.tsx';
import type { LotProps } from './lot.tsx';

/** The page. */
export function LotPage(props: LotProps) {
  const { request, lot, set } = props;
  const title = set?.title ?? lot.setNumber;
  const left = lot.quantity - lot.sold;
  const unitCents = unitValueCents(set, lot.condition) ?? lot.priceCents;
  return (
    <Layout title={`${title}: a lot`} request={request}>
      {request.query.has('changed') && <Notice>Changed.</Notice>}
      <p class="row">
        <a href={`/collections/${lot.brickfolioId}`}>{lot.brickfolio}</a>
        <SetLink number={set?.number ?? lot.setNumber} title={title} />
        {lot.condition === 'used' && <span class="badge">used</span>}
        {lot.status === 'listed' && <span class="badge">listed</span>}
        {lot.isEstimated && <span class="badge">estimated price</span>}
      </p>
      {left > 0 ? (
        <WorthFigures worth={gainOf(lot.priceCents * left, unitCents * left)} />
      ) : (
        <Notice>All units of this lot are sold.</Notice>
      )}
      <section class="card">
        <dl class="facts">
          <dt>Units left</dt>
          <dd>
            {countText(left)} of {countText(lot.quantity)}
          </dd>
          <dt>Price of one</dt>
          <dd>
            {moneyText(lot.priceCents)}
            {lot.isEstimated && ', a guess: it was not said what was paid'}
          </dd>
          <dt>Value of one now</dt>
          <dd>{moneyText(unitValueCents(set, lot.condition))}</dd>
          <dt>Bought on</dt>
          <dd>{lot.purchaseDate}</dd>
        </dl>
        {left > 0 && <Selling {...props} />}
      </section>
      <LotSales sales={props.sales} />
      <ChangeForm {...props} />
      {lot.quantity - Math.max(lot.sold, 1) > 0 && <SplitForm {...props} />}
      <DeleteForm {...props} />
    </Layout>
  );
}

function Selling({ request, lot }: LotProps) {
  const isListed = lot.status === 'listed';
  return (
    <div class="row lot-ways">
      <a class="button" href={`/lots/${lot.id}/sale`}>
        Record a sale
      </a>
      <a class="button plain" href={`/lots/${lot.id}/sell`}>
        Where to sell
      </a>
      <PostForm request={request} action={`/lots/${lot.id}/status`} class="row">
        <input type="hidden" name="status" value={isListed ? 'owned' : 'listed'} />
        <button class="plain" type="submit">
          {isListed ? 'Mark as not listed' : 'Mark as listed'}
        </button>
      </PostForm>
    </div>
  );
}

function ChangeForm({ request, lot, brickfolios, typed }: LotProps) {
  return (
    <section class="card">
      <h2>Change it</h2>
      <PostForm request={request} action={`/lots/${lot.id}`}>
        <Seen mark={lotMark(lot)} typed={typed} />
        <div class="form-grid">
          <Field
            name="quantity"
            label="Units bought"
            typed={typed}
            value={String(lot.quantity)}
            inputmode="numeric"
            isRequired
          />
          <Choice
            name="condition"
            label="Condition"
            options={conditionChoices}
            typed={typed}
            value={lot.condition}
          />
          <Field
            name="price"
            label="Price of one, in $"
            typed={typed}
            value={amountText(lot.priceCents)}
            inputmode="decimal"
            isRequired
          />
          <Field
            name="purchase_date"
            label="Bought on"
            type="date"
            typed={typed}
            value={lot.purchaseDate}
            isRequired
          />
          <Choice
            name="status"
            label="Status"
            options={statusChoices}
            typed={typed}
            value={lot.status}
          />
          <Choice
            name="brickfolio"
            label="Collection"
            options={brickfolios.map((each) => [String(each.id), each.name] as const)}
            typed={typed}
            value={String(lot.brickfolioId)}
          />
        </div>
        <button type="submit">Save</button>
      </PostForm>
    </section>
  );
}

function SplitForm({ request, lot, brickfolios, typed }: LotProps) {
  return (
    <section class="card">
      <h2>Split it</h2>
      <p class="quiet">Some of its units become a lot of their own, here or elsewhere.</p>
      <PostForm request={request} action={`/lots/${lot.id}/split`}>
        <Field
          name="units"
          label="Units to split off"
          typed={typed}
          value="1"
          inputmode="numeric"
          isRequired
        />
        <Choice
          name="to"
          label="Into the collection"
          options={brickfolios.map((each) => [String(each.id), each.name] as const)}
          typed={typed}
          value={String(lot.brickfolioId)}
        />
        <button class="plain" type="submit">
          Split
        </button>
      </PostForm>
    </section>
  );
}

function DeleteForm({ request, lot, typed }: LotProps) {
  return (
    <section class="card">
      <h2>Delete it</h2>
      {lot.sold > 0 ? (
        <p>
          {countText(lot.sold)} of its units {lot.sold === 1 ? 'was' : 'were'} sold, and sales keep
          what they sold. Delete the sales first
          {lot.sold < lot.quantity && `, or change the units bought to ${countText(lot.sold)}`}.
        </p>
      ) : (
        <PostForm request={request} action={`/lots/${lot.id}/delete`}>
          <Tick name="sure" label="Yes, it was never mine, or is here twice" typed={typed} />
          <button class="danger" type="submit">
            Delete it
          </button>
        </PostForm>
      )}
    </section>
  );
}
