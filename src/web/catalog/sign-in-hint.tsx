/** What strangers read in the place of values. */
import { withQuery } from '../kit/address.ts';
import type { PageRequest } from '../page.ts';

/** A line that leads to an account, and back here. */
export function SignInHint({ request }: { readonly request: Pick<PageRequest, 'path' | 'query'> }) {
  const next = request.query.size === 0 ? request.path : `${request.path}?${request.query}`;
  return (
    <p class="quiet">
      <a href={withQuery('/sign-in', { next })}>Sign in</a> or{' '}
      <a href={withQuery('/sign-up', { next })}>create an account</a> to see market values.
    </p>
  );
}
