/** Style sheets and scripts, under names that change with their content. */

import barcodeWasm from 'zxing-wasm/reader/zxing_reader.wasm' with { type: 'file' };
import portfolioPicture from '../../docs/portfolio-page.png' with { type: 'file' };
import catalogStyle from './catalog/catalog.css' with { type: 'text' };
import docsStyle from './docs/docs.css' with { type: 'text' };
import chartScript from './kit/assets/chart.client.js' with { type: 'text' };
import comboboxScript from './kit/assets/combobox.client.js' with { type: 'text' };
import copyScript from './kit/assets/copy.client.js' with { type: 'text' };
import faviconPng from './kit/assets/favicon.png' with { type: 'file' };
import favicon from './kit/assets/favicon.svg' with { type: 'text' };
import icon192 from './kit/assets/icon-192.png' with { type: 'file' };
import icon512 from './kit/assets/icon-512.png' with { type: 'file' };
import maskableIcon from './kit/assets/icon-maskable.png' with { type: 'file' };
import manifest from './kit/assets/manifest.webmanifest' with { type: 'text' };
import menuScript from './kit/assets/menu.client.js' with { type: 'text' };
import passwordScript from './kit/assets/password.client.js' with { type: 'text' };
import style from './kit/assets/style.css' with { type: 'text' };
import submitScript from './kit/assets/submit.client.js' with { type: 'text' };
import tableScript from './kit/assets/table.client.js' with { type: 'text' };
import timeZoneScript from './kit/assets/time-zone.client.js' with { type: 'text' };
import touchIcon from './kit/assets/touch-icon.png' with { type: 'file' };
import deviceScript from './owner/device/device.client.js' with { type: 'text' };
import deviceStoreScript from './owner/device/device-store.client.js' with { type: 'text' };
import entryListScript from './owner/device/entry-list.client.js' with { type: 'text' };
import offlineScript from './owner/device/offline.client.js' with { type: 'text' };
import purchaseDialogScript from './owner/device/purchase-dialog.client.js' with { type: 'text' };
import workerScript from './owner/device/service-worker.client.js' with { type: 'text' };
import { inventoryStyle } from './owner/inventory/inventory-columns.tsx';
import ownerStyle from './owner/owner.css' with { type: 'text' };
import saleScript from './owner/sales/sale.client.js' with { type: 'text' };
import barcodeReader from './owner/scan/barcode-reader.min.js' with { type: 'text' };
import scanScript from './owner/scan/scan.client.js' with { type: 'text' };
import { plainHeaders } from './server/respond.ts';
import passkeyScript from './session/passkey.client.js' with { type: 'text' };
import sessionStyle from './session/session.css' with { type: 'text' };

/** Without comments and indentation, which are a quarter of a script. */
const compact = new Bun.Transpiler({ loader: 'js', minifyWhitespace: true });

/** Scripts that share a scope, and nothing with others. */
function inScope(...scripts: readonly string[]): string {
  return compact.transformSync(`(() => {\n${scripts.join('\n')}})();\n`);
}

const kitScripts = [
  comboboxScript,
  menuScript,
  tableScript,
  chartScript,
  copyScript,
  submitScript,
  passwordScript,
  timeZoneScript,
].map((script) => inScope(script));

const sources = {
  'style.css': [style, catalogStyle, ownerStyle, inventoryStyle, sessionStyle].join('\n'),
  'docs.css': docsStyle,
  'kit.js': kitScripts.join(''),
  'sale.js': saleScript,
  'passkey.js': passkeyScript,
  'device.js': inScope(deviceStoreScript, entryListScript, purchaseDialogScript, deviceScript),
  'offline.js': inScope(deviceStoreScript, entryListScript, purchaseDialogScript, offlineScript),
  'scan.js': inScope(deviceStoreScript, entryListScript, purchaseDialogScript, scanScript),
  'barcode-reader.js': barcodeReader,
} as const;

export type AssetName = keyof typeof sources;

interface Asset {
  readonly path: string;
  readonly text: string;
  readonly type: string;
}

const assets = new Map(
  Object.entries(sources).map(([name, text]): [string, Asset] => {
    const hash = Bun.hash(text).toString(36);
    const type = name.endsWith('.css') ? 'text/css' : 'text/javascript';
    return [name, { path: `/assets/${hash}-${name}`, text, type: `${type}; charset=utf-8` }];
  }),
);
const byPath = new Map([...assets.values()].map((asset) => [asset.path, asset]));

/** The reader knows the hash of its binary, so both have the name of the same content. */
export const barcodeWasmPath = assetPath('barcode-reader.js').replace(/js$/, 'wasm');

/** Only for drawings of this site: SVG may contain scripts, so none from other hosts is served. */
export const svgType = 'image/svg+xml';

export const productPicture = { path: '/portfolio-page.png', width: 1120, height: 1100 } as const;

/** The data a device keeps for use without a network. */
const shellPaths = [
  '/offline',
  '/favicon.svg',
  ...(['style.css', 'offline.js', 'scan.js', 'barcode-reader.js'] as const).map(assetPath),
  barcodeWasmPath,
];

/** Files with a fixed name, which are cached for a day only. */
const fixedAssets = new Map<string, { readonly body: string | Bun.BunFile; type: string }>([
  [
    '/service-worker.js',
    {
      body: compact.transformSync(workerScript.replace('SHELL_PATHS', JSON.stringify(shellPaths))),
      type: 'text/javascript; charset=utf-8',
    },
  ],
  ['/favicon.svg', { body: favicon, type: svgType }],
  // Asked for by browsers and crawlers that do not read the page.
  ['/favicon.ico', { body: Bun.file(faviconPng), type: 'image/png' }],
  ['/manifest.webmanifest', { body: manifest, type: 'application/manifest+json' }],
  ['/icon-192.png', { body: Bun.file(icon192), type: 'image/png' }],
  ['/icon-512.png', { body: Bun.file(icon512), type: 'image/png' }],
  ['/icon-maskable.png', { body: Bun.file(maskableIcon), type: 'image/png' }],
  ['/touch-icon.png', { body: Bun.file(touchIcon), type: 'image/png' }],
  [productPicture.path, { body: Bun.file(portfolioPicture), type: 'image/png' }],
]);

export function assetPath(name: AssetName): string {
  return assets.get(name)?.path ?? '';
}

/** The asset at a path; null if there is none. `codings` is the header `Accept-Encoding`. */
export function respondAsset(
  path: string,
  codings: string | null,
): Response | Promise<Response> | null {
  const fixed = fixedAssets.get(path);
  if (fixed) {
    return new Response(fixed.body, { headers: plainHeaders(fixed.type, 'public, max-age=86400') });
  }
  if (path === barcodeWasmPath) return respondWasm(/\bgzip\b/.test(codings ?? ''));
  const asset = byPath.get(path);
  return asset ? new Response(asset.text, { headers: lastingHeaders(asset.type) }) : null;
}

/** The name depends on the content, so it can be cached forever. */
function lastingHeaders(type: string): Headers {
  return plainHeaders(type, 'public, max-age=31536000, immutable');
}

let packedWasm: Promise<Uint8Array<ArrayBuffer>> | null = null;

/** The only asset that is worth compressing: proxies leave that to us. */
async function respondWasm(isPacked: boolean): Promise<Response> {
  const file = Bun.file(barcodeWasm);
  const headers = lastingHeaders('application/wasm');
  headers.set('Vary', 'Accept-Encoding');
  if (!isPacked) return new Response(file, { headers });
  headers.set('Content-Encoding', 'gzip');
  packedWasm ??= file.bytes().then((bytes) => Bun.gzipSync(bytes));
  return new Response(await packedWasm, { headers });
}
