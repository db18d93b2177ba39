/** The page of a recorded sale, to edit and delete it. */

import { sentence } from '../../../kernel/text.ts';
import { applyOnce } from '../../../portfolio/lots/own-lots.work.ts';
import type { OwnSale, SaleLot } from '../../../portfolio/sales/ledger.ts';
import { changeSale, costOfChange } from '../../../portfolio/sales/own-sales.work.ts';
import { findListedItem } from '../../catalog/find-item.ts';
import { idOf, withQuery } from '../../kit/address.ts';
import { ButtonForm } from '../../kit/buttons.tsx';
import { Badge, Card } from '../../kit/card.tsx';
import { column, countColumn, mainColumn } from '../../kit/columns.tsx';
import { deletion } from '../../kit/confirm-delete.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { Field, PostForm, VersionField } from '../../kit/fields.tsx';
import { actionOf, foundForm } from '../../kit/form-page.tsx';
import { checkVersion, FormReader } from '../../kit/form-reader.ts';
import { dayText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Layout } from '../../kit/layout.tsx';
import { Dialog } from '../../kit/menu.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../../page.ts';
import { byOwnId, routes } from '../../page-table.ts';
import { findOwnTables } from '../buying/own-tables.ts';
import { boughtText, linksShown } from '../inventory/lot-form.ts';
import {
  LiveFigures,
  Presets,
  previewOf,
  readSaleTerms,
  SaleInputs,
  saleVersion,
  storedInput,
} from './sale-form.tsx';
import { listOpenLots } from './sale-origin.ts';

const findOwnSale = byOwnId((accounts, accountId, id) => accounts.findSale(accountId, id));

export const saleRoutes = routes('own', {
  '/sales/{id}': foundForm({
    find: findOwnSale,
    show: showSale,
    read: async ({ deps, sent, found: sale, fields }) => {
      const { terms, givenCents } = await readChange(deps, sent, { sale, fields });
      const changed = { ...terms, costCents: givenCents };
      checkVersion(fields, saleVersion(sale.facts));
      return { fields, changed };
    },
    save: async ({ deps, sent, found: sale }, { changed }) => {
      const done = await changeSale(actionOf(deps, sent), sale, changed);
      if (done.ok) {
        return { goTo: withQuery('/sales', { did: 'changed', n: sale.id, undo: done.editId }) };
      }
      return { refused: sentence(done.reason), field: done.field ?? 'quantity' };
    },
    sentBefore: ({ found }) => ({ goTo: withQuery('/sales', { did: 'changed', n: found.id }) }),
  }),
  '/sales/{id}/delete': deletion({
    find: findOwnSale,
    goneTo: '/sales?did=deleted',
    post: async (deps, sent, { id, facts }) => {
      await applyOnce(actionOf(deps, sent), { rows: [{ kind: 'sale_removal', saleId: id }] });
      return { goTo: withQuery('/sales', { did: 'deleted', item: facts.number }) };
    },
  }),
});

async function readChange(
  deps: WebDeps,
  request: OwnRequest,
  { sale, fields }: { readonly sale: OwnSale; readonly fields: FormReader },
) {
  const terms = readSaleTerms(fields, (await findOwnTables(deps, request)).fees);
  const givenCents = sale.facts.costCents === null ? null : fields.cents('cost');
  const costCents = givenCents ?? (await costOf(deps, request.who.accountId, sale, terms.quantity));
  return { terms, givenCents, preview: previewOf(fields, [{ suffix: '', terms, costCents }]) };
}

/** The cost of the units, which only changes with the quantity. */
async function costOf(deps: WebDeps, accountId: number, sale: OwnSale, quantity: number) {
  if (quantity === sale.facts.quantity) return sale.costCents;
  const openLots = await listOpenLots(deps, accountId, sale.facts);
  const takes = (await deps.accounts.listTakes(accountId, [sale.id])).get(sale.id) ?? [];
  return costOfChange(sale, quantity, { openLots, takes });
}

export async function previewChange(deps: WebDeps, request: OwnRequest, fields: FormReader) {
  const saleId = idOf(request.query.get('sale')) ?? 0;
  const sale = await deps.accounts.findSale(request.who.accountId, saleId);
  return sale && (await readChange(deps, request, { sale, fields })).preview;
}

async function showSale(
  deps: WebDeps,
  request: OwnRequest,
  sale: OwnSale,
  input?: { readonly fields: FormReader },
): Promise<PageAnswer> {
  const item = await findListedItem(deps, sale.facts);
  const lots = await deps.accounts.listSaleLots(request.who.accountId, sale.id, linksShown);
  const stored = new URLSearchParams(storedInput(sale));
  const fields = input?.fields ?? FormReader.ofQuery(stored, request.today);
  const tables = await findOwnTables(deps, request);
  const { preview } = await readChange(deps, request, { sale, fields });
  const { facts } = sale;
  return (
    <Layout title={`Sale of ${item.title}`} request={request} scripts={['sale.js']}>
      <p>
        <ItemCell
          kind={facts.kind}
          number={item.number}
          name={item.title}
          about={<SaleAbout sale={sale} />}
        />
      </p>
      <Card>
        <PostForm action={`/sales/${sale.id}`} typed={fields.typed}>
          <VersionField version={saleVersion(facts)} />
          <div class="stack" data-sale={`/sales/preview?sale=${sale.id}`}>
            <SaleInputs values={{}} presets={preview.presets} />
            {/* The cost of units from lots is theirs. */}
            {facts.costCents !== null && <Field name="cost" label="Cost basis ($)" isRequired />}
            <LiveFigures live={preview.live} />
          </div>
          <button type="submit">Save changes</button>
        </PostForm>
        <Presets table={tables.fees} day={facts.saleDate} />
      </Card>
      {lots.length > 0 && (
        <Card title="Lots sold">
          <DataTable label="Lots sold" rows={lots} columns={lotColumns} />
          {lots.length === linksShown && (
            <p class="quiet">{`Only the first ${linksShown} are listed.`}</p>
          )}
        </Card>
      )}
      <Dialog id="delete" title="Delete this sale?" trigger="Delete sale" look="danger">
        <p>
          {sale.facts.costCents === null
            ? 'Its units go back to their lots.'
            : 'Your lots stay as they are: this sale has a cost basis of its own.'}
        </p>
        <ButtonForm action={`/sales/${sale.id}/delete`} look="danger">
          Delete sale
        </ButtonForm>
      </Dialog>
    </Layout>
  );
}

function SaleAbout({ sale: { facts } }: { readonly sale: OwnSale }) {
  return (
    <>
      {dayText(facts.saleDate)} {facts.condition === 'used' && <Badge>Used</Badge>}
    </>
  );
}

const lotColumns: readonly Column<SaleLot>[] = [
  mainColumn('Lot', (lot) => <a href={`/lots/${lot.lotId}`}>{boughtText(lot)}</a>),
  column('Collection', ({ brickfolio }) => brickfolio),
  countColumn('Units', ({ quantity }) => quantity),
];
