/** A saved box: shows what it is worth, changes its rows, and buys it. */

import type { EvaluatedRow } from '../../../buying/boxes/evaluate-rows.work.ts';
import {
  type BoxRow,
  type BoxTerms,
  boxLimits,
  type SavedBox,
} from '../../../buying/boxes/saved-box.ts';
import { sentence } from '../../../kernel/text.ts';
import { type Condition, conditions } from '../../../market/source-rows/source-rows.ts';
import { pageSourceId } from '../../../portfolio/lots/own-lots.work.ts';
import { lotsOf, unitsOfRows } from '../../../portfolio/purchases/box-lots.work.ts';
import { addPurchase } from '../../../portfolio/purchases/own-purchases.work.ts';
import { readWays, type SetWays } from '../../catalog/item-ways.tsx';
import { withQuery } from '../../kit/address.ts';
import { deletionPage } from '../../kit/confirm-delete.tsx';
import { needsEvaluate } from '../../kit/fault.tsx';
import { actionOf, foundForm, foundSentForm, type Sent } from '../../kit/form-page.tsx';
import { pageOf } from '../../kit/list.tsx';
import type { OwnRequest, WebDeps } from '../../page.ts';
import { byOwnId, routes } from '../../page-table.ts';
import {
  goToPurchase,
  readPlace,
  readReceipt,
  refusedReceipt,
} from '../purchases/receipt-fields.tsx';
import { checkReceipt } from '../purchases/receipt-prices.ts';
import { sharePage } from '../sharing/share-form.tsx';
import { hasRow } from './box-fields.tsx';
import {
  BoxPage,
  boughtBefore,
  boxPageRows,
  boxVersion,
  buyVersion,
  notBuyable,
} from './box-page.tsx';
import { readRow } from './box-row.ts';
import { suggestRows } from './box-suggestions.ts';
import { readBuyTerms } from './buy-terms.tsx';
import { barEvaluate, checkSize, evaluateFor, readTypedRows, valuedFacts } from './evaluate.tsx';

export function boxRoutes() {
  return routes('own', {
    '/evaluate/{id}': foundForm({
      find: findOwnBox,
      barred: barEvaluate,
      show: (deps, request, box) => showBox(deps, request, box, null),
      read: readChange,
      save,
    }),
    '/evaluate/{id}/buy': foundSentForm({
      find: findOwnBox,
      barred: barEvaluate,
      // With the question about its prices, if they were rejected.
      show: (deps, request, box, input) => showBox(deps, request, box, input?.sure ?? null),
      read: readPurchase,
      save: buy,
    }),
    '/evaluate/{id}/share': sharePage(
      findOwnBox,
      ({ id, name }) => ({
        thing: { brickfolioId: null, boxId: id },
        name,
        path: `/evaluate/${id}/share`,
        costs: 'Include prices and the bid',
      }),
      barEvaluate,
    ),
    '/evaluate/{id}/delete': deletionPage({
      find: findOwnBox,
      noun: 'box',
      describe: ({ id, name }) => ({
        name,
        outcome: 'If you bought it, its purchase and lots stay.',
        cancel: `/evaluate/${id}`,
      }),
      remove: ({ accounts }, { who }, { id }) => accounts.removeBox(who.accountId, id),
      goTo: '/evaluate?did=deleted',
    }),
  });
}

const findOwnBox = byOwnId((accounts, accountId, id) => accounts.findBox(accountId, id));

async function showBox(deps: WebDeps, request: OwnRequest, box: SavedBox, sure: string | null) {
  const bar = barEvaluate(deps, request);
  if (bar) return bar;
  const evaluated = await evaluateFor(deps, request, box);
  const start = (pageOf(request.query) - 1) * boxPageRows;
  const rows = byNeed(evaluated.rows).slice(start, start + boxPageRows);
  if (rows.length === 0 && start > 0) return { goTo: request.path };
  const { accounts } = deps;
  const { accountId } = request.who;
  const { boughtAs } = box;
  return (
    <BoxPage
      request={request}
      box={box}
      purchaseId={boughtAs === null ? null : await accounts.findPurchaseId(accountId, boughtAs)}
      evaluated={evaluated}
      sure={sure}
      rows={rows}
      suggestions={await suggestRows(deps, rows)}
      ways={await findSetWays(deps, request, rows)}
      brickfolios={await accounts.listBrickfolios(accountId)}
    />
  );
}

/** Of the sets on a page whose condition is known, and not worse than values are for. */
async function findSetWays(
  deps: WebDeps,
  request: OwnRequest,
  rows: readonly EvaluatedRow[],
): Promise<SetWays[]> {
  const sets = rows.flatMap(({ item, gradeEffect, row: { condition } }) =>
    item?.kind === 'set' && condition !== null && (gradeEffect?.share ?? 1) === 1
      ? [{ number: item.number, title: item.title, condition }]
      : [],
  );
  const found = await readWays(deps, request, sets);
  return sets.flatMap((set, index) => {
    const ways = found[index];
    return ways ? [{ ...set, found: ways }] : [];
  });
}

/** Rows that need something come first, otherwise in the order of the box. */
function byNeed(rows: readonly EvaluatedRow[]): EvaluatedRow[] {
  const need = ({ item, row }: EvaluatedRow) =>
    item === null ? 0 : row.condition === null ? 1 : 2;
  return rows.toSorted((a, b) => need(a) - need(b) || a.index - b.index);
}

type BoxForm = Sent<OwnRequest, SavedBox>;

async function readChange({ deps, fields, found: box }: BoxForm) {
  const terms: BoxTerms = {
    ...readBuyTerms(fields, box.terms),
    withModeled: fields.form.isTicked('with_modeled'),
  };
  const fill = fields.wordOrNull('fill', conditions);
  const removed =
    fields.form.text('do') === 'remove' ? new Set(fields.form.texts('pick')) : new Set<string>();
  const rows: BoxRow[] = [];
  for (const [index, row] of box.rows.entries()) {
    if (removed.has(`row-${index}`)) continue;
    rows.push(...(hasRow(fields, index) ? await readRow(deps, fields, row, index) : [row]));
  }
  const all = [...rows, ...(await readTypedRows(deps, fields, 'add'))].map(filledWith(fill));
  checkSize(fields, 'add', all);
  const name = fields.text('name', boxLimits.name);
  return { name, rows: all, askCents: fields.centsOrNull('cost'), terms };
}

function filledWith(condition: Condition | null) {
  return (row: BoxRow): BoxRow =>
    row.number === null || row.condition !== null ? row : { ...row, condition };
}

async function save({ deps, sent, found: box }: BoxForm, input: Parameters<typeof valuedFacts>[2]) {
  const path = `/evaluate/${box.id}`;
  if (sent.form.text('seen') !== boxVersion(box))
    return { goTo: withQuery(path, { did: 'changed' }) };
  const facts = await valuedFacts(deps, sent, input);
  const done = await deps.accounts.changeBox(sent.who.accountId, box, facts, sent.at);
  if (done === 'too large') {
    return { refused: 'Your saved boxes are too large together.', field: 'add' };
  }
  if (done === 'no plan') return needsEvaluate(sent);
  if (done === 'missing') return { goTo: '/evaluate' };
  if (done === 'changed') return { goTo: withQuery(path, { did: 'changed' }) };
  return { goTo: withQuery(path, { page: sent.query.get('page'), did: 'saved' }) };
}

async function readPurchase({ deps, sent, fields, found: box }: BoxForm) {
  const brickfolio = await readPlace(deps, sent.who.accountId, fields);
  const receipt = readReceipt(fields);
  const { rows } = await evaluateFor(deps, sent, box);
  fields.check('total', notBuyable(rows));
  // The prices of rows are not in this form.
  const sure = await checkReceipt(deps, fields, { receipt, rows }, () => null);
  return { brickfolio, receipt, rows, sure };
}

/** The answer to a form for a box that was bought or changed in another window. */
function notAsSeen({ id, boughtAs }: Pick<SavedBox, 'id' | 'boughtAs'>) {
  const changed = 'Not bought: this box was changed in another window. Check it before you buy it.';
  if (boughtAs === null) return { refused: changed };
  // The page links to the purchase.
  return { goTo: withQuery(`/evaluate/${id}`, { did: boughtBefore }) };
}

async function buy(
  { deps, sent, found: box }: BoxForm,
  { brickfolio, receipt, rows }: Awaited<ReturnType<typeof readPurchase>>,
) {
  const action = actionOf(deps, sent);
  const split = lotsOf(unitsOfRows(rows), receipt);
  if ('problem' in split) return refusedReceipt(split.problem);
  const { lots, totalCents, prices } = split;
  const isSentAgain = box.boughtAs === pageSourceId(action.formId);
  if (!isSentAgain && sent.form.text('seen') !== buyVersion(box)) return notAsSeen(box);
  const { valueCents, maxCents } = await valuedFacts(deps, sent, box);
  const bought = {
    terms: { ...receipt, totalCents, prices },
    lots,
    box: { seen: box, valueCents, maxCents },
  };
  const done = await addPurchase(action, bought, brickfolio);
  if (!done.ok) {
    const now = await deps.accounts.findBox(action.accountId, box.id);
    if (now && buyVersion(now) !== buyVersion(box)) return notAsSeen(now);
    return { refused: sentence(done.reason), field: 'brickfolio' };
  }
  return goToPurchase(action);
}
