/** The first page of a new account. */
import { Layout } from '../kit/layout.tsx';
import { routes } from '../page-table.ts';

export const welcomeRoutes = routes('own', {
  '/welcome': {
    get: (_, request) => (
      <Layout title="Welcome to Brickmark" request={request}>
        <p>Your account is ready, with an empty collection. How do you want to start?</p>
        <div class="ways">
          {ways.map(({ href, name, about }) => (
            <a key={href} class="card" href={href}>
              <strong>{name}</strong>
              <span>{about}</span>
            </a>
          ))}
        </div>
      </Layout>
    ),
  },
});

const ways = [
  {
    href: '/inventory/import',
    name: 'Import a file',
    about: 'Your collection from BrickEconomy, Brickset, Rebrickable or a spreadsheet.',
  },
  {
    href: '/inventory/add',
    name: 'Add a set',
    about: 'Record one purchase and see what it is worth today.',
  },
  {
    href: '/market',
    name: 'Explore the market',
    about: 'Look up values, price history and deals.',
  },
] as const;
