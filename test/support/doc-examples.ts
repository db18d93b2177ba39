/** The examples in docs/formats.md: the files of each section and the commands that import them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface DocExample {
  readonly format: string;
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** The arguments of `brickmark`, one list per line. */
  readonly commands: readonly (readonly string[])[];
}

/** The examples of all sections named after a format. */
export function readExamples(page: string): DocExample[] {
  const sections = readFileSync(page, 'utf8').split(/^## /m).slice(1);
  return sections.flatMap((section) => {
    const format = /^`([a-z0-9-]+)`/.exec(section)?.[1];
    return format === undefined ? [] : [{ format, ...exampleIn(section) }];
  });
}

function exampleIn(section: string): Omit<DocExample, 'format'> {
  const blocks = [...section.matchAll(/^```(\S+)(?: (\S+))?\n([\s\S]*?)^```$/gm)];
  const files = blocks.flatMap(([, , name, text = '']) => (name ? [{ name, text }] : []));
  const commands = blocks
    .filter(([, language]) => language === 'sh')
    .flatMap(([, , , text = '']) => text.trim().split('\n'))
    .filter((line) => line.startsWith('brickmark import '))
    .map((line) => line.split(/\s+/).slice(1));
  return { files, commands };
}

export function writeExample(folder: string, { files }: DocExample): void {
  for (const { name, text } of files) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
