/** Importing a file: choose it, preview it, import it. Each step has its own address. */

import { findEachItem } from '../../../catalog/items/find-each-item.ts';
import type { Corrections } from '../../../ingest/runner/corrections.work.ts';
import { UndoRecorder, undoImport } from '../../../ingest/runner/import-undo.work.ts';
import {
  importOwn,
  type OwnImport,
  type OwnOutcome,
  ownRowsMax,
} from '../../../ingest/runner/own-import.work.ts';
import { describeReason } from '../../../ingest/runner/reject-groups.ts';
import { csvCell } from '../../../kernel/csv-cell.ts';
import { findPriceQuestions } from '../../../portfolio/lots/price-questions.work.ts';
import { recordAudit } from '../../audit.ts';
import { changedAddress, idOf } from '../../kit/address.ts';
import { Card, Facts } from '../../kit/card.tsx';
import { csvDownload } from '../../kit/csv-download.ts';
import { faultAnswer } from '../../kit/fault.tsx';
import { FileField, PostForm, TextArea } from '../../kit/fields.tsx';
import { FormReader } from '../../kit/form-reader.ts';
import { countText, inDollars, nounText } from '../../kit/format.ts';
import { Layout } from '../../kit/layout.tsx';
import { WaitingToast } from '../../kit/toast.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { type Answered, answersQuery, columnField, readAnswers, rowAnswers } from './answers.ts';
import { itemOf, PreviewPage, waitingText } from './import-preview.tsx';
import { type ImportResult, ResultPage, takenBack } from './import-result.tsx';
import { nameQuestions } from './name-questions.ts';
import { expiredFile, type PreviewedFile, previewPages } from './preview-pages.tsx';
import { correctionsJson, readCorrections, tooManyCorrections } from './row-corrections.ts';
import { itemIn } from './row-fields.ts';
import {
  findDraft,
  type KeptFile,
  pastedLengthMax,
  uploadBytesMax,
  withOwnFile,
} from './uploaded.ts';

const path = '/inventory/import';

const importPages = previewPages({
  choose: (_, request) => (
    <Layout title="Import a file" request={request} isNarrow>
      <PostForm action="/inventory/import" class="stack drop" isUpload>
        <FileField label="Choose files or drop them here" isMultiple />
        <details open={Boolean(request.rejected?.values.text)}>
          <summary>Paste text instead</summary>
          <TextArea
            name="text"
            label="Rows copied from a spreadsheet, or set numbers, one per line"
            hint="The first row can be column names."
            rows={8}
            maxlength={pastedLengthMax}
          />
        </details>
        <button type="submit">Continue</button>
        <WaitingToast>{waitingText}</WaitingToast>
      </PostForm>
      <Card title="What you can import">
        <Facts facts={sources} />
      </Card>
    </Layout>
  ),
  pasted: 'text',
  preview: showDraft,
  apply: applyDraft,
});

export const importRoutes = routes('own', {
  [path]: importPages.choose,
  [`${path}/{draft}`]: importPages.preview,
  [`${path}/{draft}/undo`]: {
    get: (_, { params }) => {
      const id = idOf(params.draft);
      return { goTo: id === null ? path : `${path}/${id}` };
    },
    post: postUndo,
  },
  [`${path}/{draft}/rejected.csv`]: { readsFile: true, get: sendRejects },
});

/** The preview, or the result once the file is imported. */
async function showDraft({ deps, request, draft }: PreviewedFile<OwnRequest, unknown>) {
  const { result, file } = draft;
  if (result !== null) {
    return <ResultPage request={request} name={file.name} result={JSON.parse(result)} />;
  }
  const brickfolios = await deps.accounts.listBrickfolios(request.who.accountId);
  const fields = FormReader.ofQuery(request.query, request.today);
  const answered = readAnswers(fields, brickfolios);
  const outcome = await rehearse(deps, request, { draft, answered });
  if ('fault' in outcome) return outcome;
  const { columns } = outcome.recognized;
  if (columns && columns.mapping.number === undefined) {
    fields.fail(columnField('number'), 'Choose the column that has the set numbers.');
  }
  const found = await findShown(deps, request, outcome);
  const shown = rowAnswers(answered, columns?.mapping);
  const about = { request, file, outcome, brickfolios, typed: fields.typed, shown };
  return <PreviewPage {...about} {...found} />;
}

/** Runs the import without writing anything, for the preview and the list of rejected rows. */
async function rehearse(deps: WebDeps, request: OwnRequest, how: DraftImport) {
  const rehearsal = await deps.accounts.rehearse(request.who.accountId);
  return run(deps, request, { ...how, target: rehearsal, isRehearsal: true }).finally(() =>
    rehearsal.close(),
  );
}

interface DraftImport {
  readonly draft: KeptFile;
  readonly answered: Answered;
  readonly onReject?: OwnImport['onReject'];
}

interface DraftRun extends DraftImport {
  readonly target: Parameters<typeof importOwn>[1];
  readonly isRehearsal: boolean;
}

/** Imports the file into a rehearsal or the store; or returns why it cannot be read. */
function run(
  deps: WebDeps,
  request: OwnRequest,
  { draft, answered, target, isRehearsal, onReject }: DraftRun,
): Promise<OwnOutcome | { readonly fault: string }> {
  const { file, corrections } = draft;
  const { settings, answers, arePricesConfirmed, areNumbersConfirmed } = answered;
  const prices: OwnImport['prices'] = {
    areConfirmed: arePricesConfirmed,
    question: async (some) => {
      const questions = await findPriceQuestions(deps.portfolio.market, some);
      return questions.map((question) => question && inDollars(question));
    },
  };
  const names = { areConfirmed: areNumbersConfirmed, question: nameQuestions(deps) };
  const how = { settings, answers, prices, names, isRehearsal, file, corrections };
  return withOwnFile(deps, request, how, async (work, bare) => {
    const listening = onReject ? { ...work, onReject } : work;
    const outcome = await importOwn(listening, target);
    const rejectGroups = outcome.rejectGroups.map((group) => ({
      ...group,
      examples: group.examples.map((each) => ({ ...each, where: bare(each.where) })),
    }));
    return { ...outcome, rejectGroups };
  });
}

async function findShown(deps: WebDeps, { who }: OwnRequest, outcome: OwnOutcome) {
  const { changes, farPrices, otherNames, correctable } = outcome;
  const ids = changes.flatMap(({ kind, row }) =>
    kind === 'updated' && row.kind === 'holding' ? [row.facts.sourceId] : [],
  );
  const items = [...changes, ...farPrices, ...otherNames].flatMap(({ row }) =>
    row.kind === 'brickfolio' ? [] : [itemOf(row)],
  );
  items.push(...correctable.flatMap(({ fields }) => itemIn(fields) ?? []));
  const { market } = deps;
  const [stored, titleOf] = await Promise.all([
    deps.accounts.findLotsBySourceIds(who.accountId, ids),
    findEachItem<{ readonly title: string }>(items, (kind, keys) =>
      kind === 'set' ? market.findKnownSets(keys) : market.findKnownMinifigs(keys),
    ),
  ]);
  return { stored, titleOf };
}

async function applyDraft(applied: PreviewedFile<OwnSentRequest, unknown>): Promise<PageAnswer> {
  const { deps, request: sent, draft } = applied;
  const here = sent.path;
  if (draft.result !== null) return { goTo: here };
  const brickfolios = await deps.accounts.listBrickfolios(sent.who.accountId);
  const fields = new FormReader(sent.form, sent.today);
  const answered = readAnswers(fields, brickfolios);
  // The preview shows what is wrong with an option.
  const preview = { goTo: here + answersQuery(fields.typed) };
  const corrected = readCorrections(sent.form);
  if (corrected.size > 0) return saveCorrections(applied, corrected, preview.goTo);
  if (sent.form.text('do') !== 'import' || !fields.isGood) return preview;
  // The button says what it imports, so answers that change this are shown first.
  if (sent.form.text('shown') !== rowAnswers(answered)) {
    const query = new URLSearchParams(answersQuery(fields.typed));
    return { goTo: changedAddress({ path: here, query }, { did: 'updated' }) };
  }
  const target = new UndoRecorder(deps.accounts);
  const outcome = await run(deps, sent, { draft, answered, target, isRehearsal: false });
  if ('fault' in outcome) return preview;
  const { added, updated, unchanged, rejected } = outcome.report;
  const { rejectGroups, recognized } = outcome;
  const about = { name: recognized.name, rejectGroups, answers: answersQuery(fields.typed) };
  const counts = { added, updated, unchanged, rejected };
  const kept: ImportResult = { ...counts, ...about, undo: target.undo, undone: null };
  const result = { result: JSON.stringify(kept), replaces: null, at: sent.at };
  await deps.accounts.finishImportDraft(sent.who.accountId, draft.id, result);
  const detail = `${added} added, ${updated} changed`;
  await recordAudit(deps, sent, { action: 'import', detail });
  return { goTo: here };
}

/** Saves corrections, which are shown in the preview before they are imported. */
async function saveCorrections(
  { deps, request: sent, draft }: PreviewedFile<OwnSentRequest, unknown>,
  changed: Corrections,
  preview: string,
): Promise<PageAnswer> {
  const json = correctionsJson(new Map([...draft.corrections, ...changed]));
  if (json === null) return faultAnswer(sent, 400, tooManyCorrections);
  await deps.accounts.correctImportDraft(sent.who.accountId, draft.id, json);
  return { goTo: `${preview}#rows` };
}

async function postUndo({ accounts }: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { who, at } = sent;
  const draft = await findDraft({ accounts }, sent);
  if (!draft?.result) return expiredFile(sent);
  const kept: ImportResult = JSON.parse(draft.result);
  if (kept.undone === null) {
    const undone = await undoImport({ accounts, accountId: who.accountId, at }, kept.undo);
    const result = JSON.stringify({ ...kept, undone });
    const outcome = { result, replaces: draft.result, at };
    await accounts.finishImportDraft(who.accountId, draft.id, outcome);
    const detail = `${nounText(takenBack(undone), 'row')} taken back`;
    await recordAudit({ accounts }, sent, { action: 'import.undone', detail });
  }
  return { goTo: `${path}/${draft.id}` };
}

async function sendRejects(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const draft = await findDraft(deps, request);
  if (!draft) return expiredFile(request);
  const brickfolios = await deps.accounts.listBrickfolios(request.who.accountId);
  const answered = readAnswers(FormReader.ofQuery(request.query, request.today), brickfolios);
  const lines: string[] = [];
  const onReject: OwnImport['onReject'] = ({ where, reason, row }) => {
    const { title, advice } = describeReason(reason);
    const place = /[:#]([\d.]+)$/.exec(where)?.[1] ?? where;
    lines.push([place, title, advice, row].map(csvCell).join(','));
  };
  const outcome = await rehearse(deps, request, { draft, answered, onReject });
  if ('fault' in outcome) return { goTo: `${path}/${draft.id}` };
  return csvDownload(
    'rejected-rows.csv',
    `${['line,reason,what_to_do,row', ...lines].join('\r\n')}\r\n`,
  );
}

const megabytesMax = uploadBytesMax / 1024 / 1024;

const sources = [
  ['Collections', 'BrickEconomy, Brickset, Rebrickable set lists, BrickStore (.bsx)'],
  ['Orders', 'BrickLink, eBay, Amazon, Brick Owl (choose the files of orders and items together)'],
  ['Spreadsheets', 'Any CSV with a column of set numbers; you match the other columns'],
  ['Brickmark', 'Exports from this site, and feed files'],
  [
    'Size',
    `Up to ${megabytesMax} MB and ${countText(ownRowsMax)} rows, which take up to a minute. .gz ` +
      'and .zip work, too.',
  ],
] as const;
