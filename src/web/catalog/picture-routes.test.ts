/** Items of the demo market are drawn, whatever their record has. */
import { expect, test } from 'bun:test';
import { setExample } from '../../contract/set.ts';
import type { PageRequest, WebDeps } from '../page.ts';
import { pictureRoutes } from './picture-routes.ts';

test('items of the demo market are drawn without a request, thumbnails with fewer details', async () => {
  const deps = {
    pictures: {
      hosts: ['images.example.com'],
      fetchOutside: () => Promise.reject(new Error('Somebody was asked.')),
      draw: ({ kind, number, name, theme }, isSmall) => [kind, number, name, theme, isSmall].join(),
    } as Partial<WebDeps['pictures']> as WebDeps['pictures'],
    clock: () => 0,
    cache: { findDocument: async () => JSON.stringify(setExample) } as Partial<
      WebDeps['cache']
    > as WebDeps['cache'],
  } as Partial<WebDeps> as WebDeps;
  const [sets] = pictureRoutes(deps);
  const drawn = (query: string) =>
    sets?.get?.(deps, {
      params: { number: '10482' },
      query: new URLSearchParams(query),
    } as Partial<PageRequest> as PageRequest & { who: never });
  const picture = 'set,10482,Harbour Lighthouse,Coastline';
  const answer = { type: 'image/svg+xml', seconds: 86_400 };
  expect(await drawn('size=thumb')).toEqual({ picture: `${picture},true`, ...answer });
  expect(await drawn('size=large')).toEqual({ picture: `${picture},false`, ...answer });
});
