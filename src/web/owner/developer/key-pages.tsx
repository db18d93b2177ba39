/** The page of one API key: its terms and use, and changing, rolling and revoking it. */
import { keyNameProblem, rollKey } from '../../../accounts/keys/api-keys.work.ts';
import { leftToday } from '../../../accounts/keys/key-places.ts';
import { type ApiKey, isActiveKey } from '../../../accounts/keys/keys.ts';
import { recordAudit } from '../../audit.ts';
import { ButtonForm, PlainLink } from '../../kit/buttons.tsx';
import { Badge, Card, Facts } from '../../kit/card.tsx';
import { deletionPage } from '../../kit/confirm-delete.tsx';
import { missingPage } from '../../kit/fault.tsx';
import { Field, Notice } from '../../kit/fields.tsx';
import { applyForm, FormPage, foundForm } from '../../kit/form-page.tsx';
import { countText, momentText } from '../../kit/format.ts';
import { developerTabs, Layout } from '../../kit/layout.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, WebDeps } from '../../page.ts';
import { byId, page, routes } from '../../page-table.ts';
import {
  AccessFields,
  accessText,
  expiryText,
  expiryValue,
  readAccess,
  readRolledExpiry,
} from './key-form.tsx';
import { EndedKey, lastText, NewKeyPage } from './keys.tsx';

const findKey = byId(async ({ accounts }, { who, at }) => {
  return (await accounts.listKeys(who.email, at)) ?? [];
});

const limitedText = 'An operator limited this key. Ask them to change its access.';
const notActive = 'This key is no longer active.';
const rolledElsewhere = 'This key was rolled elsewhere since you opened the page.';

export const keyDetailRoutes = routes('own', {
  '/keys/{id}': page({ find: findKey, get: showKey }),
  '/keys/{id}/rename': foundForm({
    find: findKey,
    show: (_, request, { id, name }) => (
      <FormPage
        request={request}
        title={`Rename ${name}`}
        tabs={developerTabs}
        button="Save changes"
        cancel={`/keys/${id}`}
      >
        <Field name="name" label="Name" value={name} isRequired maxlength={100} />
      </FormPage>
    ),
    read: ({ fields }) => {
      const name = fields.text('name', 100);
      fields.check('name', keyNameProblem(name));
      return name;
    },
    save: async ({ deps, sent, found: { id } }, name) => {
      if (!(await deps.accounts.renameKey(sent.who.accountId, id, name))) return missingPage(sent);
      await recordAudit(deps, sent, { action: 'key.renamed', detail: `key ${id}` });
      return { goTo: `/keys/${id}?did=renamed` };
    },
  }),
  '/keys/{id}/access': foundForm({
    find: findKey,
    show: showAccess,
    read: ({ fields }) => readAccess(fields),
    save: ({ deps, sent, found }, access) => saveAccess(deps, sent, { ...found, ...access }),
  }),
  '/keys/{id}/roll': foundForm({
    find: findKey,
    show: showRoll,
    read: ({ sent: { at }, fields, found }) => readRolledExpiry(fields, found, at),
    sentBefore:
      'This form was already submitted, and the new secret shown. If you did not copy it, roll ' +
      'the key again: the secret you did not copy then works for a day.',
    // The new secret is shown only in this answer.
    save: async ({ deps, sent, found: key }, expiresAt) => {
      const { at, who } = sent;
      const seen = { ...key, prefix: sent.form.text('seen') };
      const terms = { expiresAt, at };
      const secret = await applyForm(deps, sent, (accounts) =>
        rollKey(accounts, who.accountId, seen, terms, deps.randomBytes),
      );
      if (secret === 'sent before') return 'sent before';
      if (secret === null) {
        return { refused: isActiveKey(key, at) ? rolledElsewhere : notActive, status: 409 };
      }
      await recordAudit(deps, sent, { action: 'key.rolled', detail: `key ${key.id}` });
      return <NewKeyPage request={sent} name={key.name} secret={secret} isRolled />;
    },
  }),
  '/keys/{id}/end-old': page({ find: findKey, post: endOld }),
  '/keys/{id}/revoke': deletionPage({
    find: findKey,
    verb: 'Revoke',
    noun: 'key',
    describe: ({ name, prefix, lastUsedAt }) => ({
      name: `${name} (${prefix}…)`,
      outcome:
        `Last used: ${lastText(lastUsedAt)}. Programs that use it get 401 right away. ` +
        'This cannot be undone.',
      cancel: '/keys',
    }),
    remove: ({ accounts }, { who, at }, { id }) => accounts.revokeKey(who.accountId, id, at),
    removed: (deps, sent, { id }) =>
      recordAudit(deps, sent, { action: 'key.revoked', detail: `key ${id}` }),
    goTo: '/keys?did=revoked',
  }),
});

async function endOld(deps: WebDeps, sent: OwnSentRequest, { id }: ApiKey): Promise<PageAnswer> {
  if (!(await deps.accounts.endOldSecret(sent.who.accountId, id, sent.at)))
    return missingPage(sent);
  await recordAudit(deps, sent, { action: 'key.rolled', detail: `key ${id}, old secret ended` });
  return { goTo: `/keys/${id}?did=ended` };
}

function showAccess(_: WebDeps, request: OwnRequest, key: ApiKey): PageAnswer {
  return (
    <FormPage
      request={request}
      title={`Access of ${key.name}`}
      tabs={developerTabs}
      button="Save changes"
      cancel={`/keys/${key.id}`}
      above={
        <p>
          Changes apply to the next call. A call without a scope it needs returns <code>403</code>.
          One from another network returns <code>401</code>.
        </p>
      }
    >
      <AccessFields {...key} />
    </FormPage>
  );
}

async function saveAccess(deps: WebDeps, sent: OwnSentRequest, { id, scopes, networks }: ApiKey) {
  const access = { scopes, networks, isLimited: false };
  const isChanged = await deps.accounts.setKeyAccess(sent.who.accountId, id, access);
  if (!isChanged) return { refused: limitedText, status: 403 };
  await recordAudit(deps, sent, { action: 'key.access', detail: `key ${id}` });
  return { goTo: `/keys/${id}?did=changed` };
}

function showRoll(_: WebDeps, request: OwnRequest, key: ApiKey): PageAnswer {
  const { id, name, prefix, expiresAt } = key;
  return (
    <FormPage
      request={request}
      title={`Roll ${name}?`}
      tabs={developerTabs}
      button="Roll key"
      cancel={`/keys/${id}`}
      above={
        <p>
          You get a new secret. The current one keeps working for 24 hours, so that you can replace
          it everywhere.{' '}
          {hasOldSecret(key, request.at) && 'The secret before it stops working now.'}
        </p>
      }
    >
      <input type="hidden" name="seen" value={prefix} />
      <Field
        name="expires"
        label="Key expires (optional)"
        type="date"
        value={expiryValue(expiresAt)}
      />
    </FormPage>
  );
}

function hasOldSecret({ old }: ApiKey, at: number): boolean {
  return old !== null && old.until > at;
}

function showKey(_: WebDeps, request: OwnRequest, key: ApiKey): PageAnswer {
  const { id, name, prefix } = key;
  const { at } = request;
  const isActive = isActiveKey(key, at);
  const path = `/keys/${id}`;
  const done = {
    renamed: 'Key renamed.',
    changed: 'Access changed.',
    ended: 'The old secret no longer works.',
  };
  return (
    <Layout title={name} request={request} tabs={developerTabs} isNarrow done={done}>
      {isActive && hasOldSecret(key, at) && <OldSecretNotice shown={key} />}
      <Card>
        <Facts
          facts={[
            [
              'Key',
              <>
                <code>{`${prefix}…`}</code> {key.isTest && <Badge>Test</Badge>}{' '}
                {!isActive && <EndedKey shown={key} />}
              </>,
            ],
            ['Access', accessText(key.scopes)],
            ['Networks', key.networks?.split(' ').join(', ') ?? 'All'],
            ['Expires', expiryText(key.expiresAt)],
            ['Created', momentText(key.createdAt)],
            ['Last used', lastText(key.lastUsedAt)],
            ['Used today', key.isTest ? 'Not counted' : countText(key.usedToday)],
            ['Left today', isActive && !key.isTest ? countText(leftToday(key)) : null],
            ['Daily limit', key.isTest ? null : countText(key.allowance)],
          ]}
        />
        {isActive && key.isLimited && <p class="quiet">{limitedText}</p>}
        {isActive && (
          <p class="row">
            <PlainLink href={`${path}/rename`}>Rename</PlainLink>
            {!key.isLimited && <PlainLink href={`${path}/access`}>Access</PlainLink>}
            <PlainLink href={`${path}/roll`}>Roll</PlainLink>
            <PlainLink href={`${path}/revoke`}>Revoke</PlainLink>
          </p>
        )}
      </Card>
    </Layout>
  );
}

function OldSecretNotice(props: { readonly shown: ApiKey }) {
  const { id, old } = props.shown;
  if (!old) return null;
  return (
    <Notice kind="warn">
      <p class="flush">
        {`The old secret ${old.prefix}… works until ${momentText(old.until)}. `}
        {old.lastUsedAt === null
          ? 'It has not been used since you rolled the key.'
          : `Last used: ${momentText(old.lastUsedAt)}.`}
      </p>
      <ButtonForm action={`/keys/${id}/end-old`} look="plain">
        End it now
      </ButtonForm>
    </Notice>
  );
}
