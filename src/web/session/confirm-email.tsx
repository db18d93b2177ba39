/**
 * The page behind the link that confirms an email address. Whoever has the link has the mail that
 * it was in, signed in or not; it takes a button, for mail services open links by themselves.
 */
import { hashToken } from '../../accounts/sign-in.ts';
import type { WebDeps } from '../deps.ts';
import { idOf } from '../kit/address.ts';
import { ButtonForm } from '../kit/buttons.tsx';
import { Card } from '../kit/card.tsx';
import { Layout } from '../kit/layout.tsx';
import { confirmPath } from '../owner/alerts/email-channel.ts';
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

interface ConfirmProps {
  readonly request: PageRequest;
}

function ConfirmPage({ request }: ConfirmProps) {
  return (
    <Layout title="Confirm your email" request={request} isNarrow>
      <Card>
        <p>Your Brickmark alerts will be sent to the address that received this link.</p>
        <ButtonForm request={request} action={request.path}>
          Confirm email
        </ButtonForm>
      </Card>
    </Layout>
  );
}

function ConfirmedPage({ request }: ConfirmProps) {
  return (
    <Layout title="Email confirmed" request={request} isNarrow>
      <Card>
        <p>Your alerts are now sent there.</p>
        <a class="button" href="/alerts">
          View alerts
        </a>
      </Card>
    </Layout>
  );
}

function BadLinkPage({ request }: ConfirmProps) {
  return (
    <Layout title="This link no longer works" request={request} isNarrow>
      <Card>
        <p>It was already used, or a newer one was sent. You can request another one.</p>
        <a class="button" href="/alerts/settings">
          Notifications
        </a>
      </Card>
    </Layout>
  );
}
