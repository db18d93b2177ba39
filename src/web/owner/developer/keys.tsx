/** API keys: creating them, and listing them with their use. */
import { createKey, keyNameProblem } from '../../../accounts/keys/api-keys.work.ts';
import { leftToday } from '../../../accounts/keys/key-places.ts';
import { type ApiKey, isActiveKey, type PlainKey } from '../../../accounts/keys/keys.ts';
import { activeKeysMax, allowanceDefault, apiPrefix } from '../../../contract/limits.ts';
import { recordAudit } from '../../audit.ts';
import { ButtonLink, CopyBox, RowLink } from '../../kit/buttons.tsx';
import { Badge, Card, EmptyState } from '../../kit/card.tsx';
import {
  actionColumn,
  column,
  countColumn,
  dayColumn,
  mainColumn,
  numberColumn,
} from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { OperatorLink } from '../../kit/fault.tsx';
import { Notice, PostForm } from '../../kit/fields.tsx';
import { applyForm, formPage } from '../../kit/form-page.tsx';
import { countText, momentText } from '../../kit/format.ts';
import { developerTabs, Layout } from '../../kit/layout.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { accessText, expiryText, KeyFields, readKeyTerms } from './key-form.tsx';

export const keyRoutes = routes('own', {
  '/keys': formPage({
    show: showKeys,
    read: ({ sent: { form, at }, fields }) => {
      const name = form.text('name') || 'API key';
      fields.check('name', keyNameProblem(name));
      return { name, ...readKeyTerms(fields, at) };
    },
    sentBefore:
      'This form was already submitted, and its key shown. If you did not copy it, revoke it ' +
      'below and create another one.',
    // The key is shown only in this answer.
    save: async ({ deps, sent }, { name, ...terms }) => {
      const { who, at } = sent;
      const options = { email: who.email, name, allowance: allowanceDefault, ...terms, at };
      const made = await applyForm(deps, sent, (accounts) =>
        createKey(accounts, options, deps.randomBytes),
      );
      if (made === 'sent before') return made;
      if ('refusal' in made) return { refused: made.refusal, status: 409 };
      await recordAudit(deps, sent, { action: 'key.added', detail: `key ${made.id}` });
      return <NewKeyPage request={sent} name={name} secret={made.key} />;
    },
  }),
});

async function showKeys(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { at, who } = request;
  const keys = (await deps.accounts.listKeys(who.email, at)) ?? [];
  const active = keys.filter((key) => isActiveKey(key, at));
  return (
    <Layout title="API keys" request={request} done={{ revoked: keyRevoked }} tabs={developerTabs}>
      {who.plan !== 'reseller' && (
        <Notice kind="warn">
          <strong>Your account is on the Free plan.</strong> The API is part of the Reseller plan;
          ask <OperatorLink access={request.access} /> to upgrade your account. You can create keys
          now. Calls with them return <code>403</code> until then.
        </Notice>
      )}
      <Card
        title="Create a key"
        actions={
          <span class="quiet small">{`${active.length} of ${activeKeysMax} keys in use`}</span>
        }
      >
        {active.length < activeKeysMax ? (
          <PostForm action="/keys">
            <KeyFields />
            <button type="submit">Create key</button>
          </PostForm>
        ) : (
          <p class="flush">{`All ${activeKeysMax} keys are in use. Revoke one first.`}</p>
        )}
      </Card>
      {keys.length === 0 ? (
        <EmptyState title="No API keys yet">
          Create a key above. Your programs send it with every call.
        </EmptyState>
      ) : (
        <Card>
          <KeyTable keys={keys} at={at} />
        </Card>
      )}
      {active.some((key) => key.countedToday > key.usedToday) && <SharedUsageNote />}
    </Layout>
  );
}

export const keyRevoked = 'Key revoked. Calls with it now return 401.';

/** Explains why a key may have fewer calls left than expected. */
export function SharedUsageNote() {
  return (
    <p class="quiet flush">
      A key that replaces one you used today starts with the calls that key has left. Limits reset
      at 00:00 UTC.
    </p>
  );
}

export function lastText(at: number | null): string {
  return at === null ? 'Never' : momentText(at);
}

export function KeyName(props: {
  readonly shown: Pick<ApiKey, 'name' | 'prefix' | 'isTest'>;
  readonly href?: string | undefined;
}) {
  const { shown, href } = props;
  const { name, prefix, isTest } = shown;
  return (
    <>
      {href === undefined ? name : <a href={href}>{name}</a>}{' '}
      <code class="quiet">{`${prefix}…`}</code>
      {isTest && (
        <>
          {' '}
          <Badge>Test</Badge>
        </>
      )}
    </>
  );
}

/** `pathOf` is the page of a key, for those who may open it. */
export function keyUseColumns(at: number, pathOf?: (id: number) => string): Column<ApiKey>[] {
  return [
    mainColumn('Name', (key) => <KeyName shown={key} href={pathOf?.(key.id)} />),
    dayColumn('Last used', ({ lastUsedAt }) => lastText(lastUsedAt)),
    countColumn('Used today', ({ usedToday }) => usedToday),
    numberColumn('Left today', (key) => (isActiveKey(key, at) ? countText(leftToday(key)) : '—')),
  ];
}

export function EndedKey({ shown }: { readonly shown: ApiKey }) {
  return <Badge>{shown.revokedAt === null ? 'Expired' : 'Revoked'}</Badge>;
}

function KeyTable({ keys, at }: { readonly keys: readonly ApiKey[]; readonly at: number }) {
  // Active keys first, newest first.
  const isActive = (key: ApiKey) => isActiveKey(key, at);
  const rows = [...keys].sort((a, b) => Number(isActive(b)) - Number(isActive(a)) || b.id - a.id);
  const columns: Column<ApiKey>[] = [
    ...keyUseColumns(at, (id) => `/keys/${id}`),
    countColumn('Daily limit', ({ allowance }) => allowance),
    column('Access', ({ scopes }) => accessText(scopes)),
    dayColumn('Expires', ({ expiresAt }) => expiryText(expiresAt)),
    actionColumn((key) =>
      isActive(key) ? (
        <RowLink href={`/keys/${key.id}/revoke`} of={key.name}>
          Revoke
        </RowLink>
      ) : (
        <EndedKey shown={key} />
      ),
    ),
  ];
  return <DataTable label="API keys" columns={columns} rows={rows} />;
}

/** The only page that shows a key: a new one, or the new secret of a rolled one. */
export function NewKeyPage(props: {
  readonly request: OwnRequest;
  readonly name: string;
  readonly secret: PlainKey;
  readonly isRolled?: boolean;
}) {
  const { request, name, secret, isRolled = false } = props;
  const url = `${request.baseUrl}${apiPrefix}/catalog/themes`;
  return (
    <Layout title="Copy your new key" request={request} tabs={developerTabs}>
      <Notice kind="warn">Copy it now. You will not be able to see it again.</Notice>
      <Card title={name}>
        <CopyBox id="key" text={secret} />
        <h2>Try it</h2>
        <CopyBox id="curl" text={`curl -H "Authorization: Bearer ${secret}" "${url}"`} />
        {isRolled && (
          <p>The old secret works for 24 hours more. Replace it everywhere until then.</p>
        )}
        {request.who.plan !== 'reseller' && (
          <p>
            This call returns <code>403</code> until your account is on the Reseller plan.
          </p>
        )}
        <ButtonLink href="/keys">Done</ButtonLink>
      </Card>
    </Layout>
  );
}
