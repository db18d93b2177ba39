/** Addresses that browsers, password managers and crawlers know. */
import { entrancePages } from '../page-table.ts';

const robotsSeconds = 3_600;

export const wellKnownRoutes = entrancePages({
  '/robots.txt': {
    get: ({ access }) => ({
      shared: `User-agent: *\nDisallow: ${access.hasPublicPages ? '/api/' : '/'}\n`,
      type: 'text/plain; charset=utf-8',
      seconds: robotsSeconds,
    }),
  },
  // Password managers lead here to change a password.
  '/.well-known/change-password': { get: () => ({ goTo: '/account' }) },
});
