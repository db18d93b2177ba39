/** Scanning barcodes with the camera, or typing them, in a store. */
import type { ComponentChildren } from 'preact';
import { assetPath, barcodeWasmPath } from '../../assets.ts';
import { Card } from '../../kit/card.tsx';
import { Field, PostForm, QueryForm, untyped } from '../../kit/fields.tsx';
import { Layout } from '../../kit/layout.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { PurchaseDialog } from '../device/purchase-dialog.tsx';
import { BarcodeCard, barcodesDone, listBarcodes } from './own-barcodes.tsx';
import { codeLengthMax, type Found, findScanned, ScannedRow, UnknownRow } from './scanned-item.tsx';

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
