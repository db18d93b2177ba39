/** Restatements for signed-in users, on sites without public pages; `api` answers on others. */
import { restatementsPath, restatementsRecord } from '../../contract/restatements.ts';
import { openPages } from '../page-table.ts';

export const restatementRoutes = openPages({
  [restatementsPath]: {
    get: async ({ market }) => ({ data: restatementsRecord(await market.listRestatements()) }),
  },
});
