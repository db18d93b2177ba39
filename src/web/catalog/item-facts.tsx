/** What pages about sets and minifigs have in common: the picture, the facts, links, the value. */

import type { ComponentChildren } from 'preact';
import type { ItemKind } from '../../domain/catalog/numbers.ts';
import type { PageRequest } from '../page.ts';

/** The picture of an item; what it shows is said beside it. */
export function ItemPicture(props: {
  readonly kind: ItemKind;
  readonly number: string;
  readonly isLarge?: boolean;
}) {
  const { kind, number, isLarge = false } = props;
  return (
    <img
      class={isLarge ? 'picture large' : 'picture'}
      src={`/pictures/${kind}/${encodeURIComponent(number)}?size=${isLarge ? 'large' : 'card'}`}
      alt=""
      width={isLarge ? 480 : 160}
      height={isLarge ? 360 : 120}
      loading={isLarge ? 'eager' : 'lazy'}
      decoding="async"
    />
  );
}

/** A list of facts; what is not known is left out. */
export function Facts(props: {
  readonly rows: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  const known = props.rows.filter(([, value]) => value !== null && value !== '');
  return (
    <dl class="facts">
      {known.flatMap(([name, value]) => [
        <dt key={name}>{name}</dt>,
        <dd key={`${name}=`}>{value}</dd>,
      ])}
    </dl>
  );
}

/** A number that matters, with its name above and what goes with it below. */
export function Figure(props: {
  readonly name: string;
  readonly value: string;
  readonly more?: ComponentChildren;
}) {
  return (
    <div>
      <div class="figure-name">{props.name}</div>
      <div class="figure">{props.value}</div>
      {props.more && <div class="quiet">{props.more}</div>}
    </div>
  );
}

/** Said to strangers in the place of values. */
export function SignInCard({ request }: { readonly request: Pick<PageRequest, 'path'> }) {
  return (
    <section class="card">
      <h2>What it is worth</h2>
      <p>
        Values, their history, the evidence behind them and retail prices are for those who are
        signed in. An account costs nothing.
      </p>
      <p class="row">
        <a class="button" href={`/sign-in?next=${encodeURIComponent(request.path)}`}>
          Sign in
        </a>
        <a class="button plain" href="/sign-up">
          Make an account
        </a>
      </p>
    </section>
  );
}
