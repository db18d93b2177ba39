/** Partitions the sales of a database with the script of the docs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dayMs } from '../../src/kernel/time.ts';
import { openClient } from '../../src/store/postgres/client.ts';

export const partitionScript: string = readFileSync(
  join(import.meta.dir, '..', '..', 'docs', 'examples', 'partition-sales.sql'),
  'utf8',
);

/** Months before a time that have a partition; older sales are in `sale_other`. */
const days = 90;

/** Partitions an empty database; the script starts with the month of the first sale. */
export async function partitionSales(url: string, now: number): Promise<void> {
  const first = now - days * dayMs;
  const client = openClient(url, { max: 1, statementMs: 0, name: 'test' });
  await client.run(`INSERT INTO source.sale VALUES
    (1, 'shop', 'first', 'used', 1, 0, 'USD', 1, ${first}, NULL, NULL, NULL, ${first}, NULL)`);
  await client.script(partitionScript);
  await client.run('DELETE FROM source.sale');
  await client.close();
}
