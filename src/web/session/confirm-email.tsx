/**
 * The page behind the link that confirms an email address. Whoever has the link has the mail that
 * it was in, signed in or not; it takes a button, for mail services open links by themselves.
 */
import { hashToken } from '../../accounts/sign-in.ts';
import type { WebDeps } from '../deps.ts';
import { PostForm } from '../kit/fields.tsx';
import { Layout } from '../kit/layout.tsx';
import { confirmPath } from '../owner/alerts/email-channel.ts';
import { idOf } from '../owner/inventory/lot-form.ts';
import type { PageAnswer, PageRequest, PageRoute } from '../page.ts';
import { orTooOften } from './end-alert.tsx';

/** The page that confirms an address. */
export function confirmEmailRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'open',
      path: confirmPath('{id}', '{token}'),
      get: (request) =>
        orTooOften(deps, request, async () => {
          const { id, hash } = linkOf(request);
          if (!(await deps.accounts.hasConfirmLink(id, hash))) return badLink(request);
          return { page: <ConfirmPage request={request} /> };
        }),
      post: (sent) =>
        orTooOften(deps, sent, async () => {
          const { id, hash } = linkOf(sent);
          if (!(await deps.accounts.useConfirmLink(id, hash, sent.at))) return badLink(sent);
          return { page: <ConfirmedPage request={sent} /> };
        }),
    },
  ];
}

function linkOf({ params }: PageRequest) {
  // No channel has the id 0.
  return { id: idOf(params.id) ?? 0, hash: hashToken(params.token ?? '') };
}

function badLink(request: PageRequest): PageAnswer {
  return { page: <BadLinkPage request={request} />, status: 404 };
}

function ConfirmPage({ request }: { readonly request: PageRequest }) {
  return (
    <Layout title="Confirm your email address" request={request} isNarrow>
      <section class="card">
        <p>Alerts of your Brickmark account are sent to the address that got this link.</p>
        <PostForm request={request} action={request.path} class="row">
          <button type="submit">Confirm</button>
        </PostForm>
      </section>
    </Layout>
  );
}

function ConfirmedPage({ request }: { readonly request: PageRequest }) {
  return (
    <Layout title="Your email address is confirmed" request={request} isNarrow>
      <section class="card">
        <p>
          From now on, alerts are sent there. <a href="/alerts">See your alerts</a>
        </p>
      </section>
    </Layout>
  );
}

function BadLinkPage({ request }: { readonly request: PageRequest }) {
  return (
    <Layout title="This link does not work" request={request} isNarrow>
      <section class="card">
        <p>
          It was used already, or there is a newer one. Email is on or off under{' '}
          <a href="/alerts/settings">Alert settings</a>, where you can ask for another link.
        </p>
      </section>
    </Layout>
  );
}
