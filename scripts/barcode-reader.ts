/**
 * The barcode reader that `/scan` loads, as one module with only what it uses: `zxing-wasm` has no
 * such file among its exports. `npm run docs` writes it; a test fails if it is stale.
 */
import { join } from 'node:path';

const root = join(import.meta.dir, '..');

export const barcodeReaderPath = 'src/web/owner/scan/barcode-reader.min.js';

export async function barcodeReader(): Promise<string> {
  const entry = join(root, 'scripts', 'barcode-reader.entry.ts');
  const { outputs } = await Bun.build({ entrypoints: [entry], target: 'browser', minify: true });
  const [code] = await Promise.all(outputs.map((output) => output.text()));
  return `/*! zxing-wasm (MIT), with parts of zxing-cpp (Apache-2.0) */\n${code}`;
}
