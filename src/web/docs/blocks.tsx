/** The parts of a page of docs as HTML. */
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

/** What a page is made with: where its links lead, and the names that it has given so far. */
interface Writing {
  readonly page: DocPage;
  readonly library: Library;
  readonly ids: Set<string>;
  /** The heading that tables stand under. */
  under: string;
  /** The levels, in the file, of the headings that the present place is under. */
  over: readonly number[];
}

/** All parts of a page. */
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
  // Parts of a file that became a page of its own may leave a level out; pages do not.
  writing.over = [...writing.over.filter((level) => level < block.level), block.level];
  if (writing.over.length === 1) return <h2 id={id}>{children}</h2>;
  return writing.over.length === 2 ? <h3 id={id}>{children}</h3> : <h4 id={id}>{children}</h4>;
}

/** A name that the page does not have yet. */
function takeId(id: string, { ids }: Writing): string | undefined {
  if (ids.has(id)) return undefined;
  ids.add(id);
  return id;
}

/** An item of one paragraph needs none around it. */
function writeItem(blocks: readonly Block[], writing: Writing): ComponentChildren {
  const [only] = blocks;
  if (blocks.length === 1 && only?.kind === 'paragraph') {
    return writeInline(parseInline(only.text), writing);
  }
  return blocks.map((block) => writeBlock(block, writing));
}

/** On a phone every row is a card of its own, whose cells are named by the head. */
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

/** The first cell of a row, in which every name can be linked to. */
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

/** A link to a file that is not shown here is its text alone. */
function writeLink({ to, inside }: Inline & { kind: 'link' }, writing: Writing): ComponentChildren {
  const { page, library } = writing;
  const href = to.startsWith('/') ? to : library.resolve(page, to);
  const text = writeInline(inside, writing);
  return href === null ? text : <a href={href}>{text}</a>;
}
