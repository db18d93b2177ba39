/** Runs the examples of a documentation page about the client as one program, in order. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dir, '..', '..');
const client = join(root, 'clients', 'typescript', 'src', 'index.ts');

/** The output that the page documents, and the output against a server. */
export async function runClientExamples(page: string, server: { url: string; key: string }) {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)];
  const code = blocks.map(([, text = '']) => text).join('\n');
  const expected = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(
    ([, text = '']) => text,
  );
  const program = code
    .replaceAll("'brickmark-client'", JSON.stringify(client))
    .replaceAll('https://brickmark.example.com', server.url)
    .replaceAll('bmk_…', server.key);
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-examples-'));
  try {
    const path = join(folder, 'examples.ts');
    const console = 'const console = { log: (...words) => printed.push(words.join(" ")) };';
    writeFileSync(path, `export const printed = [];\n${console}\n${program}`);
    const { printed } = (await import(path)) as { printed: readonly string[] };
    return { expected, printed };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
