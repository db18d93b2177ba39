/** Importing into a watchlist after a preview, and exporting it. */

import { watchListCsv, watchListXml } from '../../../alerts/watchlists/watch-export.ts';
import {
  compareItems,
  type ResolvedItem,
  resolveFileItems,
  type WatchChange,
  withListedKeys,
} from '../../../alerts/watchlists/watch-import.work.ts';
import type { WatchedItem, WatchList } from '../../../alerts/watchlists/watch-list.ts';
import { saveItems } from '../../../alerts/watchlists/watched-items.work.ts';
import { readWatchFile } from '../../../ingest/own-files/watch-file.work.ts';
import { groupRejects } from '../../../ingest/runner/reject-groups.ts';
import { withQuery } from '../../kit/address.ts';
import { PlainLink } from '../../kit/buttons.tsx';
import { Card, EmptyState, Figures } from '../../kit/card.tsx';
import { column, mainColumn, moneyColumn } from '../../kit/columns.tsx';
import { csvDownload } from '../../kit/csv-download.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { missingPage } from '../../kit/fault.tsx';
import { FileField, PostForm, TextArea } from '../../kit/fields.tsx';
import { FormPage } from '../../kit/form-page.tsx';
import { countText, moneyText } from '../../kit/format.ts';
import { ItemCell } from '../../kit/item-picture.tsx';
import { Layout, watchlistTabs } from '../../kit/layout.tsx';
import type { OwnRequest, OwnSentRequest, WebDeps } from '../../page.ts';
import { page, routes } from '../../page-table.ts';
import { minifigTargets } from '../alerts/target-alert.ts';
import { type PreviewedFile, previewPages } from '../import/preview-pages.tsx';
import { RejectList } from '../import/reject-list.tsx';
import { pastedLengthMax, safeName, uploadBytesMax, withFile } from '../import/uploaded.ts';
import { findList, readItems, tooManyItems } from './watch-lists.tsx';

const shownMax = 200;

const importPages = previewPages({
  choose: showImport,
  pasted: 'items',
  preview: showPreview,
  apply: applyFile,
});

export const watchImportRoutes = routes('own', {
  '/watchlist/{id}/import': page({ find: findList, ...importPages.choose }),
  '/watchlist/{id}/import/{draft}': page({ find: findList, ...importPages.preview }),
  '/watchlist/{id}/export/{format}': page({ find: findList, get: sendExport }),
});

function showImport(_: WebDeps, request: OwnRequest, list: WatchList) {
  return (
    <FormPage
      request={request}
      title={`Import into ${list.name}`}
      tabs={watchlistTabs}
      button="Preview"
      cancel={`/watchlist/${list.id}`}
      isUpload
    >
      <TextArea
        name="items"
        label="Numbers or barcodes, one per line"
        hint="A target price and a note can follow: 75192 549.99 For Ben"
        rows={8}
        maxlength={pastedLengthMax}
      />
      <FileField label="Or a file" />
      <p class="quiet small flush">
        {'CSV with a '}
        <code>number</code>
        {' column (and optionally '}
        <code>target</code>, <code>note</code>, <code>item_type</code>
        {`), or a BrickLink wanted list (XML). Up to ${uploadBytesMax / 1024 / 1024} MB.`}
      </p>
    </FormPage>
  );
}

/** Compares a file with a list; or returns why it cannot be read. */
async function readPreview(previewed: PreviewedFile<OwnRequest, WatchList>) {
  const { deps, request, found: list, draft } = previewed;
  return withFile(deps, draft.file, request, async ({ path, signal, bare }) => {
    const { drafts, rejects, notes } = await readWatchFile(path, signal);
    const known = await resolveFileItems(deps.market, drafts);
    const listed = await readItems(deps, request.who.accountId, list.id);
    const items = await withListedKeys(deps.market, known.items, listed);
    const rejected = [...rejects, ...known.rejects].map(({ where, reason }) => {
      return { where: bare(where), reason: bare(reason) };
    });
    return { changes: compareItems(items, listed), rejects: rejected, notes };
  });
}

async function showPreview(previewed: PreviewedFile<OwnRequest, WatchList>) {
  const { request, found: list } = previewed;
  const again = `/watchlist/${list.id}/import`;
  const preview = await readPreview(previewed);
  if ('fault' in preview) return preview;
  const { changes, rejects, notes } = preview;
  const count = (kind: WatchChange['kind']) =>
    countText(changes.filter((change) => change.kind === kind).length);
  const changing = changes.filter(({ kind }) => kind !== 'unchanged');
  return (
    <Layout title={`Import into ${list.name}`} request={request} tabs={watchlistTabs}>
      <Card>
        <Figures
          figures={[
            ['New', count('added')],
            ['Changed', count('changed')],
            ['Unchanged', count('unchanged')],
            ['Rejected', countText(rejects.length)],
          ]}
        />
      </Card>
      {changes.some(({ item }) => item.kind === 'minifig' && item.targetCents !== null) && (
        <p>{minifigTargets}</p>
      )}
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {changing.length > 0 ? (
        <Card>
          <PostForm action={request.path} class="row">
            <button type="submit">Import</button>
            <PlainLink href={again}>Cancel</PlainLink>
            <span class="quiet">Nothing is saved yet.</span>
          </PostForm>
          <DataTable
            label="Items to import"
            caption={changing.length > shownMax ? `The first ${shownMax}` : undefined}
            columns={changeColumns}
            rows={changing.slice(0, shownMax)}
          />
        </Card>
      ) : (
        <EmptyState title="Nothing to import" actions={[[again, 'Try another list']]} />
      )}
      <RejectList groups={groupRejects(rejects)} count={rejects.length} />
    </Layout>
  );
}

async function applyFile(previewed: PreviewedFile<OwnSentRequest, WatchList>) {
  const { deps, request: sent, found: list } = previewed;
  const preview = await readPreview(previewed);
  if ('fault' in preview) return preview;
  const items = preview.changes.map(({ item }) => item);
  const change = { accountId: sent.who.accountId, listId: list.id, at: sent.at };
  const saved = await saveItems(deps, change, items);
  if (saved === 'no list') return missingPage(sent);
  if (saved === 'too many') {
    const path = `/watchlist/${list.id}/import`;
    const rejected = { action: path, values: {}, faults: { items: tooManyItems }, message: '' };
    return { status: 400, page: showImport(deps, { ...sent, path, rejected }, list) };
  }
  const { added, changed, matching } = saved;
  const done = { did: 'imported', n: added + changed, matching: matching || '' };
  return { goTo: withQuery(`/watchlist/${list.id}`, done) };
}

async function sendExport(deps: WebDeps, request: OwnRequest, list: WatchList) {
  const format = (['csv', 'xml'] as const).find((each) => each === request.params.format);
  if (!format) return missingPage(request);
  const items = await nameItems(deps, await readItems(deps, request.who.accountId, list.id));
  const name = `${safeName(`watchlist-${list.name}`)}.${format}`;
  return format === 'csv'
    ? csvDownload(name, watchListCsv(items))
    : { file: watchListXml(items), name, type: 'application/xml; charset=utf-8' };
}

async function nameItems({ market }: Pick<WebDeps, 'market'>, items: readonly WatchedItem[]) {
  const keys = (kind: WatchedItem['kind']) =>
    items.filter((item) => item.kind === kind).map(({ key }) => key);
  const [set, minifig] = await Promise.all([
    market.findNames('set', keys('set')),
    market.findNames('minifig', keys('minifig')),
  ]);
  const names = { set, minifig };
  return items.map((item) => ({ item, named: names[item.kind].get(item.key) ?? null }));
}

const changeColumns: readonly Column<WatchChange>[] = [
  mainColumn('Item', ({ item: { kind, number, name } }) => (
    <ItemCell kind={kind} number={number} name={name} />
  )),
  moneyColumn('Target', ({ item, before }) => item.targetCents ?? before?.targetCents ?? null, {
    missing: 'No target',
  }),
  column('Note', ({ item, before }) => item.note || before?.note),
  column('Change', ({ item, kind, before }) =>
    kind === 'added' ? 'New' : changeText(item, before),
  ),
];

function changeText(item: ResolvedItem, before: WatchedItem | null): string {
  const isNewTarget = item.targetCents !== null && item.targetCents !== before?.targetCents;
  const isNewNote = item.note !== '' && item.note !== before?.note;
  return [
    isNewTarget && `Target was ${moneyText(before?.targetCents ?? null)}`,
    isNewNote && (before?.note ? `Note was “${before.note}”` : 'Note added'),
  ]
    .filter(Boolean)
    .join('. ');
}
