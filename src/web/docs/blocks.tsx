/** Renders the blocks of a docs page. */

import type { MarkedToken, Tokens } from 'marked';
import type { ComponentChildren, VNode } from 'preact';
import { type DocPage, type Library, namesIn, rowId } from './library.ts';
import { type Cell, headingId, joinLines, known, plainText } from './markdown.ts';

interface Rendering {
  readonly page: DocPage;
  readonly library: Library;
  readonly ids: Set<string>;
  /** The ID of the current heading. */
  section: string;
  /** The levels of the current headings, as they are in the file. */
  levels: readonly number[];
}

export function PageBlocks({ page, library }: Pick<Rendering, 'page' | 'library'>) {
  const top = headingId(page.title);
  const rendering: Rendering = { page, library, ids: new Set([top]), section: top, levels: [] };
  return <>{page.blocks.map((block) => writeBlock(block, rendering))}</>;
}

function writeBlock(block: MarkedToken, rendering: Rendering): ComponentChildren {
  switch (block.type) {
    case 'heading':
      return writeHeading(block, rendering);
    case 'paragraph':
    case 'text':
      return <p>{writeInline(block.tokens, rendering)}</p>;
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll with keys, too.
        <pre class="code" tabIndex={0}>
          {block.text}
        </pre>
      );
    case 'list': {
      const items = block.items.map((item) => <li>{writeItem(item, rendering)}</li>);
      return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return writeTable(block, rendering);
    default:
      return null;
  }
}

function writeHeading(block: Tokens.Heading, rendering: Rendering): VNode {
  rendering.section = headingId(block.text);
  const id = takeId(rendering.section, rendering);
  const children = (
    <>
      {writeInline(block.tokens, rendering)}
      {id && (
        <a class="anchor" href={`#${id}`} aria-label="Link to this section">
          #
        </a>
      )}
    </>
  );
  // A section that became a page may skip a level; pages must not.
  rendering.levels = [...rendering.levels.filter((level) => level < block.depth), block.depth];
  if (rendering.levels.length === 1) return <h2 id={id}>{children}</h2>;
  return rendering.levels.length === 2 ? <h3 id={id}>{children}</h3> : <h4 id={id}>{children}</h4>;
}

/** Reserves an ID; undefined if the page has it already. */
function takeId(id: string, { ids }: Rendering): string | undefined {
  if (ids.has(id)) return undefined;
  ids.add(id);
  return id;
}

/** A list item; a single paragraph gets no `<p>`. */
function writeItem({ tokens }: Tokens.ListItem, rendering: Rendering): ComponentChildren {
  const blocks = known(tokens);
  const [only] = blocks;
  if (blocks.length === 1 && (only?.type === 'text' || only?.type === 'paragraph')) {
    return writeInline(only.tokens, rendering);
  }
  return blocks.map((block) => writeBlock(block, rendering));
}

/** Cells have the names of their columns, because rows become cards on phones. */
function writeTable({ header, rows }: Tokens.Table, rendering: Rendering): VNode {
  return (
    <table class="docs-table">
      <thead>
        <tr>
          {header.map((cell) => (
            <th scope="col">{writeInline(cell.tokens, rendering)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell, index) => (
              <td data-name={index === 0 ? undefined : plainText(header[index]?.tokens ?? [])}>
                {index === 0 ? writeNames(cell, rendering) : writeInline(cell.tokens, rendering)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The first cell of a row, with an ID for each name. */
function writeNames(cell: Cell, rendering: Rendering): ComponentChildren {
  if (namesIn(cell).length === 0) return writeInline(cell.tokens, rendering);
  return known(cell.tokens).map((token) => {
    if (token.type !== 'codespan') return writeToken(token, rendering);
    return <code id={takeId(rowId(rendering.section, token.text), rendering)}>{token.text}</code>;
  });
}

function writeInline(tokens: Tokens.Paragraph['tokens'] = [], rendering: Rendering) {
  return known(tokens).map((token) => writeToken(token, rendering));
}

function writeToken(token: MarkedToken, rendering: Rendering): ComponentChildren {
  switch (token.type) {
    case 'codespan':
      return <code>{token.text}</code>;
    case 'strong':
      return <strong>{writeInline(token.tokens, rendering)}</strong>;
    case 'em':
      return <em>{writeInline(token.tokens, rendering)}</em>;
    case 'link':
      return writeLink(token, rendering);
    case 'image':
      return null;
    default:
      return 'text' in token ? joinLines(token.text) : null;
  }
}

/** A link; plain text if its file is not part of the docs. */
function writeLink({ href: to, tokens }: Tokens.Link, rendering: Rendering): ComponentChildren {
  const href = to.startsWith('/') ? to : rendering.library.resolve(rendering.page, to);
  const text = writeInline(tokens, rendering);
  return href === null ? text : <a href={href}>{text}</a>;
}
