/** Exporting everything of an account and importing it into another one restores all of it. */
// @runs SQLite, PostgreSQL: has statements that no other suite runs
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  collectionNames,
  daysAgo,
  lotLines,
  madeUpCollection,
  saleLines,
  setCount,
} from '../support/collection.ts';
import { addPerson, type Person, setWorth } from '../support/person.ts';
import { exportedText, importFile } from '../support/private-files.ts';
import { runsOnEngine } from '../support/random-runs.ts';
import { type FeedLine, startWorld, type World } from '../support/world.ts';

let world: World;

beforeEach(async () => {
  world = await startWorld();
  await world.load(numbers.flatMap((number, index) => setWorth(number, { sealed: 50 + index })));
});

afterEach(() => world.close());

const numbers = Array.from({ length: setCount }, (_, index) => String(100 + index));

/** Descriptions that are hard to represent in CSV. */
const descriptions = fc.constantFrom(
  null,
  'Up there',
  '=HYPERLINK("http://x")',
  ' "a", b; ',
  '',
  "'quoted'",
  "'",
  '-1',
  'é\u202f',
);

/** A collection, and corrections made after its sales were recorded. */
const everything = fc.record({
  madeUp: madeUpCollection,
  described: fc.tuple(descriptions, descriptions, descriptions),
  defaultIndex: fc.nat(2),
  names: fc.constantFrom(collectionNames, ['=1+1', ' Barn "2"', "'Cellar'"]),
  corrected: fc.array(fc.record({ lot: fc.nat(13), price: fc.nat(20_000), ago: fc.nat(700) }), {
    maxLength: 4,
  }),
  late: fc.nat(3),
});

type Everything = typeof everything extends fc.Arbitrary<infer T> ? T : never;

/** Imports all of it, in the order in which a person would. */
async function record(person: Person, made: Everything): Promise<void> {
  const renamed = (name: unknown) =>
    String(made.names[collectionNames.indexOf(name as (typeof collectionNames)[number])]).trim();
  await person.load(
    ...collectionNames.map((name, index) => ({
      kind: 'brickfolio',
      name: renamed(name),
      description: made.described[index],
      is_default: index === made.defaultIndex,
    })),
  );
  const lots: FeedLine[] = lotLines(made.madeUp, numbers).map((line) => ({
    ...line,
    brickfolio: renamed(line.brickfolio),
  }));
  const sales = saleLines(made.madeUp, numbers);
  await person.load(...lots, ...sales.slice(made.late));
  const corrections = made.corrected.flatMap(({ lot, price, ago }) =>
    lots[lot]
      ? [{ ...lots[lot], purchase_price_usd: price / 100, purchase_date: daysAgo(ago) }]
      : [],
  );
  await person.load(...corrections);
  // These take other lots than they would in order of their dates.
  await person.load(...sales.slice(0, made.late));
}

/** All responses about an account, without IDs. */
async function told(person: Person): Promise<unknown> {
  const list = await person.brickfolios();
  const name = new Map(list.brickfolios.map((each) => [each.id, each.name]));
  const entries = await person.entries('?limit=250');
  const sales = await person.sales('?limit=250');
  return {
    brickfolios: list.brickfolios.map(({ id: _, ...each }) => each),
    months: list.monthly_periods,
    entries: entries.entries.map(({ brickfolio_id, ...each }) => ({
      ...each,
      brickfolio: name.get(brickfolio_id),
    })),
    sales: sales.sales.map(({ id: _, ...each }) => each),
    analytics: await person.analytics(),
  };
}

async function exported(person: Person, format: 'csv' | 'json') {
  const account = await world.store.accounts.findAccount(person.email, world.now);
  const accountId = account?.id ?? 0;
  const text = (kind: 'collection' | 'sales') =>
    exportedText(world.store, { kind, format, accountId });
  return [await text('collection'), await text('sales')];
}

/** Sorted lines of a text, without the commas between records. */
function sortedLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/,$/, ''))
    .sort();
}

async function load(email: string, text: string, format: string) {
  const settings = { account: email };
  return importFile(world.store, { text, name: `own.${format}`, settings, clock: () => world.now });
}

describe.each(['csv', 'json'] as const)('as %s', (format) => {
  test('restores holdings, sales and analytics, and importing it again changes nothing', async () => {
    let people = 0;
    await fc.assert(
      fc.asyncProperty(everything, async (made) => {
        const ann = await addPerson(world, `ann${++people}@example.com`);
        await record(ann, made);
        const files = await exported(ann, format);
        const bob = await addPerson(world, `bob${people}@example.com`);
        for (const person of [bob, bob, ann]) {
          const before = person === bob ? null : await told(person);
          for (const text of files) {
            const { rejects } = await load(person.email, text, format);
            expect(rejects).toEqual([]);
          }
          if (before) expect(await told(person)).toEqual(before);
        }
        expect(await told(bob)).toEqual(await told(ann));
        // Sales imported together are recorded in order of their dates.
        expect((await exported(bob, format)).map(sortedLines)).toEqual(files.map(sortedLines));
        for (const text of files) {
          for (const { email } of [ann, bob]) {
            expect(await load(email, text, format)).toMatchObject({ added: 0, updated: 0 });
          }
        }
      }),
      { numRuns: runsOnEngine(25) },
    );
  });
});
