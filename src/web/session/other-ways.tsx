/** Ways to sign in without a password, and the site that passkeys belong to. */
import { hasPasskeys, type PasskeySite } from '../../accounts/sign-in/passkeys.work.ts';
import { withQuery } from '../kit/address.ts';
import { PlainButton, PlainLink } from '../kit/buttons.tsx';
import { PostForm } from '../kit/fields.tsx';
import type { PageRequest, WebDeps } from '../page.ts';
import { originOf } from '../server/origin.ts';

/**
 * Without a base URL, the port of localhost that the server listens on: browsers have no passkeys
 * at other addresses over http. The Host header does not decide, or another program on this machine
 * could ask for a signature and pass it on.
 */
export function passkeySite({ site }: WebDeps, { ownUrl }: PageRequest): PasskeySite {
  if (site.baseUrl !== null) return { origin: originOf(site.baseUrl) };
  const { port } = new URL(ownUrl);
  return { origin: originOf(`http://localhost:${port || 80}`) };
}

/** Whether browsers have passkeys at the address that this one uses. */
export function hasPasskeysHere(deps: WebDeps, request: PageRequest): boolean {
  const site = passkeySite(deps, request);
  return originOf(request.baseUrl) === site.origin && hasPasskeys(site);
}

export interface Ways {
  /** The name of the identity provider; null if it is no way. */
  readonly provider: string | null;
  readonly hasPasskeys: boolean;
}

/** The links and forms; `next` is the page to open then. */
export function OtherWays(props: Ways & { readonly next: string; readonly isAgain?: boolean }) {
  const { provider, next, isAgain = false } = props;
  return (
    <div class="other-ways">
      {provider !== null && (
        <PlainLink href={withQuery('/sign-in/provider', { next, again: isAgain ? '1' : null })}>
          {`Sign in with ${provider}`}
        </PlainLink>
      )}
      {props.hasPasskeys && (
        <div data-passkey="get" hidden>
          <PostForm action="/sign-in/passkey">
            <input type="hidden" name="next" value={next} />
            <input type="hidden" name="credential" />
            <PlainButton>Sign in with a passkey</PlainButton>
          </PostForm>
        </div>
      )}
    </div>
  );
}
