/** Adds a set or a minifig to the inventory. */

import { firstBrickfolio } from '../../../accounts/people/account.ts';
import { sentence } from '../../../kernel/text.ts';
import { parseDay } from '../../../kernel/time.ts';
import { conditions, usualCondition } from '../../../market/source-rows/source-rows.ts';
import type { Brickfolio } from '../../../portfolio/lots/brickfolios.ts';
import { noDetails } from '../../../portfolio/lots/lot-fields.ts';
import { lotDefaults } from '../../../portfolio/lots/lots.ts';
import { addLots } from '../../../portfolio/lots/own-lots.work.ts';
import { findListPrice, namedItem } from '../../catalog/find-item.ts';
import { readSetPicker } from '../../catalog/pick-item.ts';
import { idOf, withQuery } from '../../kit/address.ts';
import { Card } from '../../kit/card.tsx';
import { Checkbox, PostForm } from '../../kit/fields.tsx';
import { actionOf, formPage, type Sent } from '../../kit/form-page.tsx';
import type { FormReader } from '../../kit/form-reader.ts';
import { moneyText } from '../../kit/format.ts';
import { Layout } from '../../kit/layout.tsx';
import { pickedLengthMax, SetPicker, type SuggestedItem } from '../../kit/set-picker.tsx';
import type { OwnRequest, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { checkPrices, SurePrice } from '../price-check.tsx';
import { DetailFields, readDetailInputs } from './detail-fields.tsx';
import { LotFields, type LotTerms, readLotTerms } from './lot-fields.tsx';
import { readBrickfolio } from './lot-form.ts';

export const addLotRoutes = routes('own', {
  '/inventory/add': formPage({ show: showAdd, read: readLot, save: saveLot }),
});

type TypedLot = Awaited<ReturnType<typeof readLot>>;

async function showAdd(deps: WebDeps, request: OwnRequest, _: unknown, input?: TypedLot) {
  const brickfolios = await deps.accounts.listBrickfolios(request.who.accountId);
  const ownFields = await deps.accounts.listOwnFields(request.who.accountId);
  const { query } = request;
  const [set, minifig] = [query.get('set') ?? '', query.get('minifig') ?? ''];
  const number = set || minifig;
  const listCents =
    input?.listCents ?? (set === '' ? null : await findListPrice(deps, set)) ?? null;
  const added = await namedItem(deps, query, 'n');
  return (
    <Layout
      title="Add a set or minifig"
      request={request}
      done={{ added: `Added ${added}.` }}
      isNarrow
    >
      <Card>
        <PostForm action="/inventory/add">
          <SetPicker
            name="set"
            label="Set or minifig"
            kind="any"
            value={number.slice(0, pickedLengthMax)}
            choices={input?.choices ?? []}
            hasFocus={number === '' && !input}
          />
          <LotFields
            quantityLabel="Quantity"
            lot={startOf(request, brickfolios)}
            brickfolios={brickfolios}
          />
          <SurePrice sure={input?.sure ?? null} />
          <DetailFields details={noDetails} ownFields={ownFields} />
          {listCents !== null && (
            <Checkbox
              name="use_list"
              label={`Use list price (${moneyText(listCents)}), marked as estimated`}
            />
          )}
          <div class="row">
            <button type="submit">Add item</button>
            <button type="submit" class="plain" name="another" value="yes">
              Save and add another
            </button>
          </div>
        </PostForm>
      </Card>
    </Layout>
  );
}

async function readLot({ deps, sent, fields }: Sent<OwnRequest, unknown>) {
  const brickfolios = await deps.accounts.listBrickfolios(sent.who.accountId);
  const { item, choices } = await readSetPicker(deps, fields, { name: 'set', kind: 'any' });
  const terms = readLotTerms(fields);
  const ownFields = await deps.accounts.listOwnFields(sent.who.accountId);
  const { condition } = terms;
  const details = readDetailInputs(fields, { condition, ownFields });
  const brickfolio =
    brickfolios.length > 0 ? readBrickfolio(fields, 'brickfolio', brickfolios) : null;
  const listCents = item?.kind === 'set' ? await findListPrice(deps, item.number) : null;
  const lot = {
    ...lotDefaults,
    ...terms,
    kind: item?.kind ?? 'set',
    number: item?.number ?? '',
    priceCents: (item && readPrice(fields, terms, { item, listCents })) ?? 0,
    isEstimated: terms.priceCents === null,
    ...details,
  };
  const { kind, number, priceCents } = lot;
  const prices =
    item && !lot.isEstimated ? [{ name: 'price', kind, number, condition, cents: priceCents }] : [];
  const sure = await checkPrices(deps, fields, prices);
  return { lot, brickfolio, choices, listCents, sure };
}

async function saveLot({ deps, sent }: Sent<OwnRequest, unknown>, { lot, brickfolio }: TypedLot) {
  const chosen = { name: brickfolio?.name ?? firstBrickfolio, isNew: brickfolio === null };
  const done = await addLots(actionOf(deps, sent), { lots: [lot], brickfolio: chosen });
  if (!done.ok) return { refused: sentence(done.reason), field: 'set' };
  const did = { did: 'added', n: lot.number };
  if (!sent.form.isTicked('another')) return { goTo: withQuery('/inventory', did) };
  const { purchaseDate: date, condition } = lot;
  const collection = brickfolio?.id ?? '';
  return { goTo: withQuery('/inventory/add', { ...did, date, condition, collection }) };
}

function readPrice(
  fields: FormReader,
  { priceCents }: LotTerms,
  { item, listCents }: { readonly item: SuggestedItem; readonly listCents: number | null },
): number | null {
  if (priceCents !== null) return priceCents;
  if (item.kind === 'minifig') {
    fields.fail('price', 'Enter what you paid. Minifigs have no list price.');
  } else if (listCents === null) {
    fields.fail('price', 'Enter what you paid. The list price of this set is unknown.');
  } else if (!fields.form.isTicked('use_list')) {
    fields.fail('price', 'Enter what you paid, or use the list price.');
  }
  return listCents;
}

/** The initial values, some of which can be in the address. */
function startOf({ query, today }: OwnRequest, brickfolios: readonly Brickfolio[]) {
  const into = brickfolios.find(({ id }) => id === idOf(query.get('collection')));
  const usual = into ?? brickfolios.find(({ isDefault }) => isDefault) ?? brickfolios[0];
  const date = query.get('date') ?? '';
  return {
    ...lotDefaults,
    quantity: 1,
    priceCents: null,
    condition:
      conditions.find((each) => each === query.get('condition')) ??
      usualCondition(query.has('minifig') ? 'minifig' : 'set'),
    purchaseDate: parseDay(date) === null ? today : date,
    brickfolioId: usual?.id ?? null,
  };
}
