/** The programs of `docs/examples`, as included in pages of the docs. */
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const names: Readonly<Record<string, string>> = {
  '.ts': 'ts',
  '.py': 'python',
  '.gs': 'js',
  '.pq': 'powerquery',
  '.json': 'json',
};

export const pagesWithFiles = ['api.md', 'events.md', 'recipes.md', 'spreadsheets.md'] as const;

/** The page with fresh copies of the files that it names. */
export function withExampleFiles(page: string, docs: string): string {
  const places = /(<!-- file: (\S+) -->\n)[\s\S]*?(<!-- end -->)/g;
  if (!places.test(page)) throw new Error('There is no place for a file.');
  return page.replace(places, (_, start: string, path: string, end: string) => {
    const text = readFileSync(join(docs, path), 'utf8');
    return `${start}\`\`\`${names[extname(path)]}\n${text}\`\`\`\n${end}`;
  });
}
