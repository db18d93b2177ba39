/** Look-ups of barcodes for a signed-in user: what the account attached to a set comes first. */
import type { PageRequest, WebDeps } from '../page.ts';

/** Dependencies of a user's pages, which also find sets by the user's own barcodes. */
export function withOwnBarcodes(deps: WebDeps, who: PageRequest['who']): WebDeps {
  if (who === null) return deps;
  const { market, accounts } = deps;
  const findBarcodeSets: typeof market.findBarcodeSets = async (codes) => {
    const found = new Map(await market.findBarcodeSets(codes));
    if (codes.length === 0) return found;
    const unknown = new Set(codes);
    for (const { code, setKey } of await accounts.listOwnBarcodes(who.accountId)) {
      if (setKey !== null && unknown.has(code)) found.set(code, [setKey]);
    }
    return found;
  };
  return { ...deps, market: { ...market, findBarcodeSets } };
}
