/**
 * The page that confirms an email address, for anyone with the link, signed in or not. It has a
 * button, because mail services open links automatically.
 */
import { hashToken } from '../../accounts/sign-in/sign-in.work.ts';
import { isConfirmTokenValid } from '../../alerts/channels/confirm-link.ts';
import { idOf } from '../kit/address.ts';
import { ButtonForm, ButtonLink } from '../kit/buttons.tsx';
import { CardPage } from '../kit/layout.tsx';
import { confirmPath } from '../owner/alerts/email-channel.ts';
import type { PageAnswer, PageRequest, SentRequest, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';
import { orTooOften } from './end-alert.tsx';

export const confirmEmailRoutes = routes('entrance', {
  [confirmPath('{id}', '{token}')]: {
    hasSecretPath: true,
    get: orTooOften(showLink),
    post: orTooOften(postLink),
  },
});

function linkOf({ params, at }: PageRequest) {
  const { token = '' } = params;
  // No channel has the ID 0.
  const id = isConfirmTokenValid(token, at) ? (idOf(params.id) ?? 0) : 0;
  return { id, hash: hashToken(token) };
}

async function showLink({ accounts }: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const { id, hash } = linkOf(request);
  if (!(await accounts.hasConfirmLink(id, hash))) return badLink(request);
  return (
    <CardPage title="Confirm your email" request={request}>
      <p>Your Brickmark alerts will be sent to the address that received this link.</p>
      <ButtonForm action={request.path}>Confirm email</ButtonForm>
    </CardPage>
  );
}

async function postLink({ accounts }: WebDeps, sent: SentRequest): Promise<PageAnswer> {
  const { id, hash } = linkOf(sent);
  if (!(await accounts.useConfirmLink(id, hash, sent.at))) return badLink(sent);
  return (
    <CardPage title="Email confirmed" request={sent}>
      <p>Your alerts are now sent there.</p>
      <ButtonLink href="/alerts">View alerts</ButtonLink>
    </CardPage>
  );
}

function badLink(request: PageRequest): PageAnswer {
  const page = (
    <CardPage title="This link no longer works" request={request}>
      <p>It was already used, has expired, or a newer one was sent. You can request another one.</p>
      <ButtonLink href="/alerts/settings">Notifications</ButtonLink>
    </CardPage>
  );
  return { page, status: 404 };
}
