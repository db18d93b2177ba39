/** The part of `zxing-wasm` that `src/web/owner/scan/scan.client.js` uses. */
export { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
