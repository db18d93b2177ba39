/** Runs commands one after another in a process of their own, which must then end by itself. */
import { type Ran, typeHere } from './typed.ts';

export interface TypedCommand {
  readonly words: readonly string[];
  readonly stdin?: string;
}

interface Place {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Resolves when the process has ended, which a timer or socket left open would prevent. */
export async function runInTurn(
  commands: readonly TypedCommand[],
  { folder, environment }: Place,
): Promise<Ran[]> {
  const child = Bun.spawn([process.execPath, import.meta.path], {
    cwd: folder,
    env: { ...environment },
    stdin: new Blob([JSON.stringify(commands)]),
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const ran = await new Response(child.stdout).json();
  await child.exited;
  return ran;
}

if (import.meta.main) {
  const commands: TypedCommand[] = await Bun.stdin.json();
  const at = { folder: process.cwd(), environment: process.env };
  const ran: Ran[] = [];
  for (const { words, stdin } of commands) ran.push(await typeHere(words, { ...at, stdin }));
  process.stdout.write(JSON.stringify(ran));
}
