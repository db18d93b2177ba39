/** Watching an item from its own page. */

import type { WatchedItem, WatchList } from '../../../alerts/watchlists/watch-list.ts';
import { countMatching, saveItem } from '../../../alerts/watchlists/watched-items.work.ts';
import { type ItemKind, itemKey } from '../../../catalog/items/numbers.ts';
import { findExact } from '../../catalog/find-item.ts';
import { idOf, itemPath } from '../../kit/address.ts';
import { BackLink, ButtonForm } from '../../kit/buttons.tsx';
import { Card } from '../../kit/card.tsx';
import { Checkbox, Choice, Field, PostForm } from '../../kit/fields.tsx';
import type { Form } from '../../kit/form.ts';
import { foundSentForm } from '../../kit/form-page.tsx';
import { amountText } from '../../kit/form-reader.ts';
import { moneyText } from '../../kit/format.ts';
import { Layout } from '../../kit/layout.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRequest, WebDeps } from '../../page.ts';
import { page, routes } from '../../page-table.ts';
import { ensureTargetAlert, isTargetAlert, minifigTargets } from '../alerts/target-alert.ts';
import { changedElsewhere, readTarget, tooManyItems } from './watch-lists.tsx';

export const watchItemRoutes = routes('own', {
  '/watchlist/watch': foundSentForm({
    find: findSent,
    show: showRejected,
    read: ({ fields }) => {
      const targetCents = readTarget(fields, 'target');
      const wantsAlert = fields.form.isTicked('alert');
      if (fields.isGood && wantsAlert && targetCents === null) {
        fields.fail('target', 'Enter a target price, or clear “Alert me”.');
      }
      return { targetCents, wantsAlert };
    },
    save: async ({ deps, sent, found: watching }, { targetCents, wantsAlert }) => {
      const listId = await chooseList(deps, sent, watching);
      if (listId === null) return { refused: 'Choose one of your lists.', field: 'list' };
      const { kind, number, watched } = watching;
      const change = { accountId: sent.who.accountId, listId, at: sent.at };
      const known = watched.find((item) => item.listId === listId);
      // An empty target is removed; the note stays.
      if (known) {
        const { id, note } = known;
        const changes = [{ id, facts: { targetCents, note }, seen: known }];
        const others = await deps.accounts.changeWatchedItems(sent.who.accountId, changes);
        if (others.length > 0) return { refused: changedElsewhere, field: 'target' };
        await countMatching(deps, change, [known]);
      } else {
        const item = { kind, key: itemKey(kind, number), number, targetCents, note: '' };
        const saved = await saveItem(deps, change, item);
        if (saved === 'too many') return { refused: tooManyItems, field: 'target' };
      }
      if (!wantsAlert || (await addAlert(deps, sent, listId))) return backTo(watching);
      return { refused: noAlert, field: 'alert' };
    },
  }),
  '/watchlist/unwatch': page({ find: findSent, post: postUnwatch }),
});

export interface Watching {
  readonly kind: ItemKind;
  readonly number: string;
  readonly lists: readonly WatchList[];
  /** The item on each list that it is on. */
  readonly watched: readonly WatchedItem[];
  /** The lists with an active alert for target prices. */
  readonly alertedIds: readonly number[];
}

/** Reads where an item is watched; null for visitors. */
export async function readWatching(
  deps: WebDeps,
  { who }: PageRequest,
  { kind, number }: { readonly kind: ItemKind; readonly number: string },
): Promise<Watching | null> {
  if (!who) return null;
  const one = { set: [], minifig: [], [kind]: [itemKey(kind, number)] };
  const keys = await deps.market.findAllKeys(one);
  const [lists, watched, rules] = await Promise.all([
    deps.accounts.listWatchLists(who.accountId),
    deps.accounts.findWatched(who.accountId, keys),
    deps.accounts.listAlertRules(who.accountId),
  ]);
  const isAlerted = ({ id }: WatchList) => rules.some((rule) => isTargetAlert(rule, id));
  return { kind, number, lists, watched, alertedIds: lists.filter(isAlerted).map(({ id }) => id) };
}

/** Finds the item that a form names; null if there is none. */
async function findSent(deps: WebDeps, request: OwnRequest & { readonly form?: Form }) {
  const kind = request.form?.text('kind') === 'minifig' ? 'minifig' : 'set';
  const item = await findExact(deps, kind, request.form?.text('number') ?? '');
  return item && readWatching(deps, request, { kind, number: item.number });
}

function backTo({ kind, number }: Watching): PageAnswer {
  return { goTo: `${itemPath(kind, number)}#watch` };
}

const noAlert = 'It’s on your watchlist, but the alert could not be created. See Alerts.';

/** Whether the alert for the target prices of a list is on now. */
async function addAlert(deps: WebDeps, sent: OwnSentRequest, listId: number): Promise<boolean> {
  const lists = await deps.accounts.listWatchLists(sent.who.accountId);
  const list = lists.find(({ id }) => id === listId);
  return list !== undefined && ensureTargetAlert(deps, sent, list);
}

/** The chosen list, the only one, or a new one; null if the choice is invalid. */
async function chooseList(deps: WebDeps, sent: OwnSentRequest, { lists }: Watching) {
  const chosen = sent.form.text('list');
  if (chosen !== '') return lists.find(({ id }) => id === idOf(chosen))?.id ?? null;
  return (await deps.accounts.ensureFirstList(sent.who.accountId, sent.at))?.id ?? null;
}

function showRejected(_: WebDeps, request: OwnRequest, watching: Watching): PageAnswer {
  return (
    <Layout title={`Watch ${watching.number}`} request={request} isNarrow>
      <Card>
        <WatchForm watching={watching} />
      </Card>
      <BackLink
        href={itemPath(watching.kind, watching.number)}
      >{`Back to ${watching.number}`}</BackLink>
    </Layout>
  );
}

async function postUnwatch(deps: WebDeps, sent: OwnSentRequest, watching: Watching) {
  const ids = watching.watched.map(({ id }) => id);
  await deps.accounts.removeWatchedItems(sent.who.accountId, ids);
  return backTo(watching);
}

/** A button that shows whether the item is watched, and opens the form. */
export function WatchButton(props: { readonly watching: Watching | null }) {
  const { watching } = props;
  if (!watching) return null;
  const { kind, number, lists, watched, alertedIds } = watching;
  const nameOf = (listId: number) => lists.find(({ id }) => id === listId)?.name ?? '';
  return (
    <details class="watch" id="watch">
      <summary class="button plain">{summaryText(watched)}</summary>
      <div>
        {watched.map(({ id, listId, targetCents }) => (
          <p key={id}>
            {'On '}
            <a href={`/watchlist/${listId}`}>{nameOf(listId)}</a>
            {targetCents === null ? ', no target price' : `, target ${moneyText(targetCents)}`}
            {alertedIds.includes(listId) && (
              <>
                {', '}
                <a href="/alerts">alert on</a>
              </>
            )}
          </p>
        ))}
        <WatchForm watching={watching} />
        {watched.length > 0 && (
          <ButtonForm action="/watchlist/unwatch" look="plain" fields={{ kind, number }}>
            Stop watching
          </ButtonForm>
        )}
      </div>
    </details>
  );
}

/** With several targets, the highest one is shown, as it is reached first. */
function summaryText(watched: readonly WatchedItem[]): string {
  if (watched.length === 0) return 'Watch';
  const targets = watched.flatMap(({ targetCents }) => targetCents ?? []);
  return targets.length === 0 ? 'Watching' : `Watching, target ${moneyText(Math.max(...targets))}`;
}

function WatchForm(props: { readonly watching: Watching }) {
  const { kind, number, lists, watched, alertedIds } = props.watching;
  const [first] = watched;
  // Retailers sell no minifigs, so there are no alerts for them.
  const isAlerted = (first ? [first.listId] : lists.map(({ id }) => id)).every((id) =>
    alertedIds.includes(id),
  );
  const canAlert = kind === 'set' && !(lists.length > 0 && isAlerted);
  return (
    <PostForm action="/watchlist/watch">
      <input type="hidden" name="kind" value={kind} />
      <input type="hidden" name="number" value={number} />
      {lists.length > 1 && (
        <Choice
          name="list"
          label="List"
          value={String(first?.listId ?? '')}
          options={lists.map(({ id, name }) => [String(id), name] as const)}
        />
      )}
      <Field
        name="target"
        label="Target price ($)"
        value={amountText(first?.targetCents ?? null)}
        hint={kind === 'minifig' ? `Optional. ${minifigTargets}` : 'Optional.'}
        maxlength={20}
      />
      {canAlert && (
        <Checkbox name="alert" label="Alert me when any set on this list reaches its target" />
      )}
      <button type="submit">{watched.length > 0 ? 'Save changes' : 'Watch'}</button>
    </PostForm>
  );
}
