/**
 * The page behind the link of a message that ends its alert. Whoever has the link may end it,
 * signed in or not; a link that is no good looks like one that was used.
 */
import { hashToken } from '../../accounts/sign-in.ts';
import { mayOpenEndLink } from '../../accounts/tries.ts';
import { endAlertPath, oneClick } from '../../domain/alerts/end-link.ts';
import type { WebDeps } from '../deps.ts';
import { Layout } from '../layout.tsx';
import type { PageAnswer, PageRequest, PageRoute } from '../page.ts';
import { faultAnswer } from './fault.tsx';

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
          await deps.accounts.endRuleByLink(hashToken(sent.params.token ?? ''));
          return secret(<EndedPage request={sent} />);
        }),
    },
  ];
}

/** Nobody can try links, or keep the store busy with them. */
async function orTooOften(
  deps: WebDeps,
  request: PageRequest,
  answer: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  if (await mayOpenEndLink(deps.accounts, request)) return answer();
  return faultAnswer(request, 429, 'Too many links were opened. Wait 15 minutes and try again.');
}

async function showLink(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const rule = await deps.accounts.findRuleByLink(hashToken(request.params.token ?? ''));
  if (!rule?.isOn) return secret(<EndedPage request={request} />);
  return secret(<EndPage request={request} name={rule.name} />);
}

function secret(page: ReturnType<typeof EndedPage>): PageAnswer {
  return { page, hasSecretPath: true };
}

function EndPage({ request, name }: { readonly request: PageRequest; readonly name: string }) {
  return (
    <Layout title="Turn off this alert?" request={request} isNarrow>
      <section class="card">
        <p>
          <strong>{name}</strong>
        </p>
        <p>Nothing more is sent for it. You can turn it on again under Alerts.</p>
        <form method="post" action={request.path} class="row">
          <input type="hidden" name={oneClick.name} value={oneClick.value} />
          <button type="submit">Turn it off</button>
        </form>
      </section>
    </Layout>
  );
}

function EndedPage({ request }: { readonly request: PageRequest }) {
  return (
    <Layout title="This alert is off" request={request} isNarrow>
      <section class="card">
        <p>
          Nothing more is sent for it. You can turn it on again under <a href="/alerts">Alerts</a>.
        </p>
      </section>
    </Layout>
  );
}
