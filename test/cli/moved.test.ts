/** A store that was moved to PostgreSQL is served from there without a difference. */
// @runs SQLite: is about the command
import { expect, test } from 'bun:test';
import { isPostgres } from '../support/engines.ts';
import { makeEverything } from '../support/full-tables.ts';
import { PostgresServer } from '../support/postgres-server.ts';

test.skipIf(isPostgres)(
  'a moved store gives identical responses, continues counting calls, and accepts rows',
  async () => {
    const [server, place] = await Promise.all([PostgresServer.launch(), makeEverything()]);
    try {
      const calls = /"remaining":(\d+)/;
      const remaining = (text: string | undefined) => Number(calls.exec(text ?? '')?.[1]);
      const database = ['--database', server.url()];
      const embedded = await place.serve();
      const before = await place.answers(embedded);
      await embedded.kill('SIGTERM');
      await place.json(['move', '--to', server.url()]);
      // Tables with few rows were copied as well.
      const [sparse] = await server.query<{ gone: number; guessed: number; parts: number }>(
        `SELECT (SELECT count(*) FROM source.catalog_record WHERE gone_at = 1)::int AS gone,
           (SELECT count(*) FROM private.lot WHERE is_estimated)::int AS guessed,
           (SELECT count(*) FROM published.item WHERE part_of > 0)::int AS parts`,
      );
      expect(sparse).toMatchObject({ gone: 1, guessed: 1 });
      expect(sparse?.parts).toBeGreaterThan(0);
      const after = await place.answers(await place.serve({ flags: database }));
      expect(remaining(after[0])).toBe(remaining(before.at(-1)) - 1);
      const counts = /"(?:remaining|used)":\d+/g;
      const data = (answers: readonly string[]) => answers.map((text) => text.replace(counts, ''));
      expect(before.filter((text) => !/^\w+ 200 /.test(text))).toEqual([]);
      expect(data(after)).toEqual(data(before));
      const sold = { kind: 'sale', source: 'shop', source_id: 'new', item_type: 'set' };
      const facts = { item: '75192', condition: 'sealed', price: 199 };
      const stdin = JSON.stringify({ ...sold, ...facts, sold_at: '2026-11-14T10:00:00Z' });
      const added = await place.json(['import', 'feed', '-', ...database], { stdin });
      expect(added).toMatchObject({ added: 1, rejected: 0 });
      const account = await place.json(['account', 'add', 'new@example.com', ...database]);
      // The second account was removed before the move.
      expect(account).toMatchObject({ account_id: 3 });
    } finally {
      await place.close();
      await server.remove();
    }
  },
);
