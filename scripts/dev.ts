/**
 * `npm run dev`: the demo under `bun --watch`, which restarts it when a source file changes. The
 * store stays in `.dev`, so the key does not change. It exits explicitly, as Bun would keep
 * watching after Ctrl-C.
 */
import { thisProcess } from '../src/cli/processes/this-process.ts';
import { run } from '../src/main.ts';
// Only the page process needs the code of pages, but it is watched here.
import '../src/web/server/page-server.ts';

process.exit(await run(process.argv.slice(2), thisProcess));
