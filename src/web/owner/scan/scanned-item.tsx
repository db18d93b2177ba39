/** A scanned set: what it is worth, and what to do with it. */
import { printedBarcode, readBarcode } from '../../../catalog/barcodes/barcode.ts';
import { itemKey } from '../../../catalog/items/numbers.ts';
import { findExact } from '../../catalog/find-item.ts';
import type { LinkedItem } from '../../catalog/item-cards.tsx';
import { readPay } from '../../catalog/item-pay.tsx';
import { findByBarcode } from '../../catalog/suggestions.ts';
import { itemPath, withQuery } from '../../kit/address.ts';
import { moneyText } from '../../kit/format.ts';
import { picturePath } from '../../kit/item-picture.tsx';
import type { OwnRequest, WebDeps } from '../../page.ts';

/** The maximum length of a typed code: longer ones are no barcode and no number. */
export const codeLengthMax = 20;

export interface Found {
  /** The barcode with 13 digits; null if the code is the number of a set. */
  readonly code: string | null;
  /** Usually one; a barcode may be on several sets. */
  readonly items: readonly ScannedItem[];
  /** Why the code cannot be looked up; null if it can. */
  readonly problem: string | null;
}

type ScannedItem = Awaited<ReturnType<typeof scannedItem>>;

export async function findScanned(
  deps: WebDeps,
  request: OwnRequest,
  typed: string,
): Promise<Found> {
  const text = typed.replaceAll(/[\s-]/g, '');
  const code = readBarcode(text);
  const items = code === null ? await findNumber(deps, typed) : await findByBarcode(deps, code);
  const problem = code === null && items.length === 0 ? problemOf(text) : null;
  return {
    code,
    items: await Promise.all(items.map((item) => scannedItem(deps, request, item))),
    problem,
  };
}

async function findNumber(deps: WebDeps, typed: string): Promise<LinkedItem[]> {
  const found = await findExact(deps, 'set', typed.trim());
  return found ? [{ number: found.number, name: found.title }] : [];
}

function problemOf(text: string): string {
  return /^\d{12,13}$/.test(text)
    ? 'The check digit does not match. Check the digits and try again.'
    : 'Enter the 12 or 13 digits below the bars, or the number of a set.';
}

async function scannedItem(
  deps: WebDeps,
  request: OwnRequest,
  { number, name, about }: LinkedItem,
) {
  const [[record], pay] = await Promise.all([
    deps.market.findMarketRecords('set', [itemKey('set', number)]),
    // At the buying settings of the account, whatever the address says.
    readPay(deps, { ...request, query: new URLSearchParams() }, { kind: 'set', number }),
  ]);
  return {
    number,
    name,
    about: [number, about].filter(Boolean).join(' · '),
    value: moneyText(record?.valueCents ?? null),
    maxBuy: pay === null ? '' : moneyText(pay.answer.maxBuyCents),
    picture: picturePath('set', number, 'thumb'),
    href: itemPath('set', number),
  };
}

/** The addresses of a row that the script fills. */
const unfilled = '#';

const blank: ScannedItem = {
  number: '',
  name: '',
  about: '',
  value: '',
  maxBuy: '',
  picture: picturePath('set', '', 'thumb'),
  href: unfilled,
};

/**
 * A row of the list. The script fills copies of it with `data-part` and `data-do`, so it is also
 * rendered without an item.
 */
export function ScannedRow(props: { readonly item?: ScannedItem; readonly hasMaxBuy: boolean }) {
  const { item = blank, hasMaxBuy } = props;
  const { number, name, about, value, maxBuy, picture, href } = item;
  return (
    <li class="scanned">
      <img data-part="picture" src={picture} alt="" />
      <div>
        <a data-part="name" href={href}>
          {name}
        </a>{' '}
        <span class="badge" data-part="count" hidden />
        <small class="quiet" data-part="about">
          {about}
        </small>
      </div>
      <dl class="facts">
        <div>
          <dt>Value</dt>
          <dd data-part="value">{value}</dd>
        </div>
        {hasMaxBuy && (
          <div>
            <dt>Max buy price</dt>
            <dd data-part="maxBuy">{maxBuy}</dd>
          </div>
        )}
      </dl>
      <div class="row">
        <a class="button plain" data-do="look" href={href}>
          Look up
        </a>
        <a class="button plain" data-do="watch" href={`${href}#watch`}>
          Watch
        </a>
        <a class="button plain" data-do="add" href={withQuery('/inventory/add', { set: number })}>
          Add
        </a>
      </div>
      <RemoveButton />
      <p class="quiet small flush" data-part="said" role="status" />
    </li>
  );
}

export function UnknownRow({ code }: { readonly code?: string }) {
  return (
    <li class="scanned">
      <div>
        <span data-part="name">{code && printedBarcode(code)}</span>{' '}
        <span class="badge" data-part="count" hidden />
        <small class="quiet" data-part="about">
          No set has this barcode.
        </small>
      </div>
      <div class="row">
        <a class="button plain" data-do="attach" href={code ? barcodePath(code) : unfilled}>
          Attach to a set
        </a>
      </div>
      <RemoveButton />
      <p class="quiet small flush" data-part="said" role="status" />
    </li>
  );
}

function RemoveButton() {
  return (
    <button
      type="button"
      class="plain remove for-script"
      data-do="remove"
      aria-label="Remove from the list"
    >
      ✕
    </button>
  );
}

export function barcodePath(code: string): string {
  return `/scan/barcodes/${code}`;
}
