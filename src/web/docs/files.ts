/** The files of `docs/` that are shown at `/docs`, in the order of the contents. */
import alerts from '../../../docs/alerts.md' with { type: 'text' };
import api from '../../../docs/api.md' with { type: 'text' };
import buying from '../../../docs/buying.md' with { type: 'text' };
import client from '../../../docs/client.md' with { type: 'text' };
import events from '../../../docs/events.md' with { type: 'text' };
import guideConfidence from '../../../docs/guide-confidence.md' with { type: 'text' };
import guideMaxBuy from '../../../docs/guide-max-buy.md' with { type: 'text' };
import guideValue from '../../../docs/guide-value.md' with { type: 'text' };
import mcp from '../../../docs/mcp.md' with { type: 'text' };
import plusApi from '../../../docs/plus-api.md' with { type: 'text' };
import python from '../../../docs/python.md' with { type: 'text' };
import recipes from '../../../docs/recipes.md' with { type: 'text' };
import spreadsheets from '../../../docs/spreadsheets.md' with { type: 'text' };
import terminal from '../../../docs/terminal.md' with { type: 'text' };
import type { DocFile } from './library.ts';

export const docFiles: readonly DocFile[] = [
  { name: 'api.md', text: api, path: '/docs', label: 'API', isCut: true },
  { name: 'plus-api.md', text: plusApi, path: '/docs/plus', label: 'Plus API', isCut: true },
  { name: 'client.md', text: client, path: '/docs/client', label: 'TypeScript client' },
  { name: 'python.md', text: python, path: '/docs/python', label: 'Python client' },
  {
    name: 'spreadsheets.md',
    text: spreadsheets,
    path: '/docs/spreadsheets',
    label: 'Spreadsheets',
  },
  { name: 'recipes.md', text: recipes, path: '/docs/recipes', label: 'Home Assistant, Grafana' },
  { name: 'terminal.md', text: terminal, path: '/docs/terminal', label: 'Terminal' },
  { name: 'mcp.md', text: mcp, path: '/docs/mcp', label: 'AI apps (MCP)' },
  { name: 'events.md', text: events, path: '/docs/events', label: 'Events' },
  { name: 'buying.md', text: buying, path: '/docs/buying', label: 'Buying' },
  { name: 'guide-value.md', text: guideValue, path: '/docs/value', label: 'Value, explained' },
  {
    name: 'guide-confidence.md',
    text: guideConfidence,
    path: '/docs/confidence',
    label: 'Confidence, explained',
  },
  {
    name: 'guide-max-buy.md',
    text: guideMaxBuy,
    path: '/docs/max-buy',
    label: 'Max buy, explained',
  },
  { name: 'alerts.md', text: alerts, path: '/docs/alerts', label: 'Alerts' },
];

/** Links to files that are not shown, replaced by the pages of this site that they describe. */
export const sitePages: Readonly<Record<string, string>> = {
  'account-area.md': '/keys',
  'account-area.md#the-account': '/account/buying',
  'account-area.md#market': '/scorecard',
  'account-area.md#webhooks': '/webhooks',
};
