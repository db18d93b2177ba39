/**
 * Compares values from checkpoints with values from all rows in random markets: `npm run
 * test:checkpoints -- MARKETS FIRST_SEED`, with `--postgres` on a temporary PostgreSQL. The tests
 * include a short form.
 */
import { runMarket } from '../test/support/checkpoint-run.ts';
import { openTemporaryStore } from './temporary-store.ts';

const [markets = 100, firstSeed = 1_000] = process.argv.flatMap((word) =>
  /^\d+$/.test(word) ? Number(word) : [],
);
const steps = 60;

const sums = { fromCheckpoint: 0, fromFirst: 0, unusable: 0 };
for (let seed = firstSeed; seed < firstSeed + markets; seed++) {
  const { store, close } = await openTemporaryStore();
  try {
    const counts = await runMarket(store, seed, steps);
    sums.fromCheckpoint += counts.fromCheckpoint;
    sums.fromFirst += counts.fromFirst;
    sums.unusable += counts.unusable;
  } catch (error) {
    throw new Error(`Seed ${seed} differs.`, { cause: error });
  } finally {
    await close();
  }
}
console.log(
  `${markets} random markets from seed ${firstSeed}: no difference in ${sums.fromCheckpoint} ` +
    `publications from a checkpoint, besides ${sums.fromFirst} from all rows ` +
    `(${sums.unusable} of them because a checkpoint could not be used)`,
);
