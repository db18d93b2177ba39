/**
 * `npm run dev`: the demo under `bun --watch`, which starts it again when a file of it changes.
 * The store is kept in `.dev`, so that the key stays. Bun alone would go on watching after Ctrl-C.
 */
import { thisProcess } from '../src/cli/process-streams.ts';
import { run } from '../src/main.ts';

process.exit(await run(process.argv.slice(2), thisProcess));
