/** The Markdown of our docs, read. */
import { describe, expect, test } from 'bun:test';
import { headingId, parseInline, parseMarkdown, plainText } from './markdown.ts';

describe('blocks', () => {
  test('headings, paragraphs of several lines, and code of both kinds', () => {
    const text =
      '## A `b`?\nOne\ntwo\n\n```sh title\n# no heading\n\n| no table\n```\n    $ a\n\n    b\n';
    expect(parseMarkdown(text)).toEqual([
      { kind: 'heading', level: 2, text: 'A `b`?', id: 'a-b' },
      { kind: 'paragraph', text: 'One two' },
      { kind: 'code', language: 'sh', text: '# no heading\n\n| no table' },
      { kind: 'code', language: '', text: '$ a\n\nb' },
    ]);
  });

  test('tables, in whose cells a bar may be code or escaped', () => {
    const text = '| a | b |\n|---|---|\n| `x|y` | 1 \\| 2 |\n| z |  |\n';
    expect(parseMarkdown(text)).toEqual([
      {
        kind: 'table',
        head: ['a', 'b'],
        rows: [
          ['`x|y`', '1 | 2'],
          ['z', ''],
        ],
      },
    ]);
  });

  test('lists, whose items go on in indented lines', () => {
    const paragraph = (text: string) => ({ kind: 'paragraph', text });
    expect(parseMarkdown('- a\n  b\n- c\n\n1. d\n2. e\n\nf')).toEqual([
      { kind: 'list', isOrdered: false, items: [[paragraph('a b')], [paragraph('c')]] },
      { kind: 'list', isOrdered: true, items: [[paragraph('d')], [paragraph('e')]] },
      paragraph('f'),
    ] as ReturnType<typeof parseMarkdown>);
  });

  test('comments are left out, also those of several lines, but not inside a line', () => {
    expect(parseMarkdown('<!-- a -->\nb\n<!-- c\nd -->\n')).toEqual([
      { kind: 'paragraph', text: 'b' },
    ]);
  });

  test('a fence that is not closed ends with the page', () => {
    expect(parseMarkdown('```json\n{}')).toEqual([{ kind: 'code', language: 'json', text: '{}' }]);
  });
});

describe('inline text', () => {
  test('code, links, emphasis; pictures are left out', () => {
    expect(parseInline('a `*b*` [c `d`](e.md#f) **g** *h*![i](j.png)')).toEqual([
      { kind: 'text', text: 'a ' },
      { kind: 'code', text: '*b*' },
      { kind: 'text', text: ' ' },
      {
        kind: 'link',
        to: 'e.md#f',
        inside: [
          { kind: 'text', text: 'c ' },
          { kind: 'code', text: 'd' },
        ],
      },
      { kind: 'text', text: ' ' },
      { kind: 'strong', inside: [{ kind: 'text', text: 'g' }] },
      { kind: 'text', text: ' ' },
      { kind: 'emphasis', inside: [{ kind: 'text', text: 'h' }] },
    ]);
  });

  test('a star that stands alone is a star, and HTML is text', () => {
    expect(plainText('2 * 3 * 4 <b>x</b>')).toBe('2 * 3 * 4 <b>x</b>');
  });
});

test('headings are linked to as Git servers do it', () => {
  expect(headingId('What should I pay?')).toBe('what-should-i-pay');
  expect(headingId('`value_range` of a Set')).toBe('value_range-of-a-set');
});
