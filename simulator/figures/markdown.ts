/** Tables, sentences and percentages in the Markdown of the docs. */
import type { Goal } from '../backtest/goals.ts';
import type { BacktestWorld } from '../backtest/worlds.ts';

/** Replaces the figures between the markers of a page. */
export function withFigures(page: string, figureOf: (name: string) => string | null): string {
  return page.replace(/<!-- figures: ([\w-]+) -->\n[\s\S]*?<!-- end -->/g, (_, name: string) => {
    const figure = figureOf(name);
    if (figure === null) throw new Error(`There are no figures called '${name}'.`);
    return `<!-- figures: ${name} -->\n${figure}\n<!-- end -->`;
  });
}

export function markdownTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heading), `|${'---|'.repeat(heading.length)}`, ...rows.map(line)].join('\n');
}

/** Formats a share as a percentage; empty if there is none. */
export function percent(share: number | null | undefined, places = 1): string {
  const text = bare(share, places);
  return text === '' ? '' : `${text}%`;
}

/** A label of a report in the style of the docs: `25 to 100 $` becomes `$25 to $100`. */
export function asWritten(label: string): string {
  return label
    .replace(/(\d+) to (\d+) \$/, '$$$1 to $$$2')
    .replace(/(\d+) \$/, '$$$1')
    .replaceAll(' %', '%');
}

/** A percentage without the sign. */
export function bare(share: number | null | undefined, places = 1): string {
  if (share === null || share === undefined) return '';
  return signed((100 * share).toFixed(places));
}

/** With typographic minus signs. */
function signed(text: string): string {
  return text.replaceAll('-', '−');
}

const columnsMax = 120;

/** Wraps text at the line length of the docs, keeping numbers with their percent sign. */
export function wrap(sentences: string): string {
  const lines = [''];
  for (const word of sentences.split(/ (?!%)/)) {
    const line = lines.at(-1) ?? '';
    if (line.length + 1 + word.length > columnsMax) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}

/** One row per goal and world, with the measurements of all seeds. */
export function goalsTable(
  markets: readonly { readonly world: BacktestWorld; readonly goals: readonly Goal[] }[],
): string {
  const all = markets.flatMap(({ world, goals: ofWorld }) =>
    ofWorld.map((goal) => ({ world, ...goal })),
  );
  const lines = Map.groupBy(all, ({ world, name }) => `${world} ${name}`);
  return markdownTable(
    ['world', 'goal', 'target', 'measured', 'met'],
    [...lines.values()].flatMap((same) => {
      const [first] = same;
      if (!first) return [];
      const measured = same.map((one) => one.measured.toFixed(3)).join(', ');
      const missed = same.filter(({ met }) => !met).length;
      const met = missed === 0 ? 'yes' : missed < same.length ? '**not always**' : '**no**';
      return [[first.world, asWritten(first.name), signed(first.goal), signed(measured), met]];
    }),
  );
}
