/** What strangers read in the place of values. */
import { addressOf, withQuery } from '../kit/address.ts';
import type { PageRequest } from '../page.ts';

/** A line that leads to an account, and back here. */
export function SignInHint({ request }: { readonly request: Pick<PageRequest, 'path' | 'query'> }) {
  const next = addressOf(request);
  return (
    <p class="quiet">
      <a href={withQuery('/sign-in', { next })}>Sign in</a> or{' '}
      <a href={withQuery('/sign-up', { next })}>create an account</a> to see market values.
    </p>
  );
}
