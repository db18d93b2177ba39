/** A demo at README's date, created once by the executable and shared by suites. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoNow } from '../../scripts/demo.ts';
import { makeOnce } from './made-once.ts';
import { executable } from './program.ts';

export interface PrintedDemo {
  readonly url: string;
  readonly key: string;
  readonly curl: string;
}

/** A minimal environment, with the demo's date as the current time. */
const demoEnv = { PATH: '/usr/bin:/bin', BRICKMARK_NOW: demoNow };

export async function copyDemo(to: string): Promise<void> {
  cpSync(join(await makeDemo(), 'demo-data'), to, { recursive: true });
}

/** The demo's response for the set in the curl command that it prints. */
export async function firstDemoAnswer(): Promise<unknown> {
  return JSON.parse(readFileSync(join(await makeDemo(), 'first-answer.json'), 'utf8'));
}

/** Created over the remains of an interrupted attempt, to test that the demo recovers. */
function makeDemo(): Promise<string> {
  return makeOnce('demo', async (folder) => {
    const data = join(folder, 'demo-data');
    mkdirSync(data);
    writeFileSync(join(data, 'demo-unfinished'), '');
    writeFileSync(join(data, 'market.db'), 'half of something');
    await runDemo(await executable(), folder, async (demo) => {
      const answer = await askForFirstSet(demo);
      writeFileSync(join(folder, 'first-answer.json'), JSON.stringify(answer));
    });
  });
}

/** Starts the demo in a folder, calls it and stops it with SIGTERM; throws if it fails. */
export async function runDemo(
  program: string,
  cwd: string,
  ask: (demo: PrintedDemo) => Promise<unknown>,
): Promise<PrintedDemo> {
  const child = Bun.spawn([program, 'demo', '--port', '0', '--json'], {
    cwd,
    env: demoEnv,
    stdout: 'pipe',
    stderr: 'ignore',
  });
  let printed = '';
  try {
    for await (const chunk of child.stdout) {
      printed += new TextDecoder().decode(chunk);
      if (printed.includes('\n')) break;
    }
    await ask(JSON.parse(printed));
  } finally {
    child.kill('SIGTERM');
  }
  if ((await child.exited) !== 0) throw new Error(`The demo ended with ${child.exitCode}.`);
  return JSON.parse(printed);
}

/** Requests the set in the printed curl command. */
export async function askForFirstSet({ key, curl }: PrintedDemo): Promise<unknown> {
  const [, first = ''] = /(http\S+)$/.exec(curl) ?? [];
  const answer = await fetch(first, { headers: { Authorization: `Bearer ${key}` } });
  const body = (await answer.json()) as { data?: { set_number: string } };
  if (answer.status !== 200 || !first.endsWith(`/set/${body.data?.set_number}`)) {
    throw new Error(`${first} was answered with ${answer.status}.`);
  }
  return body;
}
