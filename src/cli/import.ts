/** `import`: brings files in, then values and publishes what they touched. */

import { existsSync, realpathSync, statSync } from 'node:fs';
import { nameHintEnd } from '../contract/nearest.ts';
import { countText, nounText } from '../domain/kernel/format.ts';
import type { Store } from '../domain/store.ts';
import { type Format, type ImportSettings, missingDates, missingPrices } from '../ingest/format.ts';
import { formats, isFormatName } from '../ingest/formats.ts';
import { type ImportReport, nothingImported, type Reject } from '../ingest/report.ts';
import {
  type Arguments,
  type Command,
  CommandError,
  type Context,
  flagText,
  UsageError,
} from './command.ts';
import { refuseDemo } from './demo.ts';
import { runLogged } from './import-log.ts';
import {
  checkFilesFirst,
  finishMonths,
  type ImportWork,
  rehearse,
  runImport,
} from './import-run.ts';
import { bufferInput, directInput } from './input.ts';
import { publishWithProgress } from './progress.ts';
import { type RejectFile, rejectFile } from './reject-file.ts';
import { withStore } from './with-store.ts';

/** Rejects, and warnings, that are shown to people; the rest is counted. */
const rejectsShown = 10;

/** The import command. */
export const importCommand: Command = {
  name: 'import',
  operands: 'FORMAT PATH…',
  summary: 'Import files, then value and publish (- for standard input; .gz and .zip work)',
  flags: {
    'dry-run': { help: 'Show what would change without changing anything' },
    strict: { help: 'Import nothing if any row is rejected or has a warning' },
    rejects: { help: 'Write rejected rows to FILE', value: 'FILE' },
    account: { help: 'Account that owns the collection or sales', value: 'EMAIL' },
    brickfolio: { help: 'Collection to add lots to', value: 'NAME' },
    'missing-price': {
      help: 'Cost of a lot without a price: msrp (default), zero, or reject the row',
      value: 'HOW',
    },
    'missing-date': {
      help: 'Date of a lot without one: unknown (default, excluded from returns) or release',
      value: 'HOW',
    },
    mapping: { help: 'Column mapping for a price list', value: 'FILE' },
    force: { help: 'Import a file that looks outdated, truncated or of another type' },
    'no-value': { help: 'Skip valuing and publishing' },
  },
  run: async (args, context) => {
    const [name = '', ...paths] = args.words;
    const format = findFormat(name, paths);
    const settings = readSettings(args, name, format);
    checkRejects(flagText(args, 'rejects'), paths);
    refuseDemo(context.config);
    context.lowerPriority();
    const isStrict = args.flags.strict === true;
    const isReadTwice = isStrict || format.isReadFirst;
    if (isReadTwice) checkReadableTwice(paths);
    const mustBuffer = isReadTwice && paths.includes('-');
    const input = mustBuffer ? await bufferInput(context) : directInput(context);
    const work = { name, format, settings, paths, context, input };
    await withStore(context, async (store) => {
      const isDry = args.flags['dry-run'] === true;
      const rejects = rejectFile(flagText(args, 'rejects'));
      try {
        const importWith = (sink: RejectFile, importId: number | null) =>
          importFiles(work, store, { rejects: sink, importId, isDry, isStrict });
        const { report, importId } = isDry
          ? { report: await importWith(rejects, null), importId: null }
          : await runLogged({ ...work, rejects }, store, importWith);
        const problem = nothingImported(report);
        // A role that only serves may bring collections in: there is nothing to publish then.
        const isValued = !isDry && problem === null && !args.flags['no-value'];
        if (isValued && (await store.mayPublish())) {
          await publishWithProgress(store, context, 'Valuing');
        }
        const undoId = isUndoable(work.format, report) ? importId : null;
        context.result(reportJson(report, undoId), describe(report, { isDry, importId: undoId }));
        if (problem !== null) throw new CommandError(problem);
      } finally {
        rejects.close();
      }
    }).finally(input.close);
  },
};

async function importFiles(
  work: ImportWork,
  store: Store,
  options: {
    readonly rejects: RejectFile;
    readonly importId: number | null;
    readonly isDry: boolean;
    readonly isStrict: boolean;
  },
): Promise<ImportReport> {
  const { rejects, importId, isDry, isStrict } = options;
  await checkFilesFirst(work, store);
  const rehearsed = isDry || isStrict ? await rehearse(work, store, rejects) : null;
  if (rehearsed && isStrict) checkStrict(rehearsed, 'nothing was imported', work.context);
  if (isDry && rehearsed) return rehearsed;
  if (await store.mayPublish()) await finishMonths(store, work.context);
  const report = await runImport(work, store, { rejects, importId });
  if (isStrict) checkStrict(report, 'data changed after the check', work.context);
  return report;
}

function findFormat(name: string, paths: readonly string[]): Format {
  if (name === '') throw new UsageError('FORMAT is missing.');
  if (!isFormatName(name)) {
    const names = Object.keys(formats);
    throw new UsageError(`Unknown format '${name}'${nameHintEnd(name, names)}`);
  }
  if (paths.length === 0) throw new UsageError('PATH is missing. Use - for standard input.');
  return formats[name];
}

/** The flag of each setting. */
const settingFlags: Readonly<Record<keyof ImportSettings, string>> = {
  account: 'account',
  brickfolio: 'brickfolio',
  missingPrice: 'missing-price',
  missingDate: 'missing-date',
  mapping: 'mapping',
  isForced: 'force',
};

function readSettings(args: Arguments, name: string, format: Format): ImportSettings {
  for (const setting of Object.keys(settingFlags) as (keyof ImportSettings)[]) {
    const flag = settingFlags[setting];
    const isGiven = args.flags[flag] !== undefined;
    if (isGiven && !format.settings?.[setting]) {
      throw new UsageError(`--${flag} does not apply to '${name}'.`);
    }
    if (!isGiven && format.settings?.[setting] === 'required') {
      throw new UsageError(`'${name}' needs --${flag}.`);
    }
  }
  return {
    account: flagText(args, 'account'),
    brickfolio: flagText(args, 'brickfolio'),
    missingPrice: readChoice(args, 'missing-price', missingPrices) ?? 'msrp',
    missingDate: readChoice(args, 'missing-date', missingDates) ?? 'unknown',
    mapping: flagText(args, 'mapping'),
    isForced: args.flags.force === true,
  };
}

/** One of the words that a flag takes; null when it is not given. */
function readChoice<T extends string>(
  args: Arguments,
  flag: string,
  words: readonly T[],
): T | null {
  const typed = flagText(args, flag);
  const word = words.find((each) => each === typed) ?? null;
  if (typed !== null && word === null) {
    throw new UsageError(`--${flag} must be one of ${words.join(', ')}, not '${typed}'.`);
  }
  return word;
}

/** Rejects written over what they come from would be the end of it. */
function checkRejects(rejects: string | null, paths: readonly string[]): void {
  if (rejects === null || !existsSync(rejects)) return;
  const target = realpathSync(rejects);
  const isInput = (path: string) =>
    path !== '-' && existsSync(path) && realpathSync(path) === target;
  if (paths.some((path) => isInput(path))) {
    throw new UsageError(
      `--rejects '${rejects}' is one of the files to import. Choose another file.`,
    );
  }
}

/** Files that are read twice must be there twice, which a pipe does not allow. */
function checkReadableTwice(paths: readonly string[]): void {
  const pipe = paths.find((path) => path !== '-' && isPipe(path));
  if (pipe !== undefined) {
    throw new UsageError(
      `'${pipe}' is a pipe, and the input is read twice. Use a file, or - for standard input.`,
    );
  }
}

function isPipe(path: string): boolean {
  if (!existsSync(path)) return false;
  const about = statSync(path);
  return !about.isFile() && !about.isDirectory();
}

/** Throws when a row was rejected, or a field left out, after showing which. */
function checkStrict(report: ImportReport, outcome: string, context: Context): void {
  const { rejected, warned } = report;
  if (rejected + warned === 0) return;
  if (context.isJson) context.result(reportJson({ ...report, added: 0, updated: 0 }, null), '');
  else context.say([...rejectLines(report), ...warningLines(report)].join('\n'));
  const rows = `${nounText(rejected, 'row')} rejected`;
  const fields = `${nounText(warned, 'field')} ignored`;
  const problems = [...(rejected > 0 ? [rows] : []), ...(warned > 0 ? [fields] : [])];
  throw new CommandError(`${problems.join(', ')}; ${outcome} (--strict).`);
}

/** Whether anything of the market changed; collections and sales of accounts are edited there. */
function isUndoable({ settings }: Format, { added, updated, gone = 0 }: ImportReport): boolean {
  return settings?.account !== 'required' && added + updated + gone > 0;
}

/** The report as one object; the id is there where the import can be undone by it. */
function reportJson({ mainReason: _, ...report }: ImportReport, importId: number | null): object {
  return importId === null ? report : { import_id: importId, ...report };
}

function describe(
  report: ImportReport,
  { isDry, importId }: { readonly isDry: boolean; readonly importId: number | null },
): string {
  const counts = countsText(report);
  const gone = report.gone
    ? ` ${nounText(report.gone, 'row')} no longer in the source; kept and marked.`
    : '';
  const lines = [(isDry ? `Dry run, nothing changed. ${counts}` : counts) + gone];
  lines.push(...joinLines(report));
  lines.push(...(report.notes ?? []), ...rejectLines(report), ...warningLines(report));
  if (importId !== null) lines.push(`To undo, run 'brickmark import undo ${importId}'.`);
  return lines.join('\n');
}

function joinLines({ minifigs }: ImportReport): string[] {
  if (!minifigs) return [];
  const { joined, unsure } = minifigs;
  const list = unsure > 0 ? ". To review them, run 'brickmark minifigs unsure'" : '';
  const matched = nounText(joined, 'minifig');
  return [`${matched} matched across both catalogs, ${unsure} uncertain${list}.`];
}

/** The counts of a report as a sentence. */
export function countsText(report: ImportReport): string {
  const { read, added, updated, unchanged, rejected, warned } = report;
  const warnings = warned === 0 ? '' : `, ${nounText(warned, 'warning')}`;
  return (
    `${nounText(read, 'row')}: ${countText(added)} added, ${countText(updated)} updated, ` +
    `${countText(unchanged)} unchanged, ${countText(rejected)} rejected${warnings}.`
  );
}

function rejectLines({ rejects, rejected }: ImportReport): string[] {
  return problemLines(rejects, rejected, '; use --rejects FILE to save them all');
}

/** The warnings, under a line that says what they are. */
function warningLines({ warnings, warned }: ImportReport): string[] {
  if (warned === 0) return [];
  return ['Imported with an invalid field ignored:', ...problemLines(warnings, warned, '')];
}

function problemLines(problems: readonly Reject[], total: number, whereAll: string): string[] {
  const lines = problems.slice(0, rejectsShown).map(({ where, reason }) => `  ${where}: ${reason}`);
  const more = total - lines.length;
  return more > 0 ? [...lines, `  and ${countText(more)} more${whereAll}`] : lines;
}
