/** Own fields, and the details of lots, without script: entered, changed for many, removed. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { lotIds, type OwnerSite, startOwnerSite } from '../support/owner-pages.ts';
import { textOf, type Visitor } from '../support/site.ts';

let owner: OwnerSite;
let ann: Visitor;
let bob: Visitor;

beforeAll(async () => {
  owner = await startOwnerSite();
  ({ ann, bob } = owner);
});

afterAll(() => owner.site.close());

const fieldsPath = '/inventory/fields';
const addField = async (name: string) =>
  ann.submit(await ann.get(fieldsPath), fieldsPath, { name });
const pageText = async (path: string) => textOf((await ann.get(path)).html);

test('a field is added, renamed and deleted, and only its owner can do so', async () => {
  expect((await addField('Buyer')).goTo).toBe(`${fieldsPath}?did=added`);
  expect(await pageText(`${fieldsPath}?did=added`)).toContain('Field added.');
  const { html } = await ann.get(fieldsPath);
  const [edit = ''] = /\/inventory\/fields\/\d+\/edit/.exec(html) ?? [];
  const renamed = await ann.submit(await ann.get(edit), edit, { name: 'Sold to' });
  expect(renamed.goTo).toBe(`${fieldsPath}?did=renamed`);
  expect(await pageText(fieldsPath)).toContain('Sold to');
  for (const path of [edit, edit.replace('edit', 'delete')]) {
    expect((await bob.get(path)).status).toBe(404);
  }
  expect(textOf((await bob.get(fieldsPath)).html)).not.toContain('Sold to');
  const remove = edit.replace('edit', 'delete');
  expect(await pageText(remove)).toContain('deleted from all lots');
  await ann.submit(await ann.get(remove), remove);
  expect(await pageText(fieldsPath)).not.toContain('Sold to');
});

test('names that are empty, taken or too many are rejected with the reason', async () => {
  const empty = await addField('');
  expect([empty.status, textOf(empty.html).includes('Enter a value.')]).toEqual([400, true]);
  for (let count = 1; count <= 10; count++) await addField(`Field ${count}`);
  const full = await ann.get(fieldsPath);
  // The form is gone, and one from before is rejected.
  expect(textOf(full.html)).not.toContain('New field');
  const [edit = ''] = /\/inventory\/fields\/\d+\/edit/.exec(full.html) ?? [];
  const page = await ann.get(edit);
  const other = await ann.submit(page, edit, { name: 'Field 2' });
  expect(textOf(other.html)).toContain('You already have a field with this name.');
  const form = /name="token" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
  const late = await ann.post(fieldsPath, { token: form, once: 'x', name: 'Field 11' });
  expect(textOf(late.html)).toContain('You can have 10 fields. Delete one first.');
});

test('a lot is edited with its details and own fields, which its page shows', async () => {
  const [id = 0] = lotIds((await ann.get('/inventory')).html);
  const path = `/lots/${id}/edit`;
  const edit = await ann.get(path);
  const own = /name="(own_\d+)"/.exec(edit.html)?.[1] ?? '';
  const details = {
    grade: 'light_wear',
    tags: 'gift,  rare',
    place: 'Shelf A > Bin 3',
    notes: 'First line\nSecond line',
    asking_price_usd: '119.99',
    listed_at: '2026-05-01',
    listing_url: 'https://shop.example.com/1',
    [own]: 'Zoë',
  };
  expect((await ann.submit(edit, path, details)).status).toBe(303);
  const text = await pageText(`/lots/${id}`);
  for (const shown of ['gift', 'rare', 'Shelf A › Bin 3', 'Second line', '$119.99', 'Zoë']) {
    expect(text).toContain(shown);
  }
  const wrong = await ann.submit(await ann.get(path), path, { grade: 'parts' });
  expect(wrong.status).toBe(400);
  expect(textOf(wrong.html)).toContain('Choose a grade for sealed units');
});

test('details of many lots are changed at once, removed, and undone', async () => {
  const ids = lotIds((await ann.get('/inventory')).html);
  const path = `/inventory/details?lots=${ids.join('%2C')}`;
  const nothing = await ann.submit(await ann.get(path), path);
  expect(textOf(nothing.html)).toContain('Fill in at least one field.');
  const done = await ann.submit(await ann.get(path), path, { place: 'Attic', tags: 'moved' });
  const list = await ann.get(done.goTo ?? '');
  expect(textOf(list.html)).toContain(`Details of ${ids.length} lots changed`);
  for (const id of ids) expect(await pageText(`/lots/${id}`)).toContain('Attic');
  // What was not filled in stays.
  expect(await pageText(`/lots/${ids[0]}`)).toContain('Second line');
  const removed = await ann.submit(await ann.get(path), path, { remove_place: 'yes' });
  expect(await pageText(`/lots/${ids[0]}`)).not.toContain('Attic');
  const undo = await ann.get(removed.goTo ?? '');
  const [action = ''] = /\/inventory\/undo[^"]*/.exec(undo.html) ?? [];
  await ann.submit(undo, action.replaceAll('&amp;', '&'));
  expect(await pageText(`/lots/${ids[0]}`)).toContain('Attic');
});

test('lots are filtered by grade, tag and place', async () => {
  const count = async (query: string) => lotIds((await ann.get(`/inventory?${query}`)).html).length;
  const all = await count('');
  expect(await count('grade=light_wear')).toBe(1);
  expect(await count('tag=moved')).toBe(all);
  expect(await count('place=Attic')).toBe(all);
  expect(await count('place=Nowhere')).toBe(0);
});
