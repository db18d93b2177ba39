/** Requesting a password reset: by email, or else from the operator. */

import { emailProblem } from '../../accounts/people/email.ts';
import { makeResetLink, mayRequestResetLink } from '../../accounts/sign-in/sign-in.work.ts';
import { BackLink } from '../kit/buttons.tsx';
import { Card } from '../kit/card.tsx';
import { missingPage } from '../kit/fault.tsx';
import { Field, Notice, PostForm } from '../kit/fields.tsx';
import { formPage } from '../kit/form-page.tsx';
import { Layout } from '../kit/layout.tsx';
import type { PageAnswer, PageRequest, SentRequest, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';

/**
 * Neither the answer nor its timing reveals whether the account exists, because the account is
 * looked up after the answer. Over the rate limit, the answer is the same, too.
 */
export const forgottenRoutes = routes('entrance', {
  '/password': formPage({
    barred: ({ sendMail }, request) => (sendMail ? null : missingPage(request)),
    show: showForgotten,
    read: ({ fields }) => {
      const email = fields.form.text('email');
      fields.check('email', emailProblem(email));
      return email;
    },
    save: async ({ deps, sent }, email) => {
      if (await mayRequestResetLink(deps, email, sent)) {
        const send = () => sendResetLink(deps, email, sent);
        setTimeout(() => send().catch((error) => deps.onFailure('mail', error)), 0);
      }
      return { goTo: '/password?sent=1' };
    },
  }),
});

function showForgotten({ sendMail }: WebDeps, request: PageRequest): PageAnswer {
  return (
    <Layout title="Reset your password" request={request} isNarrow>
      {request.query.has('sent') && (
        <Notice>
          If there is an account with this email, we sent it a link. It works once, for 24 hours. If
          nothing arrives, check your spam folder.
        </Notice>
      )}
      <Card>
        {sendMail ? (
          <PostForm action="/password">
            <Field name="email" label="Email" type="email" autocomplete="username" />
            <button type="submit">Send reset link</button>
          </PostForm>
        ) : (
          <p class="flush">
            This site does not send email. Ask its operator for a link to set a new password, and
            tell them the email of your account.
          </p>
        )}
      </Card>
      <BackLink href="/sign-in">Back to sign in</BackLink>
    </Layout>
  );
}

/** Sends a password link to the address of an account, if there is one. */
export async function sendResetLink(deps: WebDeps, email: string, sent: SentRequest) {
  const token = await makeResetLink(deps, email, sent.at);
  if (token === null) return;
  // The address of the account, which may be spelled differently from the one entered.
  const account = await deps.accounts.findAccount(email, sent.at);
  await deps.sendMail?.({
    to: account?.email ?? email,
    subject: 'Reset your Brickmark password',
    text: [
      'Someone asked to reset the password of your Brickmark account. To set a new one, open:',
      '',
      `${sent.baseUrl}/password/${token}`,
      '',
      'The link works once, for 24 hours. Setting a new password signs you out everywhere and',
      'revokes your API keys.',
      '',
      'If this was not you, ignore this email. Your password stays the same.',
    ].join('\n'),
    at: sent.at,
  });
}
