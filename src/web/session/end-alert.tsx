/**
 * The page behind the link of a message that ends its alert. Whoever has the link may end it,
 * signed in or not. Nobody guesses a link, so that one that is no good may say so.
 */
import { hashToken } from '../../accounts/sign-in.ts';
import { mayOpenMailedLink } from '../../accounts/tries.ts';
import { endAlertPath, endTokens, oneClick } from '../../domain/alerts/end-link.ts';
import type { WebDeps } from '../deps.ts';
import { Card } from '../kit/card.tsx';
import { faultAnswer } from '../kit/fault.tsx';
import { Layout } from '../kit/layout.tsx';
import type { PageAnswer, PageRequest, PageRoute } from '../page.ts';

/** The page that ends an alert. */
export function endAlertRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'open',
      path: endAlertPath('{token}'),
      takesOneClick: true,
      get: (request) => orTooOften(deps, request, () => showLink(deps, request)),
      post: (sent) =>
        orTooOften(deps, sent, async () => {
          if (sent.form.text(oneClick.name) !== oneClick.value) return showLink(deps, sent);
          let isKnown = false;
          for (const hash of hashesOf(sent)) {
            isKnown = (await deps.accounts.endRuleByLink(hash)) || isKnown;
          }
          return isKnown ? secret(<EndedPage request={sent} />) : invalidLink(sent);
        }),
    },
  ];
}

/** Nobody can try links, or keep the store busy with them. */
export async function orTooOften(
  deps: WebDeps,
  request: PageRequest,
  answer: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  if (await mayOpenMailedLink(deps.accounts, request)) return answer();
  return faultAnswer(request, 429, 'Too many links were opened. Wait 15 minutes and try again.');
}

async function showLink(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const rules = [];
  for (const hash of hashesOf(request)) {
    const rule = await deps.accounts.findRuleByLink(hash);
    if (rule) rules.push(rule);
  }
  if (rules.length === 0) return invalidLink(request);
  const names = rules.filter(({ isOn }) => isOn).map(({ name }) => name);
  if (names.length === 0) return secret(<EndedPage request={request} />);
  return secret(<EndPage request={request} names={names} />);
}

function hashesOf({ params }: PageRequest) {
  return endTokens(params.token ?? '').map(hashToken);
}

function secret(page: ReturnType<typeof EndedPage>): PageAnswer {
  return { page, hasSecretPath: true };
}

/** A message is kept for 90 days, and its link with it. */
function invalidLink(request: PageRequest): PageAnswer {
  const page = (
    <Layout title="This link is no longer valid" request={request} isNarrow>
      <Card>
        <p>
          Sign in and turn off the alert under <a href="/alerts">Alerts</a>.
        </p>
      </Card>
    </Layout>
  );
  return { page, status: 404, hasSecretPath: true };
}

interface EndProps {
  readonly request: PageRequest;
  readonly names: readonly string[];
}

function EndPage({ request, names }: EndProps) {
  const isOne = names.length === 1;
  const title = isOne ? 'Turn off this alert?' : `Turn off these ${names.length} alerts?`;
  const it = isOne ? 'it' : 'them';
  return (
    <Layout title={title} request={request} isNarrow>
      <Card>
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
      </Card>
    </Layout>
  );
}

function EndedPage({ request }: { readonly request: PageRequest }) {
  return (
    <Layout title="This alert is off" request={request} isNarrow>
      <Card>
        <p>
          You will get no more messages from it. You can turn it back on under{' '}
          <a href="/alerts">Alerts</a>.
        </p>
      </Card>
    </Layout>
  );
}
