/** Shown to visitors instead of values. */
import { addressOf, withQuery } from '../kit/address.ts';
import type { PageRequest } from '../page.ts';

/** Links to sign in or sign up, and then return to the page. */
export function SignInHint(props: {
  readonly request: Pick<PageRequest, 'path' | 'query' | 'access'>;
}) {
  const { request } = props;
  const next = addressOf(request);
  return (
    <p class="quiet">
      <a href={withQuery('/sign-in', { next })}>Sign in</a>
      {request.access.signUp === 'open' && (
        <>
          {' or '}
          <a href={withQuery('/sign-up', { next })}>create an account</a>
        </>
      )}
      {' to see market values.'}
    </p>
  );
}
