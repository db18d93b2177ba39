/** Scanning or typing barcodes in a store, and those that no set had: attaching, discarding. */
import type { ComponentChildren } from 'preact';
import { printedBarcode, readBarcode } from '../../../catalog/barcodes/barcode.ts';
import { itemKey } from '../../../catalog/items/numbers.ts';
import { formatDay } from '../../../kernel/time.ts';
import { type OwnBarcode, ownBarcodesMax } from '../../../portfolio/barcodes/own-barcodes.ts';
import { assetPath, barcodeWasmPath } from '../../assets.ts';
import { readSetPicker } from '../../catalog/pick-item.ts';
import { itemPath } from '../../kit/address.ts';
import { ButtonForm, PlainLink } from '../../kit/buttons.tsx';
import { Card } from '../../kit/card.tsx';
import { actionColumn, column, dayColumn, mainColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { Field, PostForm, QueryForm, untyped } from '../../kit/fields.tsx';
import { FormPage, foundForm } from '../../kit/form-page.tsx';
import { countText, dayText } from '../../kit/format.ts';
import { Layout } from '../../kit/layout.tsx';
import { SetPicker } from '../../kit/set-picker.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../../page.ts';
import { page, routes } from '../../page-table.ts';
import { PurchaseDialog } from '../device/purchase-dialog.tsx';
import {
  barcodePath,
  codeLengthMax,
  type Found,
  findScanned,
  ScannedRow,
  UnknownRow,
} from './scanned-item.tsx';

export const scanRoutes = routes('own', {
  '/scan': { isScanner: true, get: showScan },
  '/scan/find.json': {
    get: async (deps, request) => ({ data: await findScanned(deps, request, codeIn(request)) }),
  },
});

function codeIn({ query }: OwnRequest): string {
  return (query.get('code') ?? '').trim().slice(0, codeLengthMax);
}

async function showScan(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const typed = codeIn(request);
  const found = typed === '' ? null : await findScanned(deps, request, typed);
  const barcodes = await listBarcodes(deps, request.who.accountId);
  const hasMaxBuy = request.who.plan === 'reseller';
  return (
    <Layout title="Scan" request={request} scripts={['scan.js']} done={barcodesDone}>
      <Scanner hasMaxBuy={hasMaxBuy} typed={typed} found={found}>
        {hasMaxBuy && (
          <PostForm action="/evaluate" class="row">
            <input type="hidden" name="items" />
            <button type="submit">Evaluate as a box</button>
          </PostForm>
        )}
      </Scanner>
      <PurchaseDialog timeZone={request.timeZone} />
      <BarcodeCard barcodes={barcodes} />
    </Layout>
  );
}

/** Camera, keypad and list; the children are what can be done with the list. */
export function Scanner(props: {
  readonly hasMaxBuy: boolean;
  readonly typed?: string;
  readonly found?: Found | null;
  readonly children?: ComponentChildren;
}) {
  const { hasMaxBuy, typed = '', found = null, children } = props;
  return (
    <div class="grid halves" data-scan data-find="/scan/find.json">
      <Card>
        <Camera />
        <Keypad typed={typed} problem={found?.problem ?? null} />
      </Card>
      <Card title="Scanned">
        <ul class="scans" data-scans aria-live="polite">
          {found?.items.map((item) => (
            <ScannedRow key={item.number} item={item} hasMaxBuy={hasMaxBuy} />
          ))}
          {found?.code && found.items.length === 0 && <UnknownRow code={found.code} />}
        </ul>
        <p class="quiet flush" data-none hidden={found !== null && found.problem === null}>
          Sets that you scan are listed here.
        </p>
        <div class="row" data-all hidden>
          {children}
          <button type="button" class="plain" data-clear>
            Clear list
          </button>
        </div>
        <template data-row="item">
          <ScannedRow hasMaxBuy={hasMaxBuy} />
        </template>
        <template data-row="unknown">
          <UnknownRow />
        </template>
      </Card>
    </div>
  );
}

/** The script shows the buttons that this device has a use for. */
function Camera() {
  const reader = assetPath('barcode-reader.js');
  return (
    <div class="camera for-script" data-reader={reader} data-wasm={barcodeWasmPath}>
      <div class="viewfinder">
        <video muted playsInline />
        <button type="button" data-start>
          Start camera
        </button>
      </div>
      <p class="flush" data-said role="status">
        Hold a barcode in front of the camera.
      </p>
      <div class="row">
        <button type="button" class="plain" data-stop hidden>
          Stop camera
        </button>
        <button type="button" class="plain" data-torch aria-pressed="false" hidden>
          Light
        </button>
        <button type="button" class="plain" data-sound aria-pressed="true">
          Sound
        </button>
      </div>
    </div>
  );
}

/** Works without script, too: the page then shows the one set. */
function Keypad({ typed, problem }: { readonly typed: string; readonly problem: string | null }) {
  const faults = problem === null ? {} : { code: problem };
  const input = typed === '' ? untyped : { values: { code: typed }, faults };
  return (
    <QueryForm action="/scan" class="row keypad" label="Type a code" typed={input}>
      <Field
        name="code"
        label="Barcode or set number"
        inputmode="numeric"
        maxlength={codeLengthMax}
      />
      <button type="submit">Find</button>
    </QueryForm>
  );
}

/** A barcode in a path; null if its check digit is wrong. */
async function findCode(_: WebDeps, { params }: OwnRequest): Promise<string | null> {
  return readBarcode(params.code ?? '');
}

export const ownBarcodeRoutes = routes('own', {
  '/scan/barcodes/{code}': foundForm({
    find: findCode,
    read: ({ deps, fields }) => readSetPicker(deps, fields, { name: 'set' }),
    show: (_, request, code, input) => (
      <FormPage
        request={request}
        title={`Barcode ${printedBarcode(code)}`}
        above={<p>Choose the set that has this barcode. Only your own searches will find it.</p>}
        button="Attach"
        cancel="/scan"
      >
        <SetPicker name="set" label="Set" choices={input?.choices ?? []} hasFocus={!input} />
      </FormPage>
    ),
    save: async ({ deps: { accounts }, sent: { who, at }, found: code }, { item }) => {
      const set = { setKey: itemKey('set', item?.number ?? ''), at };
      const kept = await accounts.attachBarcode(who.accountId, code, set);
      if (kept === 'too many') return { refused: tooMany, field: 'set' };
      return { goTo: '/scan?did=attached' };
    },
  }),
  '/scan/barcodes/{code}/discard': page({
    find: findCode,
    post: async ({ accounts }, { who }, code) => {
      await accounts.removeOwnBarcode(who.accountId, code);
      return { goTo: '/scan?did=discarded' };
    },
  }),
});

const barcodesDone = {
  attached: 'Barcode attached. Your scans and searches find the set now.',
  discarded: 'Barcode discarded.',
};

const tooMany = `You have ${countText(ownBarcodesMax)} barcodes. Discard one first.`;

type ListedBarcode = Awaited<ReturnType<typeof listBarcodes>>[number];

/** A barcode with its sets: the attached one, or those of the catalog, if it has some by now. */
async function listBarcodes({ accounts, market }: WebDeps, accountId: number) {
  const barcodes = await accounts.listOwnBarcodes(accountId);
  const known = await market.findBarcodeSets(barcodes.map(({ code }) => code));
  const keysOf = ({ code }: OwnBarcode) => known.get(code) ?? [];
  const names = await market.findNames('set', [...new Set(barcodes.flatMap(keysOf))]);
  return barcodes.map((barcode) => ({
    ...barcode,
    sets: keysOf(barcode).map((key) => names.get(key) ?? { number: key, name: '' }),
  }));
}

function BarcodeCard({ barcodes }: { readonly barcodes: readonly ListedBarcode[] }) {
  if (barcodes.length === 0) return null;
  return (
    <Card title="Your barcodes">
      <p class="quiet">No set in the catalog had them when you scanned them.</p>
      <DataTable label="Your barcodes" columns={columns} rows={barcodes} />
    </Card>
  );
}

const columns: readonly Column<ListedBarcode>[] = [
  mainColumn('Barcode', ({ code }) => printedBarcode(code)),
  column('Set', ({ sets }) =>
    sets.length === 0
      ? 'None'
      : sets.map(({ number, name }) => (
          <a key={number} href={itemPath('set', number)}>
            {[number, name].filter(Boolean).join(' ')}
          </a>
        )),
  ),
  dayColumn('Last scanned', ({ lastScannedAt }) => dayText(formatDay(lastScannedAt))),
  actionColumn(({ code, setKey }) => (
    <div class="row">
      <PlainLink href={barcodePath(code)}>
        {setKey === null ? 'Attach' : 'Change'}
        <span class="visually-hidden">{` ${printedBarcode(code)}`}</span>
      </PlainLink>
      <ButtonForm action={`${barcodePath(code)}/discard`} look="plain" of={printedBarcode(code)}>
        Discard
      </ButtonForm>
    </div>
  )),
];
