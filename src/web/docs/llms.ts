/** The docs for AI apps: an index (`llms.txt`), and everything in one text. */
import type { Library } from './library.ts';

/** An index of the docs, in the format of llmstxt.org. */
export function llmsText({ files, pages }: Library): string {
  const sections = files.map((file) => {
    const shown = pages.filter((page) => page.file === file);
    const links = shown.map(({ title, path }) => `- [${title}](${path})`);
    const markdown = `- [All of it as Markdown](/docs/${file.name})`;
    return `## ${file.label}\n\n${[markdown, ...links].join('\n')}\n`;
  });
  return `${opening}\n${sections.join('\n')}`;
}

const opening = `# Brickmark

> A read-only JSON API over a LEGO catalog: market values of sets and minifigures, monthly history,
> prices at two retailers, and the caller's own collection and sales.

- Every call needs an API key: \`Authorization: Bearer bmk_…\`. A key has a daily allowance, and
  each response says how many calls remain.
- Start with the Markdown of the API below; a client can be written from it alone.
- [OpenAPI of the API](/openapi.json), [OpenAPI of the Plus API](/api/plus/v1/openapi.json)
- [Everything on this list as one text](/llms-full.txt)
`;

export function llmsFullText({ files }: Library): string {
  return files.map(({ text }) => text.replaceAll(/^<!--[\s\S]*?-->\n/gm, '')).join('\n');
}
