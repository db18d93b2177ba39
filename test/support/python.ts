/** The Python client in tests: a Python that has what it needs, and programs of the docs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runIn } from './client-programs.ts';

/** The documented output of a page's examples, and their output against a server. */
export async function runPythonExamples(
  page: string,
  server: { readonly python: string; readonly url: string; readonly key: string },
) {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```python\n([\s\S]*?)^```$/gm)];
  const code = blocks.map(([, text = '']) => text).join('\n');
  const expected = [...code.matchAll(/print\(.*\) {2}# (.*)$/gm)].map(([, text = '']) => text);
  const program = code
    .replaceAll('https://brickmark.example.com', server.url)
    .replaceAll('bmk_…', server.key);
  const { stdout, stderr } = await runIn(join(page, '..'), [server.python, '-c', program]);
  return { expected, printed: stdout.trimEnd().split('\n'), stderr };
}
