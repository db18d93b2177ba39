/** Groups and items of XML: fields, locations and errors. */
import { expect, test } from 'bun:test';
import { Readable } from 'node:stream';
import { readXmlGroups, type XmlShape, type XmlStep } from './xml-groups.work.ts';

const shape: XmlShape = {
  roots: ['ORDERS', 'ALL'],
  group: 'ORDER',
  elements: /^(ORDER|ITEM|QTY)/,
  all: 'orders',
  one: 'an order or item',
  beginnings: 'orders begin with <ORDERS>',
};

async function read(...pieces: readonly string[]): Promise<XmlStep[]> {
  const stream = Readable.from(pieces.map((piece) => Buffer.from(piece)));
  const steps = [];
  for await (const group of readXmlGroups({ name: 'f', stream }, shape)) steps.push(...group);
  return steps;
}

test('items are yielded at their end, groups after them with all fields', async () => {
  const steps = await read(
    '<orders>\n<order id="7"><A> a & b </A>\n<item><QTY>1</Q',
    'TY><X><![CDATA[<y>]]></X></item><item/><B>b</B></order>\n<order/></orders>',
  );
  expect(steps.map(({ group, item }) => [group.where, item?.where, item?.fields])).toEqual([
    ['f:2', 'f:3', { QTY: '1', X: '<y>' }],
    ['f:2', 'f:3.2', {}],
    ['f:2', undefined, undefined],
    ['f:4', undefined, undefined],
  ]);
  expect(steps[0]?.group).toMatchObject({
    attributes: { ID: '7' },
    fields: { A: 'a & b', B: 'b' },
  });
  expect(steps[0]?.item?.text).toBe('{"QTY":"1","X":"<y>"}');
});

test('markup in a field is ignored, like content outside of groups', async () => {
  const steps = await read(
    '<ALL><NOTE>x</NOTE><ITEM><QTY>9</QTY></ITEM>',
    '<ORDER><D>a<i>b</i></D></ORDER></ALL>',
  );
  expect(steps).toHaveLength(1);
  expect(Object.keys(steps[0]?.group.fields ?? {})).toEqual(['D']);
});

test.each([
  ['', 'f has no orders.'],
  ['<html></html>', 'f:1: the file begins with <HTML>, but orders begin with <ORDERS>.'],
  ['<ORDERS><ORDER>\n</ORDER>', 'f:2: the file ends before its orders do; is it complete?'],
  ['<ORDERS><ORDER><A><QTY>', '<QTY> begins inside <A>, whose end is missing'],
  ['<ORDERS><ORDER><ORDER>', '<ORDER> begins inside <ORDER>, whose end is missing'],
  ['<ORDERS><ORDER><ITEM><ITEM>', '<ITEM> begins inside <ITEM>, whose end is missing'],
])('%p is rejected', async (text, reason) => {
  await expect(read(text)).rejects.toThrow(reason);
});

const inItem = (content: string) => `<ORDERS><ORDER><ITEM>${content}</ITEM></ORDER></ORDERS>`;

test('a field has up to 20,000 characters', async () => {
  const text = (length: number) => inItem(`<A>${'a'.repeat(length)}</A>`);
  expect(await read(text(20_000))).toHaveLength(2);
  await expect(read(text(20_001))).rejects.toThrow(
    'the text of <A> is longer than 20000 characters',
  );
});

test('an item has up to 500 fields', async () => {
  const fields = (count: number) =>
    inItem(Array.from({ length: count }, (_, index) => `<F${index}>1</F${index}>`).join(''));
  expect(await read(fields(500))).toHaveLength(2);
  await expect(read(fields(501))).rejects.toThrow('an order or item has more than 500 fields');
});

test('elements have up to 20 levels and 500 attributes', async () => {
  const nested = (levels: number) =>
    inItem(`${'<i>'.repeat(levels - 3)}${'</i>'.repeat(levels - 3)}`);
  expect(await read(nested(20))).toHaveLength(2);
  await expect(read(nested(21))).rejects.toThrow('elements are nested too deeply');
  const attributes = (count: number) =>
    Array.from({ length: count }, (_, index) => `a${index}="1"`).join(' ');
  const [most, tooMany] = [attributes(500), attributes(501)];
  expect(await read(inItem(`<A ${most}/>`))).toHaveLength(2);
  expect(await read(`<ORDERS ${most}><ORDER/></ORDERS>`)).toHaveLength(1);
  for (const text of [inItem(`<A ${tooMany}/>`), `<ORDERS ${tooMany}/>`]) {
    await expect(read(text)).rejects.toThrow('an element has too many attributes');
  }
});
