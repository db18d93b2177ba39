/** Records a purchase of several items. */

import { sentence } from '../../../kernel/text.ts';
import { addPurchase } from '../../../portfolio/purchases/own-purchases.work.ts';
import { actionOf, formPage } from '../../kit/form-page.tsx';
import { Layout } from '../../kit/layout.tsx';
import type { OwnRequest, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { suggestRows } from '../buying/box-suggestions.ts';
import {
  type CheckedInput,
  checkPurchase,
  lotsOfInput,
  PurchaseForm,
  readPurchaseForm,
} from './purchase-form.tsx';
import { goToPurchase, newReceipt, readPlace, refusedReceipt } from './receipt-fields.tsx';

type NewPurchase = CheckedInput & {
  readonly brickfolio: { readonly name: string; readonly isNew: boolean };
};

export const newPurchaseRoutes = routes('own', {
  '/purchases/new': formPage<OwnRequest, unknown, NewPurchase>({
    show,
    read: async ({ deps, sent, fields }) => {
      const typed = await readPurchaseForm(deps, fields);
      const brickfolio = await readPlace(deps, sent.who.accountId, fields);
      return { ...typed, brickfolio, sure: await checkPurchase(deps, fields, typed) };
    },
    save: async ({ deps, sent }, input) => {
      const split = lotsOfInput(input);
      if ('problem' in split) return refusedReceipt(split.problem);
      const { lots, totalCents, prices } = split;
      const action = actionOf(deps, sent);
      const bought = { terms: { ...input.receipt, totalCents, prices }, lots };
      const done = await addPurchase(action, bought, input.brickfolio);
      if (!done.ok) return { refused: sentence(done.reason), field: 'brickfolio' };
      return goToPurchase(action);
    },
  }),
});

async function show(deps: WebDeps, request: OwnRequest, _: unknown, input?: CheckedInput) {
  const rows = input?.rows ?? [];
  return (
    <Layout title="Purchase of several sets" request={request}>
      <PurchaseForm
        action="/purchases/new"
        button="Save purchase"
        receipt={input?.receipt ?? newReceipt(request)}
        rows={rows}
        suggestions={await suggestRows(deps, rows)}
        sure={input?.sure ?? null}
        brickfolios={await deps.accounts.listBrickfolios(request.who.accountId)}
      />
    </Layout>
  );
}
