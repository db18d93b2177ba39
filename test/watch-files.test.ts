/** Exporting and importing a watch list restores it, in either format. */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type NamedItem,
  watchListCsv,
  watchListXml,
} from '../src/alerts/watchlists/watch-export.ts';
import { watchLimits } from '../src/alerts/watchlists/watch-list.ts';
import { itemKey } from '../src/catalog/items/numbers.ts';
import { readWatchText } from '../src/ingest/own-files/watch-file.work.ts';
import { centsMax } from '../src/kernel/money.ts';
import { hasHiddenCharacters } from '../src/kernel/text.ts';

/** As forms accept them. */
const notes = fc
  .string({ unit: 'grapheme-composite', maxLength: 40 })
  .map((text) => text.trim().normalize())
  .filter((text) => !hasHiddenCharacters(text) && [...text].length <= watchLimits.noteLength);

const awkward = fc.constantFrom('', '=1+1', "'", 'a  b', '<b>&amp;"', ']]>', ', ;"x"', '-5', '№ 5');

const items = fc.uniqueArray(
  fc.record({
    kind: fc.constantFrom('set' as const, 'minifig' as const),
    number: fc.constantFrom('100', '100-2', '7', 'cas001', 'K8672-1-1', 'ISBN978-0241506271'),
    targetCents: fc.option(fc.integer({ min: 1, max: centsMax })),
    note: fc.oneof(notes, awkward),
  }),
  { selector: ({ kind, number }) => `${kind} ${number}` },
);

test('every number, target and note is restored', async () => {
  await fc.assert(
    fc.asyncProperty(items, async (given) => {
      const named = given.map((item, id): NamedItem => {
        const place = { id, listId: 1, addedAt: 0, key: itemKey(item.kind, item.number) };
        return { item: { ...item, ...place }, named: null };
      });
      for (const text of [watchListCsv(named), watchListXml(named)]) {
        const { drafts, rejects } = await readWatchText(text, 'f');
        expect(rejects).toEqual([]);
        const read = drafts.map(({ kind, number, targetCents, note }) => {
          return { kind, key: itemKey(kind ?? 'set', number), targetCents, note };
        });
        expect(read).toEqual(
          named.map(({ item: { kind, key, targetCents, note } }) => {
            return { kind, key, targetCents, note };
          }),
        );
      }
    }),
    { numRuns: 150 },
  );
});
