/** Importing a file: first what would become of it, then the import itself. */

import { itemKey } from '../../../domain/catalog/numbers.ts';
import { countText } from '../../../domain/kernel/format.ts';
import type { Brickfolio } from '../../../domain/portfolio/brickfolio-store.ts';
import type { PrivateRow } from '../../../domain/portfolio/private-rows.ts';
import { missingPrices } from '../../../ingest/format.ts';
import {
  importOwn,
  type OwnImport,
  type OwnOutcome,
  ownRowsMax,
} from '../../../ingest/own-import.ts';
import type { WebDeps } from '../../deps.ts';
import { Choice, FileField, Notice, PostForm, type Typed, untyped } from '../../kit/fields.tsx';
import { Layout } from '../../kit/layout.tsx';
import { TypedFields } from '../../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRoute } from '../../page.ts';
import { readBrickfolio } from '../inventory/lot-form.ts';
import { type ImportDraft, PreviewPage } from './import-preview.tsx';
import { withOwnFile } from './own-file.ts';
import { packed, safeName, tooLarge, unpacked, uploadBytesMax } from './uploaded.ts';

/** The pages of an import. They come before those of a collection, whose id could be anything. */
export function importRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'own',
      takesFile: true,
      path: '/collections/import',
      get: (request) => showImport(deps, request),
      post: (sent) => postPreview(deps, sent),
    },
    {
      access: 'own',
      takesFile: true,
      path: '/collections/import/confirm',
      get: async () => ({ goTo: '/collections/import' }),
      post: (sent) => postConfirm(deps, sent),
    },
  ];
}

async function showImport(
  deps: WebDeps,
  request: OwnRequest,
  outcome: { readonly typed?: Typed; readonly status?: number } = {},
): Promise<PageAnswer> {
  const { brickfolios } = await deps.accounts.findHoldings(request.who.accountId);
  const { typed = untyped, status = 200 } = outcome;
  return { page: <ImportPage request={request} brickfolios={brickfolios} typed={typed} />, status };
}

async function postPreview(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const fields = new TypedFields(sent.form, sent.at);
  const file = sent.form.file('file');
  if (!file) fields.fail('file', 'Choose a file that has something in it.');
  else if (file.size > uploadBytesMax) fields.fail('file', tooLarge);
  const draft = await readDraft(deps, sent, fields);
  if (file && fields.isGood) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const uploaded = { name: safeName(file.name), bytes };
    const content = await packed(uploaded);
    if (content === null) fields.fail('file', tooLarge);
    else {
      const answer = await preview(deps, sent, { draft: { ...draft, file: uploaded }, content });
      if ('page' in answer) return answer;
      fields.fail('file', answer.fault);
    }
  }
  return showImport(deps, sent, { typed: fields.typed, status: 400 });
}

async function readDraft(
  deps: WebDeps,
  { who }: OwnSentRequest,
  fields: TypedFields,
): Promise<Omit<ImportDraft, 'file'>> {
  const { brickfolios } = await deps.accounts.findHoldings(who.accountId);
  const missingPrice = fields.word('missing_price', missingPrices);
  const brickfolio = fields.isBlank('brickfolio')
    ? null
    : readBrickfolio(fields, 'brickfolio', brickfolios);
  return { missingPrice, brickfolio };
}

/** Tries the import, and shows what would come of it. */
async function preview(
  deps: WebDeps,
  sent: OwnSentRequest,
  { draft, content }: { readonly draft: ImportDraft; readonly content: string },
): Promise<(PageAnswer & { readonly page: unknown }) | { readonly fault: string }> {
  const { accountId } = sent.who;
  const rehearsal = await deps.accounts.rehearse(accountId);
  const outcome = await run(deps, sent, draft, rehearsal).finally(() => rehearsal.close());
  if ('fault' in outcome) return outcome;
  const ids = outcome.changes.flatMap(({ kind, row }) => sourceIdOf(kind, row));
  const stored = await deps.accounts.findLots(accountId, ids);
  const keys = outcome.changes.flatMap(({ row }) =>
    row.kind === 'brickfolio' ? [] : [itemKey('set', row.facts.setNumber)],
  );
  const sets = await deps.market.findKnownSets([...new Set(keys)]);
  return {
    page: (
      <PreviewPage
        request={sent}
        draft={draft}
        content={content}
        outcome={outcome}
        stored={stored}
        sets={sets}
      />
    ),
  };
}

function sourceIdOf(kind: string, row: PrivateRow): string[] {
  return kind === 'updated' && row.kind === 'holding' ? [row.facts.sourceId] : [];
}

/** Imports the file into a rehearsal or the store; or says why it cannot be read. */
function run(
  deps: WebDeps,
  sent: OwnSentRequest,
  draft: ImportDraft,
  target: Parameters<typeof importOwn>[1],
): Promise<OwnOutcome | { readonly fault: string }> {
  const settings: OwnImport['settings'] = {
    brickfolio: draft.brickfolio?.name ?? null,
    missingPrice: draft.missingPrice,
    missingDate: 'unknown',
  };
  const how = { settings, isRehearsal: target !== deps.accounts };
  return withOwnFile(deps, sent, { file: draft.file, ...how }, async (work, bare) => {
    const { report, changes } = await importOwn(work, target);
    const rejects = report.rejects.map((each) => ({ ...each, where: bare(each.where) }));
    return { report: { ...report, rejects }, changes };
  });
}

async function postConfirm(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { form } = sent;
  const fields = new TypedFields(form, sent.at);
  const file = await unpacked(form.text('file_name'), form.text('content'));
  if (!file) fields.fail('file', 'The file got lost on the way; choose it again.');
  const draft = await readDraft(deps, sent, fields);
  if (file && fields.isGood) {
    const outcome = await run(deps, sent, { ...draft, file }, deps.accounts);
    if ('report' in outcome) {
      const { added, updated, unchanged, rejected } = outcome.report;
      const done = `added=${added}&updated=${updated}&unchanged=${unchanged}&rejected=${rejected}`;
      return { goTo: `/collections/import?${done}` };
    }
    fields.fail('file', outcome.fault);
  }
  const { content: _, ...values } = fields.typed.values;
  const typed = { values, faults: fields.typed.faults };
  return showImport(deps, sent, { typed, status: 400 });
}

/** What can be done about lots without a price. */
const priceChoices = [
  ['msrp', 'Take the list price, marked as a guess'],
  ['zero', 'Take 0'],
  ['reject', 'Reject them'],
] as const;

/** The page where a file is chosen. */
function ImportPage(props: {
  readonly request: OwnRequest;
  readonly brickfolios: readonly Brickfolio[];
  readonly typed: Typed;
}) {
  const { request, brickfolios, typed } = props;
  return (
    <Layout title="Import a file" request={request} isNarrow>
      <Done request={request} />
      <section class="card">
        <PostForm request={request} action="/collections/import" isUpload>
          <FileField typed={typed} label="A file with what you own or sold" isRequired />
          <Choice
            name="brickfolio"
            label="Lots go to"
            typed={typed}
            options={[
              ['', 'The default, or what the file says'],
              ...brickfolios.map((each) => [String(each.id), each.name] as const),
            ]}
          />
          <Choice
            name="missing_price"
            label="Lots without a price"
            typed={typed}
            options={priceChoices}
          />
          <button type="submit">Show what would happen</button>
        </PostForm>
      </section>
      <p class="quiet">Nothing is written before you have seen what would be.</p>
      <section class="card">
        <h2>What is read</h2>
        <dl class="facts">
          <dt>Collections</dt>
          <dd>BrickEconomy, Brickset, Rebrickable set lists (CSV), BrickStore (.bsx)</dd>
          <dt>Orders</dt>
          <dd>
            BrickLink (XML, CSV, JSON), eBay (CSV), Amazon (settlements, transactions), Brick Owl
            (JSON, order and items in one .zip)
          </dd>
          <dt>Brickmark</dt>
          <dd>What was exported here (CSV, JSON), and the feed</dd>
          <dt>Size</dt>
          <dd>
            {`At most ${uploadBytesMax / 1024 / 1024} MB and ${countText(ownRowsMax)} rows; `}
            .gz and .zip are unpacked
          </dd>
        </dl>
      </section>
    </Layout>
  );
}

/** What came of the import that was just confirmed. */
function Done({ request: { query } }: { readonly request: OwnRequest }) {
  if (!query.has('added')) return null;
  const count = (name: string) => {
    const text = query.get(name) ?? '';
    return countText(/^\d{1,9}$/.test(text) ? Number(text) : 0);
  };
  return (
    <Notice>
      Imported: {count('added')} added, {count('updated')} changed, {count('unchanged')} as they
      were, {count('rejected')} rejected. <a href="/collections">To your collections</a>
    </Notice>
  );
}
