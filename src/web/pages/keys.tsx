/** Keys: made and shown once, listed with what they spent, and revoked. */

import { isFirstSubmission } from '../../accounts/form-submission.ts';
import { createKey, keyNameProblem, type MadeKey } from '../../accounts/keys.ts';
import { allowanceDefault } from '../../contract/limits.ts';
import type { ApiKey } from '../../domain/account/account-store.ts';
import { isActiveKey } from '../../domain/account/keys.ts';
import { dayMs, dayOf, parseDay } from '../../domain/kernel/time.ts';
import type { WebDeps } from '../deps.ts';
import type { Typed } from '../fields.tsx';
import type { OwnRequest, SentRequest } from '../page-request.ts';
import type { PageAnswer } from '../respond.ts';
import type { PageRoute } from '../routes.ts';
import { nameFault } from './faults.ts';
import { KeysPage, NewKeyPage, RevokePage } from './keys-view.tsx';
import { missingPage } from './missing.tsx';

const nameDefault = 'API key';

/** A day further ahead is a slip of the fingers: about ten years. */
const expiryDaysMax = 3653;

/** The pages about keys. */
export function keyRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'own',
      path: '/keys',
      get: (request) => showKeys(deps, request),
      post: (sent) => postKey(deps, sent),
    },
    {
      access: 'own',
      path: '/keys/{id}/revoke',
      get: async (request) => {
        const key = await findKey(deps, request);
        return key ? { page: <RevokePage request={request} shown={key} /> } : missingPage(request);
      },
      post: async (sent) => {
        const key = await findKey(deps, sent);
        if (!key) return missingPage(sent);
        await deps.accounts.revokeKey(key.id, sent.at);
        return { goTo: '/keys?revoked=1' };
      },
    },
  ];
}

interface Outcome {
  readonly typed?: Typed;
  readonly message?: string;
  readonly status?: number;
}

async function showKeys(
  deps: WebDeps,
  request: OwnRequest,
  { typed, message, status = 200 }: Outcome = {},
): Promise<PageAnswer> {
  const keys = (await deps.accounts.listKeys(request.who.email, request.at)) ?? [];
  return {
    page: <KeysPage request={request} keys={keys} typed={typed} message={message} />,
    status,
  };
}

/** A key of whoever asks; somebody else's is as if there were none. */
async function findKey(
  { accounts }: WebDeps,
  { who, params, at }: OwnRequest,
): Promise<ApiKey | null> {
  const keys = (await accounts.listKeys(who.email, at)) ?? [];
  return keys.find((key) => String(key.id) === params.id) ?? null;
}

/**
 * The key is in the answer itself and nowhere else, so there is no page to go to. A reload sends
 * the same form again, and that makes no second key.
 */
async function postKey(deps: WebDeps, sent: OwnRequest<SentRequest>): Promise<PageAnswer> {
  const { form, who, at } = sent;
  const name = form.text('name') || nameDefault;
  const expiry = readExpiry(form.text('expires'), at);
  const faults = {
    ...nameFault('name', keyNameProblem(name)),
    ...nameFault('expires', typeof expiry === 'string' ? expiry : null),
  };
  const typed = { values: form.typed, faults };
  if (typeof expiry === 'string' || Object.keys(faults).length > 0) {
    return showKeys(deps, sent, { typed, status: 400 });
  }
  const submission = { accountId: who.accountId, formId: form.text('once'), at };
  if (!(await isFirstSubmission(deps.accounts, submission))) {
    return showKeys(deps, sent, { message: madeBefore, status: 409 });
  }
  const options = { email: who.email, name, allowance: allowanceDefault, expiresAt: expiry.at, at };
  const made = await createKey(deps.accounts, options, deps.randomBytes);
  if ('refusal' in made) {
    return showKeys(deps, sent, { typed, message: made.refusal, status: 409 });
  }
  return showNewKey(deps, sent, { made, name });
}

const madeBefore =
  'This form was sent before, and its key was shown then. If you did not copy it, revoke it ' +
  'below and make another one.';

async function showNewKey(
  deps: WebDeps,
  request: OwnRequest,
  { made, name }: { readonly made: MadeKey; readonly name: string },
): Promise<PageAnswer> {
  const keys = (await deps.accounts.listKeys(request.who.email, request.at)) ?? [];
  const left = keys.filter((key) => isActiveKey(key, request.at)).length;
  return { page: <NewKeyPage request={request} name={name} active={left} secret={made.key} /> };
}

/** The instant at which a key stops working, the end of a day; or what is wrong with the day. */
function readExpiry(text: string, at: number): { readonly at: number | null } | string {
  if (text === '') return { at: null };
  const day = parseDay(text);
  if (day === null) return 'This is not a day such as 2027-01-31.';
  if (dayOf(day) < dayOf(at)) return 'This day is over already.';
  if (dayOf(day) > dayOf(at) + expiryDaysMax) {
    return 'At most ten years ahead; leave it empty for a key without an end.';
  }
  return { at: day + dayMs };
}
