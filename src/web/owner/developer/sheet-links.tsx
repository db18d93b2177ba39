/** Spreadsheet links: creating, showing and revoking them. */

import { keyNameProblem } from '../../../accounts/keys/api-keys.work.ts';
import type { ApiKey } from '../../../accounts/keys/keys.ts';
import { isActiveKey } from '../../../accounts/keys/keys.ts';
import { hasPlan } from '../../../accounts/keys/quota.ts';
import { missingScopesText } from '../../../accounts/keys/scopes.ts';
import {
  makeSheetHandle,
  type SheetContent,
  type SheetLink,
  type SheetSigner,
  sheetContents,
  sheetHandleBytes,
  sheetLinksMax,
} from '../../../accounts/sheet-links/sheet-link.ts';
import { mayLinkSheet } from '../../../accounts/sign-in/attempt-limits.work.ts';
import { dayOf } from '../../../kernel/time.ts';
import { CopyBox, DangerLink, RowLink } from '../../kit/buttons.tsx';
import { Badge, Card, EmptyState, Facts } from '../../kit/card.tsx';
import { actionColumn, column, countColumn, dayColumn, mainColumn } from '../../kit/columns.tsx';
import { deletionPage } from '../../kit/confirm-delete.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { needsPlan } from '../../kit/fault.tsx';
import { Choice, Field, Notice, PostForm } from '../../kit/fields.tsx';
import { applyForm, formPage } from '../../kit/form-page.tsx';
import { countText, momentText } from '../../kit/format.ts';
import { developerTabs, Layout } from '../../kit/layout.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../../page.ts';
import { byId, page, routes } from '../../page-table.ts';
import { NoSecretFile, noSecret } from '../alerts/alert-channels.tsx';
import { lastText } from './keys.tsx';

const path = '/keys/spreadsheets';
const title = 'Spreadsheets';
const needing = 'Spreadsheet links are';

const findLink = byId(({ accounts }, { who }) => accounts.listSheetLinks(who.accountId));

export const sheetLinkRoutes = routes('own', {
  [path]: formPage({
    show: showLinks,
    read: ({ deps, sent: { form }, fields }) => {
      if (!deps.secrets.sheetSigner) return null;
      const content = fields.word('content', sheetContents);
      const name = form.text('name') || contentNames[content];
      fields.check('name', keyNameProblem(name));
      return { content, name, keyId: Number(form.text('key')) || 0 };
    },
    sentBefore: 'This form was already submitted. Its link is in the list.',
    save: async ({ deps, sent }, input) => {
      if (!input) return noSecret;
      const { who, at } = sent;
      if (!(await mayLinkSheet(deps.accounts, { accountId: who.accountId, at })))
        return { refused: tooManyToday, status: 429 };
      const handle = makeSheetHandle(deps.randomBytes(sheetHandleBytes));
      const link = { ...input, accountId: who.accountId, handle, at };
      const made = await applyForm(deps, sent, (accounts) => accounts.addSheetLink(link));
      if (made === 'sent before') return made;
      if (made === 'no plan') return withoutPlan(sent);
      if (typeof made === 'object') {
        if ('id' in made) return { goTo: `${path}/${made.id}` };
        return { refused: missingScopesText(made.lacks), field: 'key' };
      }
      return made === 'too many'
        ? { refused: `You have ${sheetLinksMax} spreadsheet links. Revoke one first.`, status: 409 }
        : { refused: 'Choose one of your active keys.', field: 'key' };
    },
  }),
  [`${path}/{id}`]: page({ find: findLink, get: showLink }),
  [`${path}/{id}/revoke`]: deletionPage({
    find: findLink,
    verb: 'Revoke',
    noun: 'link',
    describe: ({ name }) => ({
      name,
      outcome: 'Sheets that use it stop updating right away. This cannot be undone.',
      cancel: path,
    }),
    remove: ({ accounts }, { who, at }, { id }) => accounts.removeSheetLink(who.accountId, id, at),
    goTo: `${path}?did=revoked`,
  }),
});

const tooManyToday = 'You have created too many spreadsheet links today. Try again tomorrow.';

const contentNames: Readonly<Record<SheetContent, string>> = {
  values: 'Values of sets and minifigs',
  holdings: 'Holdings',
  sales: 'Sales',
  'retail-watch': 'Retail watch',
};

interface LinksProps {
  readonly request: OwnRequest;
  readonly signer: SheetSigner | null;
  readonly links: readonly SheetLink[];
  readonly keys: readonly ApiKey[];
}

async function showLinks(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { who, at } = request;
  const links = await deps.accounts.listSheetLinks(who.accountId);
  // Without the plan, existing links can still be seen and revoked.
  if (!hasPlan(who) && links.length === 0) {
    return withoutPlan(request);
  }
  const keys = (await deps.accounts.listKeys(who.email, at)) ?? [];
  const props = { request, signer: deps.secrets.sheetSigner, links, keys };
  return (
    <Layout
      title={title}
      request={request}
      done={{ revoked: 'Link revoked. It no longer works.' }}
      tabs={developerTabs}
    >
      <Card title="Create a link">
        <MakePart {...props} />
      </Card>
      {links.length === 0 ? (
        <EmptyState title="No spreadsheet links yet">
          A link gives Google Sheets or Excel a CSV file, without an API key. See{' '}
          <a href="/docs/spreadsheets">Spreadsheets</a> in the docs.
        </EmptyState>
      ) : (
        <LinkTable {...props} />
      )}
    </Layout>
  );
}

function withoutPlan(request: OwnRequest): PageAnswer {
  return needsPlan(request, title, needing, developerTabs);
}

function MakePart({ request, signer, links, keys }: LinksProps) {
  if (!hasPlan(request.who)) {
    return (
      <p class="flush">
        Spreadsheet links are part of the Reseller plan. Without it, yours return 403.
      </p>
    );
  }
  if (!signer) return <NoSecretFile what={needing} />;
  if (links.length >= sheetLinksMax) {
    return <p class="flush">{`All ${sheetLinksMax} links are in use. Revoke one first.`}</p>;
  }
  const active = keys.filter((key) => isActiveKey(key, request.at) && !key.isTest);
  if (active.length === 0) {
    return (
      <p class="flush">
        A link uses the calls of an API key, and you have no active one.{' '}
        <a href="/keys">Create a key</a> first.
      </p>
    );
  }
  return (
    <PostForm action={path} class="row">
      <Field name="name" label="Name (optional)" maxlength={100} />
      <Choice
        name="content"
        label="Data"
        options={sheetContents.map((content) => [content, contentNames[content]])}
      />
      <Choice
        name="key"
        label="Calls count toward"
        options={active.map(({ id, name, prefix }) => [String(id), `${name} (${prefix}…)`])}
      />
      <button type="submit">Create link</button>
    </PostForm>
  );
}

function usedToday({ usedDay, used }: SheetLink, at: number): number {
  return usedDay === dayOf(at) ? used : 0;
}

function LinkTable({ request, links, keys }: LinksProps) {
  const { at } = request;
  const columns: Column<SheetLink>[] = [
    mainColumn('Name', ({ id, name }) => <a href={`${path}/${id}`}>{name}</a>),
    column('Shows', ({ content }) => contentNames[content]),
    column('Key', ({ keyId }) => {
      const key = keys.find(({ id }) => id === keyId);
      const isActive = key !== undefined && isActiveKey(key, at);
      return (
        <>
          {key?.name} {!isActive && <Badge kind="warn">Inactive</Badge>}
        </>
      );
    }),
    dayColumn('Last used', ({ lastUsedAt }) => lastText(lastUsedAt)),
    countColumn('Calls today', (link) => usedToday(link, at)),
    actionColumn(({ id, name }) => (
      <RowLink href={`${path}/${id}/revoke`} of={name}>
        Revoke
      </RowLink>
    )),
  ];
  return <DataTable label="Spreadsheet links" columns={columns} rows={links} />;
}

interface SheetUse {
  /** An example query; empty if the link needs none. */
  readonly query: string;
  readonly formula: (url: string) => string;
  readonly place: string;
  readonly cost: string;
}

const wholeFile: SheetUse = {
  query: '',
  formula: (url) => `=IMPORTDATA("${url}")`,
  place: 'Put this in A1 of an empty sheet.',
  cost: 'Every 250 rows cost 1 call per refresh, about once an hour.',
};

const uses: Readonly<Record<SheetContent, SheetUse>> = {
  values: {
    query: '?sets=75192',
    formula: (url) =>
      `=IMPORTDATA("${url}?columns=title,new_value_usd,used_value_usd&sets="` +
      '&TEXTJOIN(",",FALSE,A2:A41))',
    place:
      'Put set numbers in A2 and below, and this in B1. Row 1 gets the column names, and each ' +
      'row below lines up with its number. For minifigs, use minifigs= instead of sets=.',
    cost:
      'Each number costs 1 call per refresh. Google refreshes about once an hour: 40 numbers ' +
      'are 960 calls a day, and 100 are 2,400.',
  },
  holdings: wholeFile,
  sales: wholeFile,
  'retail-watch': { ...wholeFile, cost: 'It costs 1 call per refresh, about once an hour.' },
};

async function showLink(deps: WebDeps, request: OwnRequest, link: SheetLink): Promise<PageAnswer> {
  const { at } = request;
  const keys = (await deps.accounts.listKeys(request.who.email, at)) ?? [];
  const key = keys.find(({ id }) => id === link.keyId);
  const isActive = key !== undefined && isActiveKey(key, at);
  const { sheetSigner: signer } = deps.secrets;
  const use = uses[link.content];
  const url = signer && `${request.baseUrl}${signer.pathOf(link)}`;
  return (
    <Layout
      title={link.name}
      request={request}
      tabs={developerTabs}
      actions={<DangerLink href={`${path}/${link.id}/revoke`}>Revoke</DangerLink>}
    >
      {!isActive && (
        <Notice kind="warn">
          The API key of this link is no longer active, so the link does not work. Create a new one.
        </Notice>
      )}
      {!signer && <NoSecretFile what={needing} />}
      {url && isActive && (
        <>
          <Card title="Link">
            <CopyBox id="link" text={`${url}${use.query}`} />
            {link.content === 'values' && (
              <p>
                Add set numbers to the link, such as <code>?sets=75192,10497</code>.
              </p>
            )}
            <p class="quiet flush">
              Anyone with this link can read what it shows and spend your calls. Revoke it if it
              leaks.
            </p>
          </Card>
          <Card title="In Google Sheets">
            <CopyBox id="formula" text={use.formula(url)} />
            <p>{use.place}</p>
            <p class="quiet flush">
              {use.cost} Google has to be able to reach this site over the internet.
            </p>
          </Card>
        </>
      )}
      <Card title="Usage">
        <Facts
          facts={[
            ['Shows', contentNames[link.content]],
            ['Key', key?.name],
            ['Created', momentText(link.createdAt)],
            ['Last used', lastText(link.lastUsedAt)],
            ['Calls today', countText(usedToday(link, at))],
          ]}
        />
      </Card>
    </Layout>
  );
}
