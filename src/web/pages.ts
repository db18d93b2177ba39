/** The list of all routes. */

import { dealRoutes } from './catalog/deals.tsx';
import { homeRoutes } from './catalog/home.tsx';
import { minifigRoutes } from './catalog/minifigs.tsx';
import { pictureRoutes } from './catalog/picture-routes.ts';
import { restatementRoutes } from './catalog/restatements.tsx';
import { retailRoutes } from './catalog/retail.tsx';
import { scorecardRoutes } from './catalog/scorecard.tsx';
import { searchLimit, searchRoutes } from './catalog/search.tsx';
import { setRoutes } from './catalog/sets.tsx';
import { statusRoutes } from './catalog/status.tsx';
import { themeRoutes } from './catalog/themes.tsx';
import { docsRoutes } from './docs/docs.tsx';
import { kitRoutes } from './kit/kit-page.tsx';
import { operatorRoutes } from './operator/operator.tsx';
import { operatorAccountRoutes } from './operator/operator-accounts.tsx';
import { operatorAuditRoutes } from './operator/operator-audit.tsx';
import { operatorNoticeRoutes } from './operator/operator-notices.tsx';
import { alertEditRoutes } from './owner/alerts/alert-edit.tsx';
import { alertSettingsRoutes } from './owner/alerts/alert-settings.tsx';
import { alertRoutes } from './owner/alerts/alerts.tsx';
import { channelEditRoutes } from './owner/alerts/channel-edit.tsx';
import { firedAlertRoutes } from './owner/alerts/fired.tsx';
import { boxRoutes } from './owner/buying/box.tsx';
import { buyingSettingsRoutes } from './owner/buying/buying-settings.tsx';
import { evaluateRoutes } from './owner/buying/evaluate.tsx';
import { keyDetailRoutes } from './owner/developer/key-pages.tsx';
import { keyRoutes } from './owner/developer/keys.tsx';
import { sheetLinkRoutes } from './owner/developer/sheet-links.tsx';
import { usageRoutes } from './owner/developer/usage.tsx';
import { webhookDetailRoutes } from './owner/developer/webhook.tsx';
import { webhookRoutes } from './owner/developer/webhooks.tsx';
import { deviceRoutes } from './owner/device/device.tsx';
import { importRoutes } from './owner/import/import.tsx';
import { addLotRoutes } from './owner/inventory/add-lot.tsx';
import { askingPriceRoutes } from './owner/inventory/asking-prices.tsx';
import { bulkEditRoutes } from './owner/inventory/bulk-edit.tsx';
import { collectionRoutes } from './owner/inventory/collections.tsx';
import { insuranceRoutes } from './owner/inventory/insurance.tsx';
import { inventoryRoutes } from './owner/inventory/inventory.tsx';
import { lotRoutes } from './owner/inventory/lot.tsx';
import { photoRoutes } from './owner/inventory/lot-photos.tsx';
import { ownFieldRoutes } from './owner/inventory/own-fields.tsx';
import { savedViewRoutes } from './owner/inventory/view-edit.ts';
import { portfolioRoutes } from './owner/portfolio/portfolio.tsx';
import { portfolioFigures } from './owner/portfolio/portfolio-figures.ts';
import { purchaseRoutes } from './owner/purchases/purchase.tsx';
import { newPurchaseRoutes } from './owner/purchases/purchase-form.tsx';
import { feesPaidRoutes } from './owner/sales/fees-paid.tsx';
import { profitRoutes } from './owner/sales/profit.tsx';
import { recordSaleRoutes } from './owner/sales/record-sale.tsx';
import { saleRoutes } from './owner/sales/sale.tsx';
import { undoSaleRoutes } from './owner/sales/sale-toast.tsx';
import { salesRoutes } from './owner/sales/sales.tsx';
import { whereToSellRoutes } from './owner/sales/where-to-sell.tsx';
import { ownBarcodeRoutes, scanRoutes } from './owner/scan/scan.tsx';
import { sharedRoutes } from './owner/sharing/shared.tsx';
import { sharingRoutes } from './owner/sharing/sharing.tsx';
import { skipDealRoutes } from './owner/today/skip-deal.tsx';
import { todayRoutes } from './owner/today/today.tsx';
import { watchImportRoutes } from './owner/watchlist/watch-import.tsx';
import { watchItemRoutes } from './owner/watchlist/watch-item.tsx';
import { watchListEditRoutes, watchListRoutes } from './owner/watchlist/watch-lists.tsx';
import type { WebDeps } from './page.ts';
import type { PageRoute } from './page-table.ts';
import { accountRoutes } from './session/account.tsx';
import { confirmEmailRoutes } from './session/confirm-email.tsx';
import { endAlertRoutes } from './session/end-alert.tsx';
import { exportRoutes } from './session/export.tsx';
import { forgottenRoutes } from './session/forgotten.tsx';
import { invitationRoutes } from './session/invitation.tsx';
import { ownActivityRoutes } from './session/own-activity.tsx';
import { passkeyRoutes, passkeySignInRoutes } from './session/passkeys.tsx';
import { linkRoutes, providerRoutes } from './session/provider.tsx';
import { requiredRoutes } from './session/required.tsx';
import { authenticatorRoutes, codeRoutes } from './session/second-factor.tsx';
import { signInRoutes } from './session/sign-in.tsx';
import { themeRoutes as lookRoutes } from './session/theme.ts';
import { welcomeRoutes } from './session/welcome.tsx';
import { wellKnownRoutes } from './session/well-known.ts';

/** Every page, by the part of the product it belongs to. A path has one page. */
export function pageRoutes(deps: WebDeps): readonly PageRoute[] {
  const findPortfolio = portfolioFigures(deps);
  const maySearch = searchLimit(deps);
  return [
    ...pages,
    ...profitRoutes(deps),
    ...sharedRoutes(),
    ...todayRoutes(findPortfolio),
    ...deviceRoutes(),
    ...portfolioRoutes(findPortfolio),
    ...pictureRoutes(deps),
    ...searchRoutes(maySearch),
    ...themeRoutes(maySearch),
    ...statusRoutes(deps),
    ...docsRoutes(),
  ];
}

/** The pages that need nothing to begin with. */
const pages: readonly PageRoute[] = [
  // Sessions
  ...signInRoutes,
  ...codeRoutes,
  ...passkeySignInRoutes,
  ...passkeyRoutes,
  ...providerRoutes,
  ...linkRoutes,
  ...requiredRoutes,
  ...authenticatorRoutes,
  ...invitationRoutes,
  ...wellKnownRoutes,
  ...lookRoutes,
  ...welcomeRoutes,
  ...forgottenRoutes,
  ...accountRoutes,
  ...ownActivityRoutes,
  // Inventory
  ...inventoryRoutes,
  ...ownFieldRoutes,
  ...askingPriceRoutes,
  ...bulkEditRoutes,
  ...savedViewRoutes,
  ...addLotRoutes,
  ...importRoutes,
  ...exportRoutes,
  ...collectionRoutes(),
  ...lotRoutes(),
  ...photoRoutes,
  ...insuranceRoutes,
  // Sales
  ...recordSaleRoutes,
  ...whereToSellRoutes,
  ...salesRoutes,
  ...undoSaleRoutes,
  ...feesPaidRoutes,
  ...saleRoutes,
  // Buying
  ...buyingSettingsRoutes,
  ...scanRoutes,
  ...ownBarcodeRoutes,
  ...evaluateRoutes,
  ...boxRoutes(),
  ...newPurchaseRoutes,
  ...purchaseRoutes(),
  // Alerts
  ...alertRoutes,
  ...firedAlertRoutes,
  ...alertSettingsRoutes,
  ...channelEditRoutes,
  ...endAlertRoutes,
  ...confirmEmailRoutes,
  ...alertEditRoutes,
  // Watchlists
  ...watchItemRoutes,
  ...watchListRoutes(),
  ...watchListEditRoutes,
  ...watchImportRoutes,
  // Developers
  ...webhookRoutes,
  ...webhookDetailRoutes(),
  ...keyRoutes,
  ...keyDetailRoutes,
  ...sheetLinkRoutes,
  ...usageRoutes,
  // Operators
  ...operatorRoutes,
  ...operatorAccountRoutes,
  ...operatorNoticeRoutes,
  ...operatorAuditRoutes,
  // Catalog
  ...homeRoutes,
  ...setRoutes,
  ...minifigRoutes,
  ...retailRoutes,
  ...dealRoutes,
  ...scorecardRoutes,
  ...restatementRoutes,
  // Others
  ...sharingRoutes,
  ...skipDealRoutes,
  ...kitRoutes,
];
