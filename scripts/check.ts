/**
 * `npm run check`: types, style and format, unused code, and breaks of the API, in parallel. The
 * output of each is printed when it is done.
 */
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dir, '..');

const checks = [
  // Parallel type checkers would repeat work on shared types, and the other checks use the cores.
  ['tsc', '--noEmit', '--singleThreaded'],
  ['biome', 'check', '.'],
  ['knip'],
  ['bun', 'scripts/api-breaks.ts'],
] as const;

/** Runs a program of the project; returns its exit status. */
async function run([program, ...words]: (typeof checks)[number]): Promise<number> {
  const child = Bun.spawn([join(root, 'node_modules', '.bin', program), ...words], {
    cwd: root,
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [out, err] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => new Response(stream).text()),
  );
  console.log(`$ ${[program, ...words].join(' ')}\n${out}${err}`);
  return child.exited;
}

const statuses = await Promise.all(checks.map(run));
process.exit(statuses.find((status) => status !== 0) ?? 0);
