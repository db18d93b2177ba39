/** All pages, written out. */

import type { WebDeps } from './deps.ts';
import type { PageRoute } from './page.ts';
import { accountRoutes } from './pages/account.tsx';
import { alertEditRoutes } from './pages/alert-edit.tsx';
import { alertSettingsRoutes } from './pages/alert-settings.tsx';
import { alertRoutes } from './pages/alerts.tsx';
import { alertsSentRoutes } from './pages/alerts-sent.tsx';
import { buyingSettingsRoutes } from './pages/buying-settings.tsx';
import { collectionRoutes } from './pages/collection.tsx';
import { collectionEditRoutes } from './pages/collection-edit.tsx';
import { collectionsRoutes } from './pages/collections.tsx';
import { confirmEmailRoutes } from './pages/confirm-email.tsx';
import { dealRoutes } from './pages/deals.tsx';
import { docsRoutes } from './pages/docs.tsx';
import { endAlertRoutes } from './pages/end-alert.tsx';
import { evaluateRoutes } from './pages/evaluate.tsx';
import { exportRoutes } from './pages/export.tsx';
import { feesPaidRoutes } from './pages/fees-paid.tsx';
import { forgottenRoutes } from './pages/forgotten.tsx';
import { homeRoutes } from './pages/home.tsx';
import { importRoutes } from './pages/import.tsx';
import { keyRoutes } from './pages/keys.tsx';
import { leaveRoutes } from './pages/leave.tsx';
import { lotRoutes } from './pages/lot.tsx';
import { minifigRoutes } from './pages/minifigs.tsx';
import { operatorRoutes } from './pages/operator.tsx';
import { operatorAccountRoutes } from './pages/operator-accounts.tsx';
import { overviewRoutes } from './pages/overview.tsx';
import { pictureRoutes } from './pages/pictures.ts';
import { recordSaleRoutes } from './pages/record-sale.tsx';
import { retailRoutes } from './pages/retail.tsx';
import { saleRoutes } from './pages/sale.tsx';
import { salesRoutes } from './pages/sales.tsx';
import { scorecardRoutes } from './pages/scorecard.tsx';
import { searchRoutes } from './pages/search.tsx';
import { setRoutes } from './pages/sets.tsx';
import { sheetLinkRoutes } from './pages/sheet-links.tsx';
import { signInRoutes } from './pages/sign-in.tsx';
import { soldOutRoutes } from './pages/sold-out.tsx';
import { themeRoutes } from './pages/themes.tsx';
import { usageRoutes } from './pages/usage.tsx';
import { watchImportRoutes } from './pages/watch-import.tsx';
import { watchItemRoutes } from './pages/watch-item.tsx';
import { watchListEditRoutes } from './pages/watch-list-edit.tsx';
import { watchListRoutes } from './pages/watch-lists.tsx';
import { webhookDetailRoutes } from './pages/webhook.tsx';
import { webhookRoutes } from './pages/webhooks.tsx';
import { whereToSellRoutes } from './pages/where-to-sell.tsx';

/** The table of pages. */
export function pageRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    ...homeRoutes(deps),
    ...signInRoutes(deps),
    ...forgottenRoutes(deps),
    ...accountRoutes(deps),
    ...buyingSettingsRoutes(deps),
    ...collectionsRoutes(deps),
    ...importRoutes(deps),
    ...exportRoutes(deps),
    ...collectionRoutes(deps),
    ...collectionEditRoutes(deps),
    ...soldOutRoutes(deps),
    ...lotRoutes(deps),
    ...recordSaleRoutes(deps),
    ...whereToSellRoutes(deps),
    ...salesRoutes(deps),
    ...feesPaidRoutes(deps),
    ...saleRoutes(deps),
    ...evaluateRoutes(deps),
    ...alertRoutes(deps),
    ...alertsSentRoutes(deps),
    ...alertSettingsRoutes(deps),
    ...endAlertRoutes(deps),
    ...confirmEmailRoutes(deps),
    ...alertEditRoutes(deps),
    ...webhookRoutes(deps),
    ...webhookDetailRoutes(deps),
    ...leaveRoutes(deps),
    ...overviewRoutes(deps),
    ...keyRoutes(deps),
    ...sheetLinkRoutes(deps),
    ...usageRoutes(deps),
    ...operatorRoutes(deps),
    ...operatorAccountRoutes(deps),
    ...setRoutes(deps),
    ...minifigRoutes(deps),
    ...pictureRoutes(deps),
    ...searchRoutes(deps),
    ...themeRoutes(deps),
    ...retailRoutes(deps),
    ...dealRoutes(deps),
    ...watchItemRoutes(deps),
    ...watchListRoutes(deps),
    ...watchListEditRoutes(deps),
    ...watchImportRoutes(deps),
    ...scorecardRoutes(deps),
    ...docsRoutes(),
  ];
}
