/** Skipping deals, and undoing it. */
import type { SetDeal } from '../../../buying/deals/find-deals.ts';
import { itemKey } from '../../../catalog/items/numbers.ts';
import { centsMax } from '../../../kernel/money.ts';
import { changedAddress, namedNumber } from '../../kit/address.ts';
import { ButtonForm } from '../../kit/buttons.tsx';
import { faultAnswer } from '../../kit/fault.tsx';
import { Toast } from '../../kit/toast.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';

export const skipDealRoutes = routes('own', {
  '/deals/skip': { post: postSkip },
  '/deals/unskip': { post: postUnskip },
});

/** The pages with buttons; others lead to Deals. */
const pages = ['/today', '/deals'] as const;

async function postSkip({ accounts }: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { form, who, at } = sent;
  const number = form.text('set');
  const cents = form.text('price');
  const priceCents = /^\d{1,12}$/.test(cents) ? Number(cents) : centsMax + 1;
  if (!isNumber(number) || priceCents > centsMax) return faultAnswer(sent, 400, unknownDeal);
  await accounts.skipDeal(who.accountId, {
    setKey: itemKey('set', number),
    priceCents,
    skippedAt: at,
  });
  return { goTo: backTo(sent, 'skipped', number) };
}

async function postUnskip({ accounts }: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const number = sent.form.text('set');
  if (!isNumber(number)) return faultAnswer(sent, 400, unknownDeal);
  await accounts.unskipDeal(sent.who.accountId, itemKey('set', number));
  return { goTo: backTo(sent, 'unskipped', number) };
}

const unknownDeal = 'This deal is unknown. Go back, reload the page, and try again.';

function isNumber(text: string): boolean {
  return /^[\w.-]{1,30}$/.test(text);
}

function backTo({ form }: OwnSentRequest, did: string, number: string): string {
  const path = pages.find((each) => each === form.text('page')) ?? '/deals';
  const query = new URLSearchParams(form.text('view').slice(0, viewLengthMax));
  return changedAddress({ path, query }, { did, set: number, page: query.get('page') });
}

/** The maximum length of the filters that a button keeps. */
const viewLengthMax = 1_000;

/** Where a button leads back to: the same list, with its filters. */
function placeOf({ path, query }: OwnRequest) {
  return { page: path, view: String(query) };
}

interface SkipProps {
  readonly request: OwnRequest;
  readonly deal: Pick<SetDeal, 'setNumber' | 'title' | 'cheapestCents'>;
}

/**
 * Hides a set until it is offered for less than its cheapest current offer. That offer may be
 * hidden by the filters of the list; otherwise the set would come back at a price that is not new.
 */
export function SkipButton({ request, deal }: SkipProps) {
  const { setNumber, title, cheapestCents } = deal;
  return (
    <ButtonForm
      action="/deals/skip"
      look="plain"
      of={title}
      fields={{ set: setNumber, price: String(cheapestCents), ...placeOf(request) }}
    >
      Skip
    </ButtonForm>
  );
}

export function UnskipButton({ request, deal }: SkipProps) {
  return (
    <ButtonForm
      action="/deals/unskip"
      look="plain"
      of={deal.title}
      fields={{ set: deal.setNumber, ...placeOf(request) }}
    >
      Show again
    </ButtonForm>
  );
}

export function SkippedToast({ request }: { readonly request: OwnRequest }) {
  const did = request.query.get('did');
  const number = namedNumber(request.query, 'set');
  if (did === 'unskipped') return <Toast>{`${number} is listed again.`}</Toast>;
  if (did !== 'skipped') return null;
  const fields = { set: number, ...placeOf(request) };
  return (
    <Toast undo={{ action: '/deals/unskip', fields }}>
      {`Skipped ${number} at all retailers, until one sells it for less.`}
    </Toast>
  );
}
