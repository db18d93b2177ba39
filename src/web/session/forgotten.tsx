/** A forgotten password: a link by email where that is possible, or how else to get one. */

import { makeResetLink, mayAskForLink } from '../../accounts/sign-in.ts';
import { emailProblem } from '../../domain/account/email.ts';
import type { WebDeps } from '../deps.ts';
import { Card } from '../kit/card.tsx';
import { missingPage } from '../kit/fault.tsx';
import { Field, Notice, PostForm, type Typed, untyped } from '../kit/fields.tsx';
import { Layout } from '../kit/layout.tsx';
import { TypedFields } from '../kit/typed-fields.ts';
import type { PageAnswer, PageRequest, PageRoute, SentRequest } from '../page.ts';
import { openPages } from '../page-table.ts';

/** The page of whoever cannot sign in any more. */
export function forgottenRoutes(deps: WebDeps): readonly PageRoute[] {
  const canSend = deps.sendMail !== undefined;
  return openPages(deps, {
    '/password': {
      get: (_, request) => ({ page: <ForgottenPage request={request} canSend={canSend} /> }),
      post: (deps, sent) => (canSend ? postForgotten(deps, sent) : missingPage(sent)),
    },
  });
}

/**
 * The answer is the same whether there is such an account or not, and takes the same time: the
 * account is looked for after it. So is it when links were asked for too often.
 */
async function postForgotten(deps: WebDeps, sent: SentRequest): Promise<PageAnswer> {
  const fields = new TypedFields(sent.form, sent.at);
  const email = sent.form.text('email');
  fields.check('email', emailProblem(email));
  if (!fields.isGood) {
    return { page: <ForgottenPage request={sent} canSend typed={fields.typed} />, status: 400 };
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
  // It goes where the account was made for, however the email is written this time.
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

function ForgottenPage(props: {
  readonly request: PageRequest;
  readonly canSend: boolean;
  readonly typed?: Typed;
}) {
  const { request, canSend, typed = untyped } = props;
  return (
    <Layout title="Reset your password" request={request} isNarrow>
      {request.query.has('sent') && (
        <Notice>
          If there is an account with this email, we sent it a link. It works once, for 24 hours. If
          nothing arrives, check your spam folder.
        </Notice>
      )}
      <Card>
        {canSend ? (
          <PostForm request={request} action="/password" typed={typed}>
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
      <p>
        <a href="/sign-in">Back to sign in</a>
      </p>
    </Layout>
  );
}
