/** Files of collections and sales are recognized by their beginning. */
import { expect, test } from 'bun:test';
import { readFiles } from '../../../test/support/read-format.ts';
import { readOptions } from '../../../test/support/read-options.ts';
import type { Recognized } from '../runner/format.work.ts';
import { collection } from './format.work.ts';

const account = 'me@example.com';

/** The names under which a file is recognized. */
async function recognize(text: string): Promise<string[]> {
  const names: string[] = [];
  const options = readOptions({ settings: { account } });
  const accounts = {
    ...options.store.accounts,
    findAccount: async () => ({ id: 1, email: account }) as never,
  };
  await readFiles(
    collection,
    { file: text },
    {
      options: {
        ...options,
        store: { ...options.store, accounts },
        onRecognized: ({ name }: Recognized) => void names.push(name),
      },
    },
  );
  return names;
}

test.each([
  ['BrickStore inventory', '<BrickStoreXML><Inventory></Inventory></BrickStoreXML>'],
  ['BrickLink orders', '<ORDERS><ORDER></ORDER></ORDERS>'],
  ['Brickmark export', '{"format":"brickmark collection","rows":[]}'],
  ['Brickmark export', '{"format":"brickmark sales","rows":[]}'],
  ['Orders', '[]'],
  ['Orders', '{"orders":[]}'],
  ['BrickEconomy collection', 'Number,Paid,Condition,Date\n10482,5,New,2026-01-02\n'],
])('recognizes %s by %s', async (name, text) => {
  expect(await recognize(text)).toEqual([name]);
});
