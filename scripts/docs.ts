/**
 * Refreshes what the docs show of the running program: the OpenAPI document, the table of
 * endpoints, README's first answer and its picture, and the figures and pictures of accuracy, which
 * come from docs/backtest.json, backtest-real.json and backtest-sync.json. `npm run docs`; a test
 * fails when they are stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../src/contract/openapi.ts';
import { startDemo } from './demo.ts';
import { withEndpointTable } from './endpoint-table.ts';
import { measuredDocs } from './measured.ts';
import { historyPicture } from './picture.ts';

const root = join(import.meta.dir, '..');
for (const { path, text } of measuredDocs(root)) writeFileSync(join(root, path), text);
const apiPage = join(root, 'docs', 'api.md');
writeFileSync(apiPage, withEndpointTable(readFileSync(apiPage, 'utf8')));
const demo = await startDemo();
try {
  const readme = join(root, 'README.md');
  const text = readFileSync(readme, 'utf8');
  const fresh = withAnswer(text, demo.setNumber, JSON.stringify(await demo.firstAnswer(), null, 2));
  writeFileSync(readme, fresh);
  writeFileSync(join(root, 'docs', 'history.svg'), historyPicture(await demo.history()));
  const document = JSON.stringify(openApiDocument('http://127.0.0.1:8080'), null, 2);
  writeFileSync(join(root, 'docs', 'openapi.json'), `${document}\n`);
} finally {
  await demo.stop();
}

/** README with another first request and answer. */
function withAnswer(readme: string, setNumber: string, answer: string): string {
  return readme
    .replace(/(\/api\/v1\/set\/)\S+/, `$1${setNumber}`)
    .replace(/```json\n[\s\S]*?\n```/, `\`\`\`json\n${answer}\n\`\`\``);
}
