/** Exports of collections and sales, which can be imported again. */

import { exportKinds, titlesFrom } from '../../portfolio/export/export-records.work.ts';
import { exportFormats, exportText } from '../../portfolio/export/export-text.work.ts';
import { sendRecorded } from '../audit.ts';
import { csvDownload } from '../kit/csv-download.ts';
import { missingPage } from '../kit/fault.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';

export const exportRoutes = routes('own', {
  '/export/{kind}/{format}': { get: sendExport },
});

async function sendExport(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const kind = exportKinds.find((each) => each === request.params.kind);
  const format = exportFormats.find((each) => each === request.params.format);
  if (!kind || !format) return missingPage(request);
  const { accounts, market } = deps;
  const source = { accounts, market: titlesFrom(market), accountId: request.who.accountId };
  const suffix = format === 'ghostfolio' ? '-ghostfolio' : '';
  const type = 'application/json; charset=utf-8';
  return sendRecorded(deps, request, {
    done: { action: 'data.exported', detail: `${kind}, ${format}` },
    send: () => {
      const file = exportText(kind, format, source);
      if (format === 'csv') return csvDownload(`brickmark-${kind}.csv`, file);
      return { file, name: `brickmark-${kind}${suffix}.json`, type };
    },
  });
}
