/** Sharing a collection or a saved box: who has access, and the forms for a link and a member. */

import { emailProblem } from '../../../accounts/people/email.ts';
import { mayShareLinks } from '../../../accounts/people/site-access.ts';
import { mayMailInvitation, mayShare } from '../../../accounts/sign-in/attempt-limits.work.ts';
import { hashToken, newToken } from '../../../accounts/sign-in/sign-in.work.ts';
import {
  type NewShare,
  type Share,
  type SharedThing,
  shareInvitationDays,
  shareInvitationMs,
  shareLimits,
  shareLinkPath,
} from '../../../portfolio/sharing/share.ts';
import { recordAudit } from '../../audit.ts';
import { BackLink, ButtonLink, CopyBox, RowLink } from '../../kit/buttons.tsx';
import { Badge, Card } from '../../kit/card.tsx';
import { actionColumn, column, dayColumn, mainColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { missingPage, needsEvaluate } from '../../kit/fault.tsx';
import { Checkbox, Choice, Field, Notice, PostForm } from '../../kit/fields.tsx';
import { applyForm, foundForm, type Refusal, type Sent } from '../../kit/form-page.tsx';
import { CardPage, Layout } from '../../kit/layout.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, WebDeps } from '../../page.ts';
import type { Find } from '../../page-table.ts';
import { expiryText, readExpiry } from '../developer/key-form.tsx';
import { lastText } from '../developer/keys.tsx';

interface Shareable {
  readonly thing: SharedThing;
  readonly name: string;
  /** The address of this page, such as `/collections/7/share`. */
  readonly path: string;
  /** The label of the choice to share costs. */
  readonly costs: string;
}

/** The page that shares what `describe` finds. */
export function sharePage<Found>(
  find: Find<Found>,
  describe: (found: Found) => Shareable,
  barred: (deps: WebDeps, request: OwnRequest) => PageAnswer | null = () => null,
) {
  return foundForm<Found, ShareTerms>({
    find,
    barred,
    show: async (deps, request, found) =>
      barred(deps, request) ?? showShares(deps, request, describe(found)),
    read: readShareTerms,
    sentBefore: 'This form was already submitted. See who has access below.',
    save: ({ deps, sent, found }, terms) => share(deps, sent, describe(found), terms),
  });
}

interface ShareTerms extends Pick<NewShare, 'withCosts' | 'expiresAt' | 'name'> {
  /** The address that is invited; null for a link. */
  readonly email: string | null;
}

const readerKinds = ['member', 'link'] as const;

function readShareTerms({ sent, fields }: Sent<OwnRequest, unknown>): ShareTerms {
  const isLink = mayShareLinks(sent.access) && fields.word('with', readerKinds) === 'link';
  const terms = {
    withCosts: fields.form.isTicked('costs'),
    expiresAt: readExpiry(fields, sent.at),
  };
  if (isLink) {
    return { email: null, name: fields.textOrNull('name', shareLimits.name) ?? 'Link', ...terms };
  }
  const email = fields.form.text('name');
  fields.check('name', emailProblem(email));
  return { email, name: email, ...terms };
}

async function share(
  deps: WebDeps,
  sent: OwnSentRequest,
  shareable: Shareable,
  { email, ...terms }: ShareTerms,
): Promise<PageAnswer | Refusal | 'sent before'> {
  const { who, at } = sent;
  if (!(await mayShare(deps.accounts, { accountId: who.accountId, email, at }))) {
    return { refused: tooOften, status: 429 };
  }
  const token = newToken(deps);
  const acceptUntil = email === null ? null : at + shareInvitationMs;
  const added = { ...shareable.thing, ...terms, tokenHash: hashToken(token), acceptUntil, at };
  const made = await applyForm(deps, sent, (store) => store.addShare(who.accountId, added));
  if (made === 'sent before') return made;
  if (made === 'missing') return missingPage(sent);
  if (made === 'no plan') return needsEvaluate(sent);
  if (made === 'too many') {
    return { refused: `You have ${shareLimits.given} shares. Revoke one first.`, status: 409 };
  }
  const costs = terms.withCosts ? 'with costs' : 'without costs';
  const detail = `share ${made.id}, ${email === null ? 'link' : 'member'}, ${costs}`;
  await recordAudit(deps, sent, { action: 'share.added', detail });
  if (email === null) return newLinkPage(sent, shareable, token);
  const url = `${sent.baseUrl}${shareInvitationPath(token)}`;
  const isBox = shareable.thing.boxId !== null;
  const mailed = await mailInvitation(deps, { to: email, url, at, isBox });
  return newInvitationPage(sent, shareable, { email, url, mailed });
}

const tooOften =
  'You have reached the limit of shares today, or of invitations to this address. Try tomorrow.';

export function shareInvitationPath(token: string): string {
  return `/shared/invitations/${token}`;
}

type Mailed = 'sent' | 'no mail server' | 'too many';

/** Contains nothing that somebody typed. The request does not wait for the mail server. */
async function mailInvitation(
  { accounts, sendMail, onFailure }: WebDeps,
  invited: {
    readonly to: string;
    readonly url: string;
    readonly at: number;
    readonly isBox: boolean;
  },
): Promise<Mailed> {
  const { to, url, at, isBox } = invited;
  if (!sendMail) return 'no mail server';
  if (!(await mayMailInvitation(accounts, { email: to, at }))) return 'too many';
  const text = [
    `Someone wants to share a ${isBox ? 'box of LEGO items' : 'LEGO collection'} with you on`,
    'Brickmark. To see who it is and to accept, open:',
    '',
    url,
    '',
    `The link works once, for ${shareInvitationDays} days. You need an account on that site.`,
    '',
    'If you did not expect this, ignore this email.',
  ].join('\n');
  const mail = { to, subject: 'Someone shares something with you on Brickmark', text, at };
  setTimeout(() => sendMail(mail).catch((error) => onFailure('mail', error)), 0);
  return 'sent';
}

function newLinkPage(request: OwnRequest, { name, path }: Shareable, token: string): PageAnswer {
  return (
    <CardPage title="Copy the link" request={request}>
      <Notice kind="warn">Copy it now. You will not be able to see it again.</Notice>
      <CopyBox id="link" text={`${request.baseUrl}${shareLinkPath(token)}`} />
      <p>{`Anyone with this link can see ${name}, without signing in. Revoke it if it leaks.`}</p>
      <ButtonLink href={path}>Done</ButtonLink>
    </CardPage>
  );
}

function newInvitationPage(
  request: OwnRequest,
  { path }: Shareable,
  made: { readonly email: string; readonly url: string; readonly mailed: Mailed },
): PageAnswer {
  const { email, url, mailed } = made;
  const title = mailed === 'sent' ? 'Invitation sent' : 'Send the invitation';
  const texts: Readonly<Record<Mailed, string>> = {
    sent: `We sent this link to ${email}. You can also send it yourself.`,
    'no mail server': `This site does not send email. Send this link to ${email} yourself.`,
    'too many': `${email} gets no more email from us today. Send this link yourself.`,
  };
  return (
    <CardPage title={title} request={request}>
      <p>{texts[mailed]}</p>
      <CopyBox id="link" text={url} />
      <p>{`It works once, for ${shareInvitationDays} days. You will not see it again.`}</p>
      <ButtonLink href={path}>Done</ButtonLink>
    </CardPage>
  );
}

async function showShares(deps: WebDeps, request: OwnRequest, shareable: Shareable) {
  const { name, path, thing } = shareable;
  const all = await deps.accounts.listShares(request.who.accountId, request.at);
  const shares = all.filter(
    ({ brickfolioId, boxId }) => brickfolioId === thing.brickfolioId && boxId === thing.boxId,
  );
  return (
    <Layout title={`Share ${name}`} request={request}>
      <p class="quiet">
        View only. Viewers see its name, but never your notes, tags, storage places or other
        collections. Without costs, they see items, conditions and values only.
      </p>
      {shares.length > 0 && (
        <Card title="Who has access">
          <ShareTable shares={shares} />
        </Card>
      )}
      <Card title="Give access">
        <PostForm action={path}>
          <div class="form-grid">
            {mayShareLinks(request.access) ? (
              <>
                <Choice name="with" label="With" options={readerChoices} />
                <Field name="name" label="Email of the person, or a name for the link" />
              </>
            ) : (
              <Field name="name" label="Email of the person" isRequired />
            )}
            <Field name="expires" label="Last day (optional)" type="date" />
          </div>
          <Checkbox name="costs" label={shareable.costs} />
          <button type="submit">Share</button>
        </PostForm>
        <p class="quiet small flush">A person needs an account on this site to accept.</p>
      </Card>
      <BackLink href="/account/sharing">All your shares</BackLink>
    </Layout>
  );
}

const readerChoices = [
  ['member', 'A person'],
  ['link', 'Anyone with a link'],
] as const;

/** Shares with a link to revoke each; of several things, with their names. */
export function ShareTable(props: {
  readonly shares: readonly Share[];
  readonly hasTitles?: boolean;
}) {
  const columns: readonly Column<Share>[] = [
    mainColumn('Shared with', readerCell),
    ...(props.hasTitles ? [column('Shared', titleCell)] : []),
    column('Costs', costsText),
    dayColumn('Ends', ({ expiresAt }) => expiryText(expiresAt)),
    dayColumn('Last used', ({ lastUsedAt }) => lastText(lastUsedAt)),
    actionColumn((share) => (
      <RowLink href={`/account/sharing/${share.id}/revoke`} of={readerText(share)}>
        Revoke
      </RowLink>
    )),
  ];
  return <DataTable label="Shares" columns={columns} rows={props.shares} />;
}

export function readerText({ memberEmail, name }: Share): string {
  return memberEmail ?? name;
}

function readerCell(share: Share) {
  const isLink = share.memberEmail === null && share.acceptUntil === null;
  return (
    <>
      {readerText(share)} {isLink && <Badge>Link</Badge>}
      {share.acceptUntil !== null && <Badge kind="warn">Invited</Badge>}
    </>
  );
}

function titleCell({ title, brickfolioId, boxId }: Share) {
  const path = boxId === null ? `/collections/${brickfolioId}` : `/evaluate/${boxId}`;
  return <a href={`${path}/share`}>{title}</a>;
}

export function costsText({ withCosts }: { readonly withCosts: boolean }): string {
  return withCosts ? 'Included' : 'Hidden';
}
