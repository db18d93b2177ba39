/** Evaluating a box of sets, from text or a file, and adding it to the inventory. */

import { addLots } from '../../../accounts/own-lots.ts';
import { canBeLot, lotsOfBox } from '../../../buying/box-lots.ts';
import { countUniqueItems, evaluateBox } from '../../../buying/evaluate.ts';
import { resolveTypedItems } from '../../../buying/typed-items.ts';
import {
  type BoxForSale,
  boxLine,
  readBoxText,
  type TypedItem,
} from '../../../domain/buying/box-text.ts';
import { boxUnitsMax } from '../../../domain/buying/box-worth.ts';
import { tablesOf, termsOf } from '../../../domain/buying/buying-settings.ts';
import { itemKey } from '../../../domain/catalog/numbers.ts';
import { sentence } from '../../../domain/kernel/text.ts';
import { type Condition, conditions } from '../../../domain/market/source-rows.ts';
import { firstBrickfolio } from '../../../domain/portfolio/brickfolios.ts';
import { lotDefaults } from '../../../domain/portfolio/lots.ts';
import { type FileUnits, readContents } from '../../../ingest/own-import.ts';
import type { WebDeps } from '../../deps.ts';
import { withQuery } from '../../kit/address.ts';
import { statusOf, type Typed, untyped } from '../../kit/fields.tsx';
import { countText } from '../../kit/format.ts';
import { marketTabs } from '../../kit/layout.tsx';
import { needsPlan } from '../../kit/needs-plan.tsx';
import { amountText, TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer } from '../../page.ts';
import { ownPages } from '../../page-table.ts';
import { withOwnFile } from '../import/own-file.ts';
import { safeName, tooLarge, uploadBytesMax } from '../import/uploaded.ts';
import { readBrickfolio } from '../inventory/lot-form.ts';
import { readBuyTerms } from './buy-terms.tsx';
import { type BoxResult, boxTextMax, EvaluatePage, noItems } from './evaluate-page.tsx';

const boxItemsMax = 1_000;

export const evaluateRoutes = ownPages({
  '/evaluate': {
    takesFile: true,
    get: show,
    post: postBox,
  },
  '/evaluate/lots': { get: () => ({ goTo: '/evaluate' }), post: postLots },
});

async function show(
  deps: WebDeps,
  request: OwnRequest,
  outcome: { readonly typed?: Typed; readonly result?: BoxResult | null } = {},
): Promise<PageAnswer> {
  if (request.who.plan !== 'reseller') {
    return needsPlan(request, 'Evaluate', 'Evaluating a box is', marketTabs);
  }
  const { accountId } = request.who;
  const brickfolios = await deps.accounts.listBrickfolios(accountId);
  const terms = termsOf(await deps.accounts.findBuyingSettings(accountId));
  const { exampleBox: example = null } = deps;
  const isExample = example !== null && request.query.has('example');
  const { typed = isExample ? typedBox(example) : untyped, result = null } = outcome;
  const hasExample = example !== null && !isExample;
  const props = { request, brickfolios, terms, typed, result, hasExample };
  return { page: <EvaluatePage {...props} />, status: statusOf(typed) };
}

function typedBox({ text, askCents }: BoxForSale): Typed {
  return { values: { items: text, cost: amountText(askCents) }, faults: {} };
}

async function postBox(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  if (sent.who.plan !== 'reseller') return show(deps, sent);
  const fields = new TypedFields(sent.form, sent.today);
  const file = await readFile(deps, sent, fields);
  // The contents of the file become text, so that they can be edited.
  const lines = [sent.form.text('items'), ...mergeUnits(file?.units ?? []).map(boxLine)];
  const items = lines.filter((line) => line !== '').join('\n');
  const evaluated = await evaluate(deps, sent, { fields, items });
  const { values, faults } = fields.typed;
  const result = evaluated && { ...evaluated, file };
  return show(deps, sent, {
    typed: { values: evaluated ? { ...values, items } : values, faults },
    result,
  });
}

/** Reads the file; null if there is none or it cannot be read. */
async function readFile(deps: WebDeps, sent: OwnSentRequest, fields: TypedFields) {
  const file = sent.form.file('file');
  if (!file) return null;
  if (file.size > uploadBytesMax) {
    fields.fail('file', tooLarge);
    return null;
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const how = {
    file: { name: safeName(file.name), bytes },
    // The cost is that of the whole box, so prices in the file do not matter.
    settings: { brickfolio: null, missingPrice: 'zero', missingDate: 'unknown' } as const,
    isRehearsal: true,
  };
  const contents = await withOwnFile(deps, sent, how, async (work, bare) => {
    const { units, rejects, rejected } = await readContents(work);
    const bareRejects = rejects.map((each) => ({ ...each, where: bare(each.where) }));
    return { units, rejects: bareRejects, rejected };
  });
  if ('fault' in contents) {
    fields.fail('file', contents.fault);
    return null;
  }
  return contents;
}

/** Merges rows of the same item and condition. */
function mergeUnits(units: readonly FileUnits[]): FileUnits[] {
  const merged = new Map<string, FileUnits>();
  for (const each of units) {
    const name = `${each.kind} ${each.condition} ${itemKey(each.kind, each.number)}`;
    const before = merged.get(name)?.quantity ?? 0;
    merged.set(name, { ...each, quantity: before + each.quantity });
  }
  return [...merged.values()];
}

/** Evaluates a box; null if a field is invalid. */
async function evaluate(
  deps: WebDeps,
  { who, at }: OwnSentRequest,
  { fields, items }: { readonly fields: TypedFields; readonly items: string },
): Promise<Omit<BoxResult, 'file'> | null> {
  const condition = fields.wordOrNull('condition', conditions);
  const costCents = fields.centsOrNull('cost');
  const withModeled = fields.form.isTicked('with_modeled');
  const settings = await deps.accounts.findBuyingSettings(who.accountId);
  const terms = readBuyTerms(fields, termsOf(settings));
  const read = readBoxText(items.slice(0, boxTextMax));
  const [first] = read.problems;
  if (items.length > boxTextMax)
    fields.fail('items', `Use at most ${countText(boxTextMax)} characters.`);
  if (read.items.length === 0) {
    fields.fail(
      'items',
      first ? `Line ${first.line}: ${first.problem}` : 'Enter some numbers or choose a file.',
    );
  }
  checkSize(fields, read.items, condition);
  if (!fields.isGood) return null;
  const resolved = await resolveTypedItems(deps.market, read.items, condition);
  const question = { items: resolved.items, costCents, terms, at, withModeled };
  const tables = tablesOf(deps.tables, settings);
  const box = await evaluateBox({ market: deps.market, tables }, question);
  return { box, problems: [...read.problems, ...resolved.problems], costCents, terms };
}

/** Checks the limits before any item is looked up. */
function checkSize(
  fields: TypedFields,
  items: readonly TypedItem[],
  otherwise: Condition | null,
): void {
  const count = countUniqueItems(
    items.map(({ number, quantity, condition, grade }) => {
      return { kind: 'set', number, quantity, grade, condition: condition ?? otherwise ?? 'used' };
    }),
  );
  if (count > boxItemsMax) {
    const most = countText(boxItemsMax);
    fields.fail('items', `This box has ${countText(count)} different items. The limit is ${most}.`);
  }
  const units = items.reduce((sum, { quantity }) => sum + quantity, 0);
  if (units > boxUnitsMax) {
    fields.fail(
      'items',
      `This box has ${countText(units)} units. The limit is ${countText(boxUnitsMax)}.`,
    );
  }
}

async function postLots(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  if (sent.who.plan !== 'reseller') return show(deps, sent);
  const { form, who, at } = sent;
  const fields = new TypedFields(form, sent.today);
  const items = form.text('items');
  const evaluated = await evaluate(deps, sent, { fields, items });
  const brickfolio = await readPlace(deps, who.accountId, fields);
  const purchaseDate = fields.pastDay('purchase_date');
  const paidCents = fields.cents('paid');
  if (evaluated && evaluated.problems.length > 0) {
    fields.fail('items', 'First correct or remove the lines that could not be read.');
  }
  if (evaluated && !evaluated.box.items.some(canBeLot)) fields.fail('items', noItems);
  if (evaluated && fields.isGood) {
    const lots = lotsOfBox(evaluated.box.items, paidCents).map((lot) => {
      return { ...lotDefaults, ...lot, purchaseDate };
    });
    const { condition, brickfolio: place } = form.typed;
    const said = { items, condition, place, purchaseDate, paidCents };
    const doing = { accounts: deps.accounts, who, at };
    const done = await addLots(doing, { lots, brickfolio }, { id: form.text('once'), said });
    if (done.ok)
      return goToAdded(deps, who.accountId, { name: brickfolio.name, lots: lots.length });
    fields.fail('brickfolio', sentence(done.reason));
  }
  const result = evaluated && { ...evaluated, file: null };
  return show(deps, sent, { typed: fields.typed, result });
}

/** The chosen or default collection, which may have to be created. */
async function readPlace(deps: WebDeps, accountId: number, fields: TypedFields) {
  const brickfolios = await deps.accounts.listBrickfolios(accountId);
  if (!fields.isBlank('brickfolio')) {
    return { name: readBrickfolio(fields, 'brickfolio', brickfolios)?.name ?? '', isNew: false };
  }
  const usual = brickfolios.find(({ isDefault }) => isDefault);
  return { name: usual?.name ?? firstBrickfolio, isNew: !usual };
}

async function goToAdded(
  deps: WebDeps,
  accountId: number,
  { name, lots }: { readonly name: string; readonly lots: number },
): Promise<PageAnswer> {
  const brickfolios = await deps.accounts.listBrickfolios(accountId);
  const collection = brickfolios.find((each) => each.name === name)?.id ?? '';
  return { goTo: withQuery('/evaluate', { added: lots, collection }) };
}
