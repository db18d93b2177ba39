/** Spreadsheet links: created, shown with the formula to paste, listed with their use, revoked. */

import { isFirstSubmission } from '../../../accounts/form-submission.ts';
import { keyNameProblem } from '../../../accounts/keys.ts';
import type { ApiKey } from '../../../domain/account/key-store.ts';
import { isActiveKey } from '../../../domain/account/keys.ts';
import {
  makeSheetHandle,
  type SheetContent,
  type SheetSigner,
  sheetContents,
  sheetHandleBytes,
  sheetLinksMax,
} from '../../../domain/account/sheet-link.ts';
import type { SheetLink } from '../../../domain/account/sheet-link-store.ts';
import { countText, momentText } from '../../../domain/kernel/format.ts';
import { dayOf } from '../../../domain/kernel/time.ts';
import type { WebDeps } from '../../deps.ts';
import { CopyBox } from '../../kit/copy-box.tsx';
import { missingPage } from '../../kit/fault.tsx';
import {
  Choice,
  Field,
  Notice,
  nameFault,
  PostForm,
  type Typed,
  untyped,
} from '../../kit/fields.tsx';
import { Layout } from '../../kit/layout.tsx';
import { needsPlan } from '../../kit/needs-plan.tsx';
import { TableHead } from '../../kit/table-head.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRoute } from '../../page.ts';
import { NoSecretFile } from '../alerts/alert-channels.tsx';

const path = '/keys/spreadsheets';
const title = 'Spreadsheet links';

/** The pages about spreadsheet links. */
export function sheetLinkRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'own',
      path,
      get: (request) => showLinks(deps, request),
      post: (sent) => postLink(deps, sent),
    },
    {
      access: 'own',
      path: `${path}/{id}`,
      get: (request) => showLink(deps, request),
    },
    {
      access: 'own',
      path: `${path}/{id}/revoke`,
      get: async (request) => {
        const link = await findLink(deps, request);
        return link ? { page: <RevokePage request={request} link={link} /> } : missingPage(request);
      },
      post: async (sent) => {
        const link = await findLink(deps, sent);
        if (!link) return missingPage(sent);
        await deps.accounts.removeSheetLink(sent.who.accountId, link.id);
        return { goTo: `${path}?revoked=1` };
      },
    },
  ];
}

/** What each link shows, in the words of its choice. */
const contentNames: Readonly<Record<SheetContent, string>> = {
  values: 'Values of sets and minifigs',
  holdings: 'Holdings',
  sales: 'Sales',
  'retail-watch': 'Retail watch',
};

interface Outcome {
  readonly typed?: Typed;
  readonly message?: string;
  readonly status?: number;
}

interface LinksProps {
  readonly request: OwnRequest;
  readonly signer: SheetSigner | null;
  readonly links: readonly SheetLink[];
  readonly keys: readonly ApiKey[];
  readonly typed: Typed;
  readonly message: string | undefined;
}

async function showLinks(
  deps: WebDeps,
  request: OwnRequest,
  { typed = untyped, message, status = 200 }: Outcome = {},
): Promise<PageAnswer> {
  const { who, at } = request;
  const links = await deps.accounts.listSheetLinks(who.accountId);
  // Whoever had the plan can still see what there is, and revoke it.
  if (who.plan !== 'reseller' && links.length === 0) {
    return needsPlan(request, title, 'Spreadsheet links are');
  }
  const keys = (await deps.accounts.listKeys(who.email, at)) ?? [];
  const props = { request, signer: deps.sheetSigner, links, keys, typed, message };
  return { page: <LinksPage {...props} />, status };
}

async function postLink(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { form, who, at } = sent;
  const { accountId } = who;
  if (who.plan !== 'reseller') return needsPlan(sent, title, 'Spreadsheet links are');
  if (!deps.sheetSigner) return showLinks(deps, sent, { status: 409 });
  const content = sheetContents.find((each) => each === form.text('content'));
  const name = form.text('name') || (content ? contentNames[content] : '');
  const faults = {
    ...nameFault('name', keyNameProblem(name)),
    ...nameFault('content', content ? null : 'Choose what it shows.'),
  };
  const typed = { values: form.typed, faults };
  if (!content || Object.keys(faults).length > 0) {
    return showLinks(deps, sent, { typed, status: 400 });
  }
  if (!(await isFirstSubmission(deps.accounts, { accountId, formId: form.text('once'), at }))) {
    const message = 'This form was sent before, and its link is in the list.';
    return showLinks(deps, sent, { message, status: 409 });
  }
  const handle = makeSheetHandle(deps.randomBytes(sheetHandleBytes));
  const keyId = Number(form.text('key')) || 0;
  const made = await deps.accounts.addSheetLink({ accountId, keyId, name, content, handle, at });
  if (typeof made === 'object') return { goTo: `${path}/${made.id}` };
  if (made === 'too many') {
    const message = `You have ${sheetLinksMax} spreadsheet links. Revoke one first.`;
    return showLinks(deps, sent, { typed, message, status: 409 });
  }
  const noKey = { values: form.typed, faults: { key: 'Choose one of your active keys.' } };
  return showLinks(deps, sent, { typed: noKey, status: 400 });
}

/** A link of whoever asks; somebody else's is as if there were none. */
async function findLink(
  { accounts }: WebDeps,
  { who, params }: OwnRequest,
): Promise<SheetLink | null> {
  const links = await accounts.listSheetLinks(who.accountId);
  return links.find((link) => String(link.id) === params.id) ?? null;
}

async function showLink(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const link = await findLink(deps, request);
  if (!link) return missingPage(request);
  const keys = (await deps.accounts.listKeys(request.who.email, request.at)) ?? [];
  const key = keys.find(({ id }) => id === link.keyId);
  const props = { request, signer: deps.sheetSigner, link, apiKey: key };
  return { page: <LinkPage {...props} /> };
}

function LinksPage(props: LinksProps) {
  const { request, links, message } = props;
  return (
    <Layout title={title} request={request}>
      {request.query.has('revoked') && (
        <Notice>The link is revoked. It stopped working at once.</Notice>
      )}
      {message && <Notice kind="bad">{message}</Notice>}
      <p>
        A link gives a spreadsheet a CSV file without an API key, for <code>IMPORTDATA</code> in
        Google Sheets and <em>From Web</em> in Excel. It only reads, and it spends the daily
        allowance of the key you choose.
      </p>
      {links.length > 0 && (
        <section class="card">
          <h2>Your links</h2>
          <LinkTable {...props} />
        </section>
      )}
      <section class="card">
        <h2>Create a link</h2>
        <MakePart {...props} />
      </section>
    </Layout>
  );
}

function MakePart({ request, signer, links, keys, typed }: LinksProps) {
  if (request.who.plan !== 'reseller') {
    return <p>Spreadsheet links are part of the Reseller plan. Yours answer 403 without it.</p>;
  }
  if (!signer) return <NoSecretFile what="Spreadsheet links are" />;
  if (links.length >= sheetLinksMax) {
    return <p>{`You’ve reached the limit of ${sheetLinksMax} links. Revoke one first.`}</p>;
  }
  const active = keys.filter((key) => isActiveKey(key, request.at));
  if (active.length === 0) {
    return (
      <p>
        A link spends the calls of an API key. You have no active one:{' '}
        <a href="/keys">create a key</a> first.
      </p>
    );
  }
  return (
    <PostForm request={request} action={path}>
      <Field
        name="name"
        label="Name (optional)"
        typed={typed}
        hint="The sheet it is for, so you know which one to revoke."
        maxlength={100}
      />
      <Choice
        name="content"
        label="What it shows"
        typed={typed}
        options={sheetContents.map((content) => [content, contentNames[content]])}
      />
      <Choice
        name="key"
        label="Key whose calls it spends"
        typed={typed}
        options={active.map(({ id, name, prefix }) => [String(id), `${name} (${prefix}…)`])}
      />
      <button type="submit">Create link</button>
      <p class="quiet flush">
        The link works until you revoke it, or its key expires or is revoked.
      </p>
    </PostForm>
  );
}

/** Calls that were spent through a link today. */
function usedToday({ usedDay, used }: SheetLink, at: number): number {
  return usedDay === dayOf(at) ? used : 0;
}

function LinkTable({ request, links, keys }: LinksProps) {
  const { at } = request;
  return (
    <div class="scroll">
      <table class="cards">
        <TableHead
          columns={['Name', 'Shows', 'Key', 'Last used', 'Calls today']}
          numbers={['Calls today']}
          action="Revoke"
        />
        <tbody>
          {links.map((link) => {
            const key = keys.find(({ id }) => id === link.keyId);
            const isActive = key !== undefined && isActiveKey(key, at);
            return (
              <tr key={link.id}>
                <td data-name="Name">
                  <a href={`${path}/${link.id}`}>{link.name}</a>
                </td>
                <td data-name="Shows">{contentNames[link.content]}</td>
                <td data-name="Key">
                  {key?.name} {!isActive && <span class="badge">ended</span>}
                </td>
                <td data-name="Last used">
                  {link.lastUsedAt ? momentText(link.lastUsedAt) : 'never'}
                </td>
                <td data-name="Calls today" class="number">
                  {countText(usedToday(link, at))}
                </td>
                <td>
                  <a class="button plain" href={`${path}/${link.id}/revoke`}>
                    Revoke<span class="visually-hidden">{` ${link.name}`}</span>
                  </a>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The formula for Google Sheets, and where it goes. */
const formulas: Readonly<Record<SheetContent, (url: string) => string>> = {
  values: (url) =>
    `=IMPORTDATA("${url}?columns=title,new_value_usd,used_value_usd&sets="` +
    '&TEXTJOIN(",",FALSE,A2:A41))',
  holdings: (url) => `=IMPORTDATA("${url}")`,
  sales: (url) => `=IMPORTDATA("${url}")`,
  'retail-watch': (url) => `=IMPORTDATA("${url}")`,
};

/** What follows the address so that it answers as it is. */
const queries: Readonly<Record<SheetContent, string>> = {
  values: '?sets=75192',
  holdings: '',
  sales: '',
  'retail-watch': '',
};

const places: Readonly<Record<SheetContent, string>> = {
  values:
    'Put set numbers in A2 and below, and this in B1. Row 1 gets the column names, and each row ' +
    'below lines up with its number. For minifigs, use minifigs= instead of sets=.',
  holdings: 'Put this in A1 of an empty sheet.',
  sales: 'Put this in A1 of an empty sheet.',
  'retail-watch': 'Put this in A1 of an empty sheet.',
};

const costs: Readonly<Record<SheetContent, string>> = {
  values:
    'Each number costs 1 call, every time the sheet refreshes. Google refreshes about once an ' +
    'hour: 40 numbers are 960 calls a day, and 100 are 2,400.',
  holdings: 'Every 250 rows cost 1 call each time the sheet refreshes, about once an hour.',
  sales: 'Every 250 rows cost 1 call each time the sheet refreshes, about once an hour.',
  'retail-watch': 'It costs 1 call each time the sheet refreshes, about once an hour.',
};

function LinkPage(props: {
  readonly request: OwnRequest;
  readonly signer: SheetSigner | null;
  readonly link: SheetLink;
  readonly apiKey: ApiKey | undefined;
}) {
  const { request, signer, link, apiKey } = props;
  const { at } = request;
  const isActive = apiKey !== undefined && isActiveKey(apiKey, at);
  const url = signer && `${request.baseUrl}${signer.pathOf(link)}`;
  return (
    <Layout title={link.name} request={request}>
      {!isActive && (
        <Notice kind="warn">
          The key of this link has ended, and the link with it. Create a new one.
        </Notice>
      )}
      {!signer && <NoSecretFile what="Spreadsheet links are" />}
      {url && isActive && (
        <section class="card">
          <h2>Link</h2>
          <CopyBox id="link" text={`${url}${queries[link.content]}`} />
          {link.content === 'values' && (
            <p>
              Add set numbers to the link, such as <code>?sets=75192,10497</code>.
            </p>
          )}
          <p class="quiet">
            Anyone who has this link can read what it shows and spend your calls. Keep it to people
            you trust, and revoke it if it gets out.
          </p>
          <h2>In Google Sheets</h2>
          <CopyBox id="formula" text={formulas[link.content](url)} />
          <p>{places[link.content]}</p>
          <p class="quiet flush">
            {costs[link.content]} Google fetches it from the internet, so this site has to be
            reachable from there.
          </p>
        </section>
      )}
      <section class="card">
        <h2>Use</h2>
        <dl class="facts actions">
          <dt>Shows</dt>
          <dd>{contentNames[link.content]}</dd>
          <dt>Key</dt>
          <dd>{apiKey?.name}</dd>
          <dt>Created</dt>
          <dd>{momentText(link.createdAt)}</dd>
          <dt>Last used</dt>
          <dd>{link.lastUsedAt ? momentText(link.lastUsedAt) : 'never'}</dd>
          <dt>Calls today</dt>
          <dd>{countText(usedToday(link, at))}</dd>
        </dl>
        <p class="row flush">
          <a class="button plain" href={path}>
            All links
          </a>
          <a class="button plain" href={`${path}/${link.id}/revoke`}>
            Revoke
          </a>
        </p>
      </section>
    </Layout>
  );
}

function RevokePage({ request, link }: { readonly request: OwnRequest; readonly link: SheetLink }) {
  return (
    <Layout title="Revoke this link?" request={request} isNarrow>
      <section class="card">
        <p>
          <strong>{link.name}</strong>
        </p>
        <p>Sheets that use it stop updating from this moment on. This cannot be undone.</p>
        <PostForm request={request} action={`${path}/${link.id}/revoke`} class="row">
          <button class="danger" type="submit">
            Revoke it
          </button>
          <a class="button plain" href={path}>
            Keep it
          </a>
        </PostForm>
      </section>
    </Layout>
  );
}
