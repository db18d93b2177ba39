/** A forgotten password: a link by e-mail where that is possible, or how else to get one. */

import { makeResetLink, mayAskForLink } from '../../accounts/sign-in.ts';
import { emailProblem } from '../../domain/account/email.ts';
import type { WebDeps } from '../deps.ts';
import { missingPage } from '../kit/fault.tsx';
import { Field, Notice, PostForm, type Typed, untyped } from '../kit/fields.tsx';
import { Layout } from '../kit/layout.tsx';
import type { PageAnswer, PageRequest, PageRoute, SentRequest } from '../page.ts';

/** The page of whoever cannot sign in any more. */
export function forgottenRoutes(deps: WebDeps): readonly PageRoute[] {
  const canSend = deps.sendMail !== undefined;
  return [
    {
      access: 'open',
      path: '/password',
      get: async (request) => ({ page: <ForgottenPage request={request} canSend={canSend} /> }),
      post: async (sent) => (canSend ? postForgotten(deps, sent) : missingPage(sent)),
    },
  ];
}

/**
 * The answer is the same whether there is such an account or not, and takes the same time: the
 * account is looked for after it. So is it when links were asked for too often.
 */
async function postForgotten(deps: WebDeps, sent: SentRequest): Promise<PageAnswer> {
  const email = sent.form.text('email');
  const fault = emailProblem(email);
  if (fault) {
    const typed: Typed = { values: sent.form.typed, faults: { email: fault } };
    return { page: <ForgottenPage request={sent} canSend typed={typed} />, status: 400 };
  }
  if (await mayAskForLink(deps, email, sent)) {
    const send = () => sendLink(deps, email, sent);
    setTimeout(() => send().catch((error) => deps.onMailFailure?.(error)), 0);
  }
  return { goTo: '/password?sent=1' };
}

async function sendLink(deps: WebDeps, email: string, sent: SentRequest): Promise<void> {
  const token = await makeResetLink(deps, email, sent.at);
  if (token === null) return;
  // It goes where the account was made for, however the e-mail is written this time.
  const account = await deps.accounts.findAccount(email, sent.at);
  await deps.sendMail?.({
    to: account?.email ?? email,
    subject: 'Your link for a new password',
    text: [
      'Somebody, probably you, asked for a new password for Brickmark. Set it here:',
      '',
      `${sent.baseUrl}/password/${token}`,
      '',
      'The link works once, within 24 hours. If it was not you, do nothing:',
      'your password stays as it is.',
    ].join('\n'),
    at: sent.at,
  });
}

function ForgottenPage(props: {
  readonly request: PageRequest;
  readonly canSend: boolean;
  readonly typed?: Typed;
}) {
  const { request, canSend, typed = untyped } = props;
  return (
    <Layout title="Password forgotten" request={request} isNarrow>
      {request.query.has('sent') && (
        <Notice>
          If there is an account with this e-mail, a link is on its way. It works once, within 24
          hours. Nothing came? Look among the unwanted mail before you ask again.
        </Notice>
      )}
      <div class="card">
        {canSend ? (
          <PostForm request={request} action="/password">
            <Field name="email" label="E-mail" type="email" typed={typed} autocomplete="username" />
            <button type="submit">Send me a link</button>
          </PostForm>
        ) : (
          <p class="flush">
            Whoever runs this site can give you a link with which you set a new one. Ask them, with
            the e-mail of your account.
          </p>
        )}
      </div>
      <p>
        <a href="/sign-in">Back to signing in</a>
      </p>
    </Layout>
  );
}
