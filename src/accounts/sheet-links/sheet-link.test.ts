/** Spreadsheet links are accepted only if signed with the same key. */
import { expect, test } from 'bun:test';
import { makeSheetHandle, makeSheetSigner, sheetContents, sheetHandleBytes } from './sheet-link.ts';

const signer = makeSheetSigner(new Uint8Array(32).fill(1));
const handle = makeSheetHandle(new Uint8Array(sheetHandleBytes).fill(2));
const path = signer.pathOf({ handle, content: 'values' });

test.each(sheetContents)('a link to %s is read unchanged', (content) => {
  expect(signer.read(signer.pathOf({ handle, content }))).toEqual({ handle, content });
});

test('the format of paths never changes, because links are in use for years', () => {
  expect(path).toBe('/csv/AgICAgICAgICAgICAgICAg.C3PxUvgwHHE082_E0TTiwQ/values.csv');
});

test('a link that was changed or signed with another key is rejected', () => {
  const other = makeSheetSigner(new Uint8Array(32).fill(3));
  const changed = [
    path.replace('values', 'holdings'),
    path.replace('AgIC', 'AgID'),
    path.replace(/\.(.)/, (_, first) => `.${first === 'A' ? 'B' : 'A'}`),
    path.replace(/\.[\w-]+/, '.'),
    path.replace(/\.[\w-]+/, ''),
    path.replace('values', 'everything'),
    `${path}/`,
    path.toLowerCase(),
    '/csv/',
    other.pathOf({ handle, content: 'values' }),
  ];
  expect(changed.filter((each) => signer.read(each) !== null)).toEqual([]);
});

test('no other encoding of the signature is accepted', () => {
  // The last of 22 characters has bits that are not part of any byte.
  const last = path.charAt(path.indexOf('/values') - 1);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const twins = [...alphabet].filter((each) => each !== last);
  const spellings = twins.map((each) => path.replace(`${last}/values`, `${each}/values`));
  expect(spellings.filter((each) => signer.read(each) !== null)).toEqual([]);
});
