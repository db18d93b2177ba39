/** Addresses that browsers, password managers and crawlers know. */
import { dayMs, formatInstant } from '../../kernel/time.ts';
import { missingPage } from '../kit/fault.tsx';
import { routes } from '../page-table.ts';

const keptSeconds = 3_600;
const plainText = 'text/plain; charset=utf-8';

/** Security researchers do not trust a contact that was not confirmed for long. */
const contactDays = 90;

export const wellKnownRoutes = routes('entrance', {
  '/robots.txt': {
    get: (_, { access }) => ({
      shared: `User-agent: *\nDisallow: ${access.hasPublicPages ? '/api/' : '/'}\n`,
      type: plainText,
      seconds: keptSeconds,
    }),
  },
  '/.well-known/security.txt': {
    get: ({ site: { securityContact } }, request) =>
      securityContact === null
        ? missingPage(request)
        : {
            shared:
              `Contact: ${securityContact}\n` +
              `Expires: ${formatInstant(request.at + contactDays * dayMs)}\n` +
              'Preferred-Languages: en\n',
            type: plainText,
            seconds: keptSeconds,
          },
  },
  // Password managers lead here to change a password.
  '/.well-known/change-password': { get: () => ({ goTo: '/account' }) },
});
