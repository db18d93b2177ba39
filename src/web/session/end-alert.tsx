/** The page that turns an alert off, for anyone with the link in a message, signed in or not. */

import { mayOpenMailedLink } from '../../accounts/sign-in/attempt-limits.work.ts';
import { hashToken } from '../../accounts/sign-in/sign-in.work.ts';
import { endAlertPath, endTokens, oneClick } from '../../alerts/conditions/end-link.ts';
import { faultAnswer } from '../kit/fault.tsx';
import { CardPage } from '../kit/layout.tsx';
import type { PageAnswer, PageRequest, SentRequest, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';

export const endAlertRoutes = routes('entrance', {
  [endAlertPath('{token}')]: {
    takesOneClick: true,
    hasSecretPath: true,
    get: orTooOften(showLink),
    post: orTooOften(postEnd),
  },
});

/** Limits how often links are opened, so that tokens cannot be guessed. */
export function orTooOften<R extends PageRequest>(
  answer: (deps: WebDeps, request: R) => Promise<PageAnswer>,
) {
  return async (deps: WebDeps, request: R): Promise<PageAnswer> => {
    if (await mayOpenMailedLink(deps.accounts, request)) return answer(deps, request);
    return faultAnswer(request, 429, 'Too many links were opened. Wait 15 minutes and try again.');
  };
}

async function showLink(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const rules = [];
  for (const hash of hashesOf(request)) {
    const rule = await deps.accounts.findRuleByLink(hash);
    if (rule) rules.push(rule);
  }
  if (rules.length === 0) return invalidLink(request);
  const names = rules.filter(({ isOn }) => isOn).map(({ name }) => name);
  return names.length === 0 ? endedPage(request) : askToEnd(request, names);
}

async function postEnd(deps: WebDeps, sent: SentRequest): Promise<PageAnswer> {
  if (sent.form.text(oneClick.name) !== oneClick.value) return showLink(deps, sent);
  let isKnown = false;
  for (const hash of hashesOf(sent)) {
    isKnown = (await deps.accounts.endRuleByLink(hash)) || isKnown;
  }
  return isKnown ? endedPage(sent) : invalidLink(sent);
}

function hashesOf({ params }: PageRequest) {
  return endTokens(params.token ?? '').map(hashToken);
}

/** Links are deleted after 90 days, with their messages. */
function invalidLink(request: PageRequest): PageAnswer {
  const page = (
    <CardPage title="This link is no longer valid" request={request}>
      <p>
        Sign in and turn off the alert under <a href="/alerts">Alerts</a>.
      </p>
    </CardPage>
  );
  return { page, status: 404 };
}

function askToEnd(request: PageRequest, names: readonly string[]): PageAnswer {
  const isOne = names.length === 1;
  const title = isOne ? 'Turn off this alert?' : `Turn off these ${names.length} alerts?`;
  const it = isOne ? 'it' : 'them';
  return (
    <CardPage title={title} request={request}>
      {names.map((name) => (
        <p>
          <strong>{name}</strong>
        </p>
      ))}
      <p>
        You will get no more messages from {it}. You can turn {it} back on under Alerts.
      </p>
      <form method="post" action={request.path} class="row">
        <input type="hidden" name={oneClick.name} value={oneClick.value} />
        <button type="submit">{isOne ? 'Turn off alert' : 'Turn off alerts'}</button>
      </form>
    </CardPage>
  );
}

function endedPage(request: PageRequest): PageAnswer {
  return (
    <CardPage title="This alert is off" request={request}>
      <p>
        You will get no more messages from it. You can turn it back on under{' '}
        <a href="/alerts">Alerts</a>.
      </p>
    </CardPage>
  );
}
