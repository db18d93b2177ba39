/** `import`: imports files, then values and publishes the changed items. */

import { existsSync, realpathSync, statSync } from 'node:fs';
import { nameHintEnd } from '../../contract/nearest.ts';
import {
  type Format,
  type ImportSettings,
  missingDates,
  missingPrices,
} from '../../ingest/runner/format.work.ts';
import { formatSummaries, formats } from '../../ingest/runner/formats.work.ts';
import { type FormatName, isFormatName } from '../../ingest/runner/import-formats.ts';
import { type ImportReport, nothingImported, type Reject } from '../../ingest/runner/report.ts';
import { countText, nounText } from '../../kernel/format.ts';
import type { Store } from '../../store/store.ts';
import { CommandError, type Context, command, rehearse, withStore } from '../command.ts';
import { refuseDemo } from '../demo.ts';
import { publishWithProgress } from '../progress.ts';
import { type Flags, type Input, UsageError } from '../row.ts';
import { bufferInput, directInput, type RejectFile, rejectFile } from './import-files.ts';
import { runLogged } from './import-log.ts';
import {
  checkFilesFirst,
  finishMonths,
  type ImportWork,
  importDefaults,
  runImport,
} from './import-run.ts';

/** More rejects or warnings are only counted. */
const rejectsShown = 10;

const formatNames = Object.keys(formats);

const flags = {
  'dry-run': { help: 'Show what would change without changing anything' },
  strict: { help: 'Import nothing if any row is rejected or has a warning' },
  rejects: { help: 'Write rejected rows to FILE', value: 'FILE' },
  'max-rejects': {
    help: 'Exit with 1 if more than N rows are rejected; the others are imported',
    value: 'N',
    integer: { min: 0, max: Number.MAX_SAFE_INTEGER },
  },
  account: { help: 'Account that owns the collection or sales', value: 'EMAIL' },
  brickfolio: { help: 'Collection to add lots to', value: 'NAME' },
  'missing-price': {
    help: 'Cost of a lot without a price: msrp (default), zero, or reject the row',
    value: 'HOW',
    choices: missingPrices,
  },
  'missing-date': {
    help: 'Date of a lot without one: unknown (default, excluded from returns) or release',
    value: 'HOW',
    choices: missingDates,
  },
  mapping: { help: 'Column mapping for a price list', value: 'FILE' },
  force: { help: 'Import a file that looks outdated, truncated or of another type' },
  'no-value': { help: 'Skip valuing and publishing' },
} as const satisfies Flags;

export const importCommand = command({
  name: 'import',
  operands: {
    name: {
      label: 'FORMAT',
      choices: formatNames,
      choiceHelp: formatSummaries,
      read: readFormatName,
    },
    paths: { label: 'PATH', isMany: true, hint: 'Use - for standard input.' },
  },
  summary: 'Import files, then value and publish (- for standard input; .gz and .zip work)',
  flags,
  run: async ({ name, paths, ...input }, context) => {
    const format = formats[name];
    const settings = readSettings(input, name, format);
    checkRejects(input.rejects, paths);
    refuseDemo(context.config);
    context.lowerPriority();
    const { strict: isStrict, dryRun: isDry } = input;
    const isReadTwice = isStrict || format.isReadFirst;
    if (isReadTwice) checkReadableTwice(paths);
    const mustBuffer = isReadTwice && paths.includes('-');
    const source = mustBuffer ? await bufferInput(context) : directInput(context);
    const work = { name, format, settings, paths, context, input: source };
    const importInto = async (store: Store) => {
      const rejects = rejectFile(input.rejects);
      try {
        const importWith = (sink: RejectFile, importId: number | null) =>
          importFiles(work, store, { rejects: sink, importId, isDry, isStrict });
        const { report, importId } = isDry
          ? { report: await importWith(rejects, null), importId: null }
          : await runLogged({ ...work, rejects }, store, importWith);
        const problem = nothingImported(report);
        // The serving role can import collections, which change nothing that is published.
        const isValued = !isDry && problem === null && !input.noValue;
        if (isValued && (await store.mayPublish())) {
          await publishWithProgress(store, context, 'Valuing');
        }
        const undoId = isUndoable(work.format, report) ? importId : null;
        context.result(reportJson(report, undoId), describe(report, { isDry, importId: undoId }));
        if (problem !== null) throw new CommandError(problem);
        checkRejected(report, input.maxRejects, isDry);
      } finally {
        rejects.close();
      }
    };
    // A dry run leaves an older schema as it is, too.
    const onlyReads = isDry && (await context.hasStore());
    await withStore(context, importInto, { onlyReads }).finally(source.close);
  },
});

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
  const rehearseIt = () =>
    rehearse(store, (copy) => runImport(work, copy, { rejects, importId: null }));
  const rehearsed = isDry || isStrict ? await rehearseIt() : null;
  if (rehearsed && isStrict) checkStrict(rehearsed, 'nothing was imported', work.context);
  if (isDry && rehearsed) return rehearsed;
  if (await store.mayPublish()) await finishMonths(store, work.context);
  const report = await runImport(work, store, { rejects, importId });
  if (isStrict) checkStrict(report, 'data changed after the check', work.context);
  return report;
}

function readFormatName(name: string): FormatName {
  if (isFormatName(name)) return name;
  throw new UsageError(`Unknown format '${name}'${nameHintEnd(name, formatNames)}`);
}

type ImportInput = Input<object, typeof flags>;

function typedSettings(input: ImportInput): Readonly<Record<keyof ImportSettings, boolean>> {
  return {
    account: input.account !== null,
    brickfolio: input.brickfolio !== null,
    missingPrice: input.missingPrice !== null,
    missingDate: input.missingDate !== null,
    mapping: input.mapping !== null,
    isForced: input.force,
  };
}

/** The flags that are not named like their setting. */
const settingFlags: Readonly<Record<string, string>> = {
  missingPrice: 'missing-price',
  missingDate: 'missing-date',
  isForced: 'force',
};

function readSettings(input: ImportInput, name: string, format: Format): ImportSettings {
  for (const [setting, isTyped] of Object.entries(typedSettings(input))) {
    const flag = settingFlags[setting] ?? setting;
    const use = format.settings?.[setting as keyof ImportSettings];
    if (isTyped && !use) throw new UsageError(`--${flag} does not apply to '${name}'.`);
    if (!isTyped && use === 'required') throw new UsageError(`'${name}' needs --${flag}.`);
  }
  return {
    account: input.account,
    brickfolio: input.brickfolio,
    missingPrice: input.missingPrice ?? importDefaults.missingPrice,
    missingDate: input.missingDate ?? importDefaults.missingDate,
    mapping: input.mapping,
    isForced: input.force,
  };
}

/** Throws if the reject file would overwrite an input file. */
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

/** Throws for a pipe, which can be read only once. */
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

/** Throws if a row was rejected or has a warning, after printing which. */
function checkStrict(report: ImportReport, outcome: string, context: Context): void {
  const { rejected, warned } = report;
  if (rejected + warned === 0) return;
  if (context.isJson) context.result(reportJson({ ...report, added: 0, updated: 0 }, null), '');
  else context.say([...rejectLines(report), ...warningLines(report)].join('\n'));
  const rows = `${nounText(rejected, 'row')} rejected`;
  const warnings = nounText(warned, 'warning');
  const problems = [...(rejected > 0 ? [rows] : []), ...(warned > 0 ? [warnings] : [])];
  throw new CommandError(`${problems.join(', ')}; ${outcome} (--strict).`);
}

/** Throws if more rows were rejected than the operator allows; the others are imported. */
function checkRejected({ rejected }: ImportReport, max: number | null, isDry: boolean): void {
  if (max === null || rejected <= max) return;
  const others = isDry ? 'nothing was changed' : 'the other rows were imported';
  throw new CommandError(
    `${nounText(rejected, 'row')} rejected, more than --max-rejects ${max}; ${others}.`,
  );
}

/** Whether market rows changed; only those imports can be undone. */
function isUndoable({ settings }: Format, { added, updated, gone = 0 }: ImportReport): boolean {
  return settings?.account !== 'required' && added + updated + gone > 0;
}

function reportJson(
  { mainReason: _, warnedPrivately: __, ...given }: ImportReport,
  importId: number | null,
): object {
  const warnings = given.warnings.map(({ where, reason }) => ({ where, reason }));
  const report = { ...given, warnings };
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
  lines.push(...joinLines(report), ...arrivedLines(report));
  lines.push(...(report.notes ?? []), ...rejectLines(report), ...warningLines(report));
  if (importId !== null) lines.push(`To undo, run 'brickmark import undo ${importId}'.`);
  return lines.join('\n');
}

function arrivedLines({ arrived }: ImportReport): string[] {
  if (arrived === undefined) return [];
  return [`${nounText(arrived, 'row')} that waited for exchange rates came in.`];
}

function joinLines({ minifigs }: ImportReport): string[] {
  if (!minifigs) return [];
  const { joined, unsure } = minifigs;
  const list = unsure > 0 ? ". To review them, run 'brickmark minifigs unsure'" : '';
  const matched = nounText(joined, 'minifig');
  return [`${matched} matched across both catalogs, ${unsure} uncertain${list}.`];
}

export function countsText(report: ImportReport): string {
  const { read, added, updated, unchanged, rejected, waiting, warned } = report;
  const waits = waiting === undefined ? '' : `, ${countText(waiting)} waiting`;
  const warnings = warned === 0 ? '' : `, ${nounText(warned, 'warning')}`;
  return (
    `${nounText(read, 'row')}: ${countText(added)} added, ${countText(updated)} updated, ` +
    `${countText(unchanged)} unchanged, ${countText(rejected)} rejected${waits}${warnings}.`
  );
}

function rejectLines({ rejects, rejected }: ImportReport): string[] {
  return problemLines(rejects, rejected, '; use --rejects FILE to save them all');
}

function warningLines({ warnings, warned }: ImportReport): string[] {
  if (warned === 0) return [];
  return ['Imported with warnings:', ...problemLines(warnings, warned, '')];
}

function problemLines(problems: readonly Reject[], total: number, whereAll: string): string[] {
  const lines = problems.slice(0, rejectsShown).map(({ where, reason }) => `  ${where}: ${reason}`);
  const more = total - lines.length;
  return more > 0 ? [...lines, `  and ${countText(more)} more${whereAll}`] : lines;
}
