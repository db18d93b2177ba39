/** Renders the blocks of a docs page. */
import type { ComponentChildren, VNode } from 'preact';
import { type DocPage, type Library, namesIn, rowId } from './library.ts';
import {
  type Block,
  headingId,
  type Inline,
  parseInline,
  plainText,
  type TableBlock,
} from './markdown.ts';

/** The state of rendering a page. */
interface Writing {
  readonly page: DocPage;
  readonly library: Library;
  readonly ids: Set<string>;
  /** The id of the current heading. */
  under: string;
  /** The levels of the current headings in the file. */
  over: readonly number[];
}

/** All blocks of a page. */
export function PageBlocks({ page, library }: Pick<Writing, 'page' | 'library'>) {
  const top = headingId(page.title);
  const writing: Writing = { page, library, ids: new Set([top]), under: top, over: [] };
  return <>{page.blocks.map((block) => writeBlock(block, writing))}</>;
}

function writeBlock(block: Block, writing: Writing): ComponentChildren {
  switch (block.kind) {
    case 'heading':
      return writeHeading(block, writing);
    case 'paragraph':
      return <p>{writeInline(parseInline(block.text), writing)}</p>;
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll with keys, too.
        <pre class="code" tabIndex={0}>
          {block.text}
        </pre>
      );
    case 'list': {
      const items = block.items.map((item) => <li>{writeItem(item, writing)}</li>);
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return writeTable(block, writing);
  }
}

function writeHeading(block: Block & { kind: 'heading' }, writing: Writing): VNode {
  const id = takeId(block.id, writing);
  writing.under = block.id;
  const children = (
    <>
      {writeInline(parseInline(block.text), writing)}
      {id && (
        <a class="anchor" href={`#${id}`} aria-label="Link to this section">
          #
        </a>
      )}
    </>
  );
  // A section that became a page may skip a level; pages must not.
  writing.over = [...writing.over.filter((level) => level < block.level), block.level];
  if (writing.over.length === 1) return <h2 id={id}>{children}</h2>;
  return writing.over.length === 2 ? <h3 id={id}>{children}</h3> : <h4 id={id}>{children}</h4>;
}

/** An id, unless the page has it already. */
function takeId(id: string, { ids }: Writing): string | undefined {
  if (ids.has(id)) return undefined;
  ids.add(id);
  return id;
}

/** A list item; a single paragraph has no element of its own. */
function writeItem(blocks: readonly Block[], writing: Writing): ComponentChildren {
  const [only] = blocks;
  if (blocks.length === 1 && only?.kind === 'paragraph') {
    return writeInline(parseInline(only.text), writing);
  }
  return blocks.map((block) => writeBlock(block, writing));
}

/** On phones, rows become cards, whose cells have the names of the columns. */
function writeTable({ head, rows }: TableBlock, writing: Writing): VNode {
  return (
    <table class="docs-table">
      <thead>
        <tr>
          {head.map((cell) => (
            <th scope="col">{writeInline(parseInline(cell), writing)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr>
            {cells.map((cell, index) => (
              <td data-name={index === 0 ? undefined : plainText(head[index] ?? '')}>
                {index === 0 ? writeNames(cell, writing) : writeInline(parseInline(cell), writing)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The first cell of a row, with an id for each name. */
function writeNames(cell: string, writing: Writing): ComponentChildren {
  const isNamed = namesIn(cell).length > 0;
  if (!isNamed) return writeInline(parseInline(cell), writing);
  return parseInline(cell).map((piece) => {
    if (piece.kind !== 'code') return writeInline([piece], writing);
    const id = takeId(rowId(writing.under, piece.text), writing);
    return <code id={id}>{piece.text}</code>;
  });
}

function writeInline(pieces: readonly Inline[], writing: Writing): ComponentChildren {
  return pieces.map((piece) => writePiece(piece, writing));
}

function writePiece(piece: Inline, writing: Writing): ComponentChildren {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'code':
      return <code>{piece.text}</code>;
    case 'strong':
      return <strong>{writeInline(piece.inside, writing)}</strong>;
    case 'emphasis':
      return <em>{writeInline(piece.inside, writing)}</em>;
    case 'link':
      return writeLink(piece, writing);
  }
}

/** A link; plain text if its file is not part of the docs. */
function writeLink({ to, inside }: Inline & { kind: 'link' }, writing: Writing): ComponentChildren {
  const { page, library } = writing;
  const href = to.startsWith('/') ? to : library.resolve(page, to);
  const text = writeInline(inside, writing);
  return href === null ? text : <a href={href}>{text}</a>;
}
