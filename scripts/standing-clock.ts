/** The program with a clock that stands at the demo's date, also in its helper processes. */
import { thisProcess } from '../src/cli/processes/this-process.ts';
import { run } from '../src/main.ts';
import { demoNow } from './demo.ts';

const now = Date.parse(demoNow);
Date.now = () => now;

process.exit(await run(process.argv.slice(2), thisProcess));
