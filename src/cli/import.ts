/** `import`: brings files in, then values and publishes what they touched. */
import { closeSync, existsSync, openSync, statSync, writeSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { Store } from '../domain/store.ts';
import { formats } from '../ingest/formats.ts';
import { importRows } from '../ingest/import.ts';
import type { ImportReport, Reject } from '../ingest/report.ts';
import { SourceFileError, sourceBytes } from '../ingest/source-file.ts';
import { type Command, CommandError, type Context, flagText, UsageError } from './command.ts';
import { progressLine, publishWithProgress } from './progress.ts';
import { meant, suggestion } from './suggestion.ts';
import { withStore } from './with-store.ts';
import { giveWay } from './yield.ts';

/** Rejects that are shown to people; the rest is counted. */
const rejectsShown = 10;

/** Items per transaction when months are finished before an import. */
const dueItems = 200;

/** The import command. */
export const importCommand: Command = {
  name: 'import',
  operands: 'FORMAT PATH…',
  summary: 'reads files (- is standard input; .gz and .zip too), values and publishes',
  flags: {
    'dry-run': { help: 'says what would happen and changes nothing' },
    strict: { help: 'one rejected row fails the import, and nothing is written' },
    rejects: { help: 'writes every rejected row to FILE', value: 'FILE' },
    account: { help: 'whose collection or sales the files are', value: 'EMAIL' },
    brickfolio: { help: 'the collection that lots go to', value: 'NAME' },
    'no-value': { help: 'leaves valuing and publishing for later' },
  },
  run: async (args, context) => {
    const [format = '', ...paths] = args.words;
    checkWords(format, paths);
    giveWay();
    for (const name of ['account', 'brickfolio']) {
      if (args.flags[name] !== undefined) {
        throw new UsageError(`--${name} does not go with '${format}': its lines name the account.`);
      }
    }
    const isStrict = args.flags.strict === true;
    if (isStrict) checkReadableTwice(paths);
    const input = await openInput(context, paths, isStrict);
    const work: ImportWork = { format, paths, context, input };
    await withStore(context, async (store) => {
      const isDry = args.flags['dry-run'] === true;
      const rejects = rejectFile(flagText(args, 'rejects'));
      try {
        const rehearsed = isDry || isStrict ? await rehearse(work, store, rejects) : null;
        if (rehearsed && isStrict) checkStrict(rehearsed, 'nothing was written', context);
        // A role that only serves may bring collections in: there is nothing to publish then.
        const publishes = !isDry && (await store.mayPublish());
        if (publishes) await finishMonths(store, context);
        const done = isDry && rehearsed ? rehearsed : await run(work, store, rejects);
        if (isStrict) checkStrict(done, 'something changed after the rehearsal', context);
        if (publishes && !args.flags['no-value']) {
          await publishWithProgress(store, context, 'Valuing');
        }
        context.result(done, describe(done, isDry));
      } finally {
        rejects.close();
      }
    });
  },
};

interface ImportWork {
  readonly format: string;
  readonly paths: readonly string[];
  readonly context: Context;
  /** Standard input, once more for every time it is read. */
  input(): Readable;
}

function checkWords(format: string, paths: readonly string[]): void {
  if (format === '') throw new UsageError('FORMAT is missing.');
  if (!Object.hasOwn(formats, format)) {
    const names = Object.keys(formats);
    const end = meant(format, names)
      ? suggestion(format, names)
      : `; there is ${names.join(', ')}.`;
    throw new UsageError(`There is no format '${format}'${end}`);
  }
  if (paths.length === 0) throw new UsageError('PATH is missing; - is standard input.');
}

/** A strict import reads its files twice, which a pipe does not allow. */
function checkReadableTwice(paths: readonly string[]): void {
  const pipe = paths.find((path) => path !== '-' && existsSync(path) && !statSync(path).isFile());
  if (pipe !== undefined) {
    throw new UsageError(`--strict reads '${pipe}' twice, so it must be a file, or - for a pipe.`);
  }
}

/** Standard input can be read once; a strict import reads it twice, so it is kept. */
async function openInput(context: Context, paths: readonly string[], isStrict: boolean) {
  if (!isStrict || !paths.includes('-')) return () => context.stdin;
  const chunks: Buffer[] = [];
  for await (const chunk of context.stdin) chunks.push(chunk as Buffer);
  return () => Readable.from(chunks);
}

/** The import on a copy of the store, which is thrown away. */
async function rehearse(
  work: ImportWork,
  store: Store,
  rejects: RejectFile,
): Promise<ImportReport> {
  const copy = await store.rehearsal();
  try {
    return await run(work, copy, rejects);
  } finally {
    await copy.close();
  }
}

async function run(
  { format, paths, context, input }: ImportWork,
  store: Store,
  rejects: RejectFile,
): Promise<ImportReport> {
  const read = formats[format];
  if (!read) throw new UsageError(`There is no format '${format}'.`);
  const { clock } = context.config;
  const progress = progressLine(context, 'Importing');
  const total = sourceBytes(paths);
  let done = 0;
  const onBytes = (count: number) => {
    done += count;
    progress.update(done, total);
  };
  try {
    const rows = read(paths, { stdin: input(), clock, onBytes });
    return await importRows(rows, { ...store, clock, onReject: rejects.add });
  } catch (error) {
    throw asCommandError(error);
  } finally {
    progress.end();
  }
}

/** Once history is sealed, months whose cut has passed are computed before new rows come in. */
async function finishMonths(store: Store, context: Context): Promise<void> {
  const { sealedAt } = await store.market.findHistoryState();
  if (sealedAt === null) return;
  const publisher = context.makePublisher(store);
  while ((await publisher.publishDue(dueItems)) > 0);
}

function asCommandError(error: unknown): unknown {
  if (error instanceof SourceFileError) return new CommandError(error.message);
  const { code, message } = error as { code?: string; message?: string };
  if (code?.startsWith('Z_') || /zip|central directory/i.test(message ?? '')) {
    return new CommandError(`The file cannot be unpacked (${message}). Is it complete?`);
  }
  if (/^E[A-Z]+$/.test(code ?? '')) {
    return new CommandError(`The file cannot be read: ${message}.`);
  }
  return error;
}

interface RejectFile {
  add(reject: Reject & { readonly row: string }): void;
  close(): void;
}

function rejectFile(path: string | null): RejectFile {
  if (path === null) return { add: () => {}, close: () => {} };
  const file = openForWriting(path);
  return {
    add: (reject) => {
      writeSync(file, `${JSON.stringify(reject)}\n`);
    },
    close: () => closeSync(file),
  };
}

function openForWriting(path: string): number {
  try {
    return openSync(path, 'w');
  } catch (error) {
    throw new CommandError(`The reject file cannot be written: ${(error as Error).message}.`);
  }
}

/** Throws when a row was rejected, after showing which. */
function checkStrict(report: ImportReport, outcome: string, context: Context): void {
  if (report.rejected === 0) return;
  if (context.isJson) context.result({ ...report, added: 0, updated: 0 }, '');
  else context.say(rejectLines(report));
  const rows = report.rejected === 1 ? 'row was' : 'rows were';
  throw new CommandError(`${report.rejected} ${rows} rejected; ${outcome} (--strict).`);
}

function describe(report: ImportReport, isDry: boolean): string {
  const rows = report.read === 1 ? 'row' : 'rows';
  const counts =
    `${report.read} ${rows}: ${report.added} added, ${report.updated} updated, ` +
    `${report.unchanged} unchanged, ${report.rejected} rejected.`;
  const text = isDry ? `This would be ${counts}` : counts;
  return report.rejected > 0 ? `${text}\n${rejectLines(report)}` : text;
}

function rejectLines(report: ImportReport): string {
  const lines = report.rejects
    .slice(0, rejectsShown)
    .map(({ where, reason }) => `  ${where}: ${reason}`);
  const more = report.rejected - lines.length;
  if (more > 0) lines.push(`  and ${more} more; --rejects FILE keeps them all`);
  return lines.join('\n');
}
