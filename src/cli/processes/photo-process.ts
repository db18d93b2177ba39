/**
 * Makes a photo in a process that ends afterwards: decoders take much memory and CPU time, and a
 * picture may be made to take more than its headers say. It gets no setting and no secret, and the
 * low priority of the page process.
 */

import { pools } from '../../http/pools.ts';
import { secondMs } from '../../kernel/time.ts';
import { tooCostly } from '../../portfolio/photos/check-picture.ts';
import { makePhoto } from '../../portfolio/photos/make-photo.ts';
import type { MadePhoto, MakePhoto } from '../../portfolio/photos/photos.ts';
import type { Context } from '../command.ts';
import { thisProgram } from './child-process.ts';
import { systemVariables } from './helper-table.ts';

/** Three times what the slowest picture takes on a fast machine. */
const cpuMsMax = 15 * secondMs;
const lookMs = 100;

/** The exit status of a process that has used its CPU time. */
const tooCostlyStatus = 3;

/** Kills the process if it takes too long, or if the client disconnects. */
export const makePhotoApart: MakePhoto = async (bytes, signal) => {
  if (signal.aborted) return { problem: tooCostly };
  const child = Bun.spawn([...thisProgram(), 'serve'], {
    env: { ...systemVariables(), BRICKMARK_HELPER: 'photo' },
    stdio: [bytes, 'pipe', 'inherit'],
    signal,
    timeout: pools.photos.least.msMax,
    killSignal: 'SIGKILL',
  });
  const packed = await new Response(child.stdout).text();
  const status = await child.exited;
  if (status === 0) return unpack(packed);
  if (status === tooCostlyStatus || child.signalCode !== null) return { problem: tooCostly };
  throw new Error(`The process that makes a photo ended with status ${status}.`);
};

/** Runs in the process: the picture comes from standard input, the photo goes to the output. */
export async function makePhotoAsHelper({ write }: Pick<Context, 'write'>): Promise<void> {
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage();
    if ((user + system) / 1_000 > cpuMsMax) process.exit(tooCostlyStatus);
  }, lookMs);
  const made = await makePhoto(new Uint8Array(await Bun.stdin.arrayBuffer()));
  clearInterval(timer);
  await write(pack(made));
}

function pack(made: MadePhoto): string {
  if ('problem' in made) return JSON.stringify(made);
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  return JSON.stringify({ ...made, content: text(made.content), thumb: text(made.thumb) });
}

function unpack(packed: string): MadePhoto {
  const made = JSON.parse(packed);
  if ('problem' in made) return made;
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));
  return { ...made, content: bytes(made.content), thumb: bytes(made.thumb) };
}
