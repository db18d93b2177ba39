/** Creating an account with an invitation, and the first operator's. */

import type { Invitation } from '../../accounts/people/invitation.ts';
import { invitationPath } from '../../accounts/people/invitations.work.ts';
import { hashToken, signUpInvited } from '../../accounts/sign-in/sign-in.work.ts';
import { ButtonLink } from '../kit/buttons.tsx';
import { FormPage, formPage } from '../kit/form-page.tsx';
import { CardPage } from '../kit/layout.tsx';
import type { PageAnswer, PageRequest, SentRequest, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';
import { orTooOften } from './end-alert.tsx';
import { beginSession, NewAccountFields, readNewAccount, refusedSignUp } from './sign-in.tsx';

const acceptPage = formPage({
  show: async (deps: WebDeps, request: PageRequest) => {
    const invitation = await findInvitation(deps, request, tokenOf(request));
    if (!invitation) return deadInvitation(request);
    return showInvitation(request, invitation, deps.site.provider?.name ?? null);
  },
  barred: (_, request) => (request.access.requires === 'oidc' ? { goTo: request.path } : null),
  read: readNewAccount,
  save: async ({ deps, sent }, typed) => {
    const token = tokenOf(sent);
    const invitation = await findInvitation(deps, sent, token);
    if (!invitation) return deadInvitation(sent);
    const made = await signUpInvited(deps, { ...typed, invitation: hashToken(token) }, sent);
    if (made === 'gone') return deadInvitation(sent);
    if (typeof made === 'string') return refusedSignUp(made);
    const start = invitation.isOperator ? '/operator' : '/welcome';
    return beginSession(deps, sent, made, { next: '', start });
  },
});

export const invitationRoutes = routes('entrance', {
  [invitationPath('{token}')]: {
    hasSecretPath: true,
    get: orTooOften(async (deps, request) => acceptPage.get(deps, request, null)),
    post: orTooOften((deps, sent: SentRequest) => acceptPage.post(deps, sent, null)),
  },
});

function tokenOf({ params }: PageRequest): string {
  return params.token ?? '';
}

/** Null also if invitations are off. */
export async function findInvitation(
  { accounts }: WebDeps,
  request: PageRequest,
  token: string,
): Promise<Invitation | null> {
  const found = await accounts.findInvitation(hashToken(token), request.at);
  return found?.isOperator || request.access.signUp !== 'closed' ? found : null;
}

function showInvitation(
  request: PageRequest,
  { isOperator }: Invitation,
  provider: string | null,
): PageAnswer {
  const title = isOperator ? 'Create the first operator account' : 'Create your account';
  const above = (
    <>
      {isOperator && (
        <p>It manages this site: accounts, plans and imports. This link works once.</p>
      )}
      {provider !== null && (
        <p>
          <ButtonLink href={`${request.path}/provider`}>{`Continue with ${provider}`}</ButtonLink>
        </p>
      )}
    </>
  );
  if (request.access.requires === 'oidc') {
    return (
      <CardPage title={title} request={request}>
        {above}
      </CardPage>
    );
  }
  return (
    <FormPage request={request} title={title} above={above} button="Create account">
      <NewAccountFields request={request} />
    </FormPage>
  );
}

export function deadInvitation(request: PageRequest): PageAnswer {
  const page = (
    <CardPage title="This invitation is no longer valid" request={request}>
      <p>It was already used, revoked or replaced, or it has expired. Ask for a new one.</p>
      <ButtonLink href="/sign-in">Sign in</ButtonLink>
    </CardPage>
  );
  return { page, status: 404 };
}
