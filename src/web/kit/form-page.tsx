/**
 * The kind of page that has a form: read it, save it once, or show it again with its errors.
 */
import type { ComponentChildren } from 'preact';
import type { OwnerAction } from '../../portfolio/lots/own-lots.work.ts';
import type { AccountStore } from '../../store/store.ts';
import {
  fullAnswer,
  type OwnRequest,
  type OwnSentRequest,
  type PageAnswer,
  type PageRequest,
  type SentRequest,
  type WebDeps,
} from '../page.ts';
import { type Find, type OwnPage, page } from '../page-table.ts';
import { SubmitOrCancel } from './buttons.tsx';
import { Card } from './card.tsx';
import { PostForm } from './fields.tsx';
import { FormReader } from './form-reader.ts';
import { Layout, type Tab } from './layout.tsx';

/** A form that was sent. `found` is what its page is about, if the path names it. */
export interface Sent<Request extends PageRequest, Found> {
  readonly deps: WebDeps;
  readonly sent: Request & SentRequest;
  readonly found: Found;
  readonly fields: FormReader;
}

export interface Refusal {
  /** The error; empty if the page says why. */
  readonly refused: string;
  /** The field of the error; undefined if it is about the whole form. */
  readonly field?: string;
  /** 400 if undefined. */
  readonly status?: number;
}

interface FormRow<Request extends PageRequest, Found, Input> {
  /** The answer if the form may not be sent, such as without the plan; null if it may. */
  readonly barred?: (deps: WebDeps, request: Request) => PageAnswer | null;
  /** The page with the form. `input` is what was read of a rejected one, with placeholders. */
  readonly show: (
    deps: WebDeps,
    request: Request,
    found: Found,
    input?: Input,
  ) => PageAnswer | Promise<PageAnswer>;
  /** Reads the fields. The errors of all of them are shown at once. */
  readonly read: (form: Sent<Request, Found>) => Input | Promise<Input>;
  /** Saves valid input, and redirects; or returns why not. */
  readonly save: (form: Sent<Request, Found>, input: Input) => Saved | Promise<Saved>;
  /**
   * Instead of a rejection if the form was applied before, which may be why it is rejected now: the
   * error, or the answer of the first time, or null if the rejection is right.
   */
  readonly sentBefore?:
    | string
    | ((form: Sent<Request, Found>, input: Input) => Promise<PageAnswer | null> | PageAnswer);
}

type Saved = PageAnswer | Refusal | 'sent before';

/** The route of a page with a form. If the page has another address, only `post` is used. */
export function formPage<Request extends PageRequest, Found, Input>(
  form: FormRow<Request, Found, Input>,
) {
  const { barred, show, read, save, sentBefore } = form;
  const isSentAgain = async (deps: WebDeps, sent: SentRequest) => {
    const { who } = sent;
    return sentBefore !== undefined && who && (await findApplied(deps, { ...sent, who })) !== null;
  };
  const post = async (
    deps: WebDeps,
    sent: Request & SentRequest,
    found: Found,
  ): Promise<PageAnswer> => {
    const refusal = barred?.(deps, sent);
    if (refusal) return refusal;
    const fields = new FormReader(sent.form, sent.today);
    const input = await read({ deps, sent, found, fields });
    const showAgain = async (status: number, message = '', isCleared = false) => {
      const { values, faults } = fields.typed;
      const rejected = { action: isCleared ? '' : sent.path, values, faults, message };
      const shown = await show(deps, { ...sent, rejected }, found, input);
      return { status, ...fullAnswer(shown) };
    };
    const typed = { deps, sent, found, fields };
    const saved = fields.isGood ? await save(typed, input) : { refused: '' };
    if (saved !== 'sent before' && !('refused' in saved)) return saved;
    if (saved === 'sent before' || (await isSentAgain(deps, sent))) {
      if (typeof sentBefore !== 'function') return showAgain(409, sentBefore, true);
      const first = await sentBefore(typed, input);
      if (first !== null) return first;
    }
    const { refused, field, status = 400 } = saved === 'sent before' ? { refused: '' } : saved;
    if (field === undefined) return showAgain(status, refused);
    fields.fail(field, refused);
    return showAgain(status);
  };
  return { get: show, post };
}

/** A form that is sent to an address without a page; `show` is the page that it is on. */
export function sentForm<Request extends PageRequest, Input>(
  form: FormRow<Request, undefined, Input>,
) {
  return { post: formPage(form).post };
}

/** The same about something that its path names. */
export function foundSentForm<Found, Input>({
  find,
  ...form
}: FormRow<OwnRequest, Found, Input> & { readonly find: Find<Found> }): OwnPage {
  return page({ find, post: formPage(form).post });
}

/** A page with a form about something that its path names. */
export function foundForm<Found, Input>({
  find,
  ...form
}: FormRow<OwnRequest, Found, Input> & { readonly find: Find<Found> }): OwnPage {
  return page({ find, ...formPage(form) });
}

/** A page with nothing but a form, which is sent to the same address. */
export function FormPage(props: {
  readonly request: PageRequest;
  readonly title: string;
  readonly tabs?: readonly Tab[];
  readonly above?: ComponentChildren;
  readonly button: string;
  readonly look?: 'danger';
  /** Where Cancel leads. */
  readonly cancel?: string;
  readonly isUpload?: boolean;
  readonly children: ComponentChildren;
}) {
  const { request, title, tabs, above, button, look, cancel, children } = props;
  return (
    <Layout title={title} request={request} isNarrow {...(tabs && { tabs })}>
      {above}
      <Card>
        <PostForm action={request.path} isUpload={props.isUpload ?? false}>
          {children}
          {cancel === undefined ? (
            <button type="submit">{button}</button>
          ) : (
            <SubmitOrCancel cancel={cancel} {...(look && { look })}>
              {button}
            </SubmitOrCancel>
          )}
        </PostForm>
      </Card>
    </Layout>
  );
}

/** Buttons that save the same, and lead to different pages. */
const goingOn = ['next', 'another'];

/**
 * The ID of a form with its content: the same form with other contents is another one. Files are
 * not part of it.
 */
function formIdOf({ form }: SentRequest): string {
  const content = form.entered.filter(([name]) => !goingOn.includes(name));
  return Buffer.from(Bun.SHA256.hash(JSON.stringify(content)) as Uint8Array).toString('base64url');
}

/** A change of the lots, sales or purchases of the user, which is applied once. */
export function actionOf(
  { accounts }: Pick<WebDeps, 'accounts'>,
  sent: OwnSentRequest,
): OwnerAction {
  return { accounts, accountId: sent.who.accountId, at: sent.at, formId: formIdOf(sent) };
}

/** The methods of the store that a form can call once. */
export type FormAccounts = Parameters<Parameters<AccountStore['applyForm']>[1]>[0];

/** Changes something else once, with one method of the store. */
export function applyForm<T>(
  { accounts }: Pick<WebDeps, 'accounts'>,
  sent: OwnSentRequest,
  work: (accounts: FormAccounts) => Promise<T>,
): Promise<T | 'sent before'> {
  const form = { id: formIdOf(sent), accountId: sent.who.accountId, at: sent.at };
  return accounts.applyForm(form, work);
}

/** A form that was applied before, unless that was undone; null if it was not. */
export async function findApplied({ accounts }: Pick<WebDeps, 'accounts'>, sent: OwnSentRequest) {
  const found = await accounts.findSentForm(sent.who.accountId, { id: formIdOf(sent) });
  return found?.isOver ? null : found;
}
