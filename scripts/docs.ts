/**
 * `npm run docs` regenerates what is made from the contract: the client's types and methods, the
 * OpenAPI documents, the reference in docs/api.md and docs/plus-api.md, and the table in
 * docs/mcp.md; the synopses of commands in docs/reference.md; the graph of rooms in
 * ARCHITECTURE.md; the version in names of packages; what the docs show of the running program: the
 * first response in README, the picture in docs/valuation.md, the responses on those pages, the
 * output in docs/terminal.md and the programs of docs/examples; and the figures and pictures of
 * accuracy, from docs/backtest.json, backtest-buying.json, backtest-real.json and
 * backtest-sync.json. It also bundles the barcode reader of the web app. A test fails if they are
 * stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measuredDocs } from '../simulator/figures/measured-docs.ts';
import { endpoints } from '../src/contract/endpoints.ts';
import { openApiDocument, plusOpenApiDocument } from '../src/contract/openapi.ts';
import { plusEndpoints } from '../src/contract/plus/endpoints.ts';
import { withExamples } from './answer-examples.ts';
import { barcodeReader, barcodeReaderPath } from './barcode-reader.ts';
import { withBuyingExample } from './buying-example.ts';
import { clientCode } from './client-code.ts';
import { withCommandTable } from './command-table.ts';
import { startDemo } from './demo.ts';
import { withEndpointTable } from './endpoint-table.ts';
import { pagesWithFiles, withExampleFiles } from './example-files.ts';
import { withFirstAnswer } from './first-answer.ts';
import { pagesWithPackages, withPackageNames } from './package-names.ts';
import { historyPicture } from './picture.ts';
import { pythonCode } from './python-code.ts';
import { recordsShownIn, withReference } from './reference.ts';
import { withRoomGraph } from './room-graph.ts';
import { withTerminalExamples } from './terminal-examples.ts';
import { withToolTable } from './tool-table.ts';

const root = join(import.meta.dir, '..');
for (const { path, text } of measuredDocs(root)) writeFileSync(join(root, path), text);
for (const { path, text } of [...clientCode(), ...pythonCode(root)]) {
  writeFileSync(join(root, path), text);
}
writeFileSync(join(root, barcodeReaderPath), await barcodeReader());
const apiPage = join(root, 'docs', 'api.md');
const apiText = withEndpointTable(readFileSync(apiPage, 'utf8'), endpoints);
writeFileSync(apiPage, withReference(apiText, endpoints));
const plusPage = join(root, 'docs', 'plus-api.md');
const plusText = withEndpointTable(readFileSync(plusPage, 'utf8'), plusEndpoints);
writeFileSync(plusPage, withReference(plusText, plusEndpoints, recordsShownIn(apiText)));
for (const [name, documentAt] of [
  ['openapi.json', openApiDocument],
  ['plus-openapi.json', plusOpenApiDocument],
] as const) {
  const document = JSON.stringify(documentAt('http://127.0.0.1:8080'), null, 2);
  writeFileSync(join(root, 'docs', name), `${document}\n`);
}
const mcpPage = join(root, 'docs', 'mcp.md');
writeFileSync(mcpPage, withToolTable(readFileSync(mcpPage, 'utf8')));
const referencePage = join(root, 'docs', 'reference.md');
writeFileSync(referencePage, withCommandTable(readFileSync(referencePage, 'utf8')));
const mapPage = join(root, 'ARCHITECTURE.md');
writeFileSync(mapPage, withRoomGraph(readFileSync(mapPage, 'utf8'), root));
const buyingPage = join(root, 'docs', 'buying.md');
writeFileSync(buyingPage, withBuyingExample(readFileSync(buyingPage, 'utf8')));
for (const name of pagesWithPackages) {
  const page = join(root, name);
  writeFileSync(page, withPackageNames(readFileSync(page, 'utf8')));
}
for (const name of pagesWithFiles) {
  const page = join(root, 'docs', name);
  writeFileSync(page, withExampleFiles(readFileSync(page, 'utf8'), join(root, 'docs')));
}
const demo = await startDemo();
try {
  const readme = join(root, 'README.md');
  const text = readFileSync(readme, 'utf8');
  writeFileSync(readme, withFirstAnswer(text, demo.setNumber, await demo.firstAnswer()));
  // The Plus API first, since one of its responses has the number of calls made.
  for (const name of ['plus-api.md', 'api.md']) {
    const page = join(root, 'docs', name);
    writeFileSync(page, await withExamples(readFileSync(page, 'utf8'), demo));
  }
  const terminalPage = join(root, 'docs', 'terminal.md');
  const launcher = join(root, 'bin', 'brickmark');
  const terminalText = await withTerminalExamples(readFileSync(terminalPage, 'utf8'), (words) =>
    demo.type(`${launcher} ${words}`),
  );
  writeFileSync(terminalPage, terminalText);
  writeFileSync(join(root, 'docs', 'history.svg'), historyPicture(await demo.history()));
} finally {
  await demo.stop();
}
