/** The Markdown of our docs as HTML. */
import { expect, test } from 'bun:test';
import { renderToString } from 'preact-render-to-string';
import { PageBlocks } from './blocks.tsx';
import { makeLibrary } from './library.ts';
import { headingId, plainText } from './markdown.ts';

function render(text: string): string {
  const file = {
    name: 'a.md',
    text: `# Title\n${text}`,
    path: '/docs/a',
    label: 'A',
    isCut: false,
  };
  const library = makeLibrary([file]);
  return library.pages.map((page) => renderToString(PageBlocks({ page, library }))).join('');
}

test('a cell of a table can contain a bar, as code or escaped', () => {
  const html = render('| a | b |\n|---|---|\n| `x\\|y` | 1 \\| 2 |\n');
  expect(html).toContain('<code id="title.x-y">x|y</code>');
  expect(html).toContain('<td data-name="b">1 | 2</td>');
});

test('a list item with a single paragraph has no <p> element', () => {
  expect(render('- a\n  b\n- c\n\n1. d\n')).toBe(
    '<ul><li>a b</li><li>c</li></ul><ol><li>d</li></ol>',
  );
});

test('comments and pictures are left out, and HTML is text', () => {
  expect(render('<!-- a\nb -->\n2 * 3 <b>x</b> ![i](j.png)\n')).toBe(
    '<p>2 * 3 &lt;b>x&lt;/b> </p>',
  );
});

test('plain text has no markup', () => {
  expect(plainText('a `*b*` [c `d`](e.md#f) **g** *h*![i](j.png)')).toBe('a *b* c d g h');
});

test('headings have the same IDs as on Git servers', () => {
  expect(headingId('What should I pay?')).toBe('what-should-i-pay');
  expect(headingId('`value_range` of a Set')).toBe('value_range-of-a-set');
});
