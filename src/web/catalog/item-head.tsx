/** The head of an item's page, and what visitors see instead of values. */

import type { ComponentChildren } from 'preact';
import type { ItemKind } from '../../catalog/items/numbers.ts';
import { addressOf, withQuery } from '../kit/address.ts';
import { ButtonLink, PlainLink } from '../kit/buttons.tsx';
import { ItemPicture } from '../kit/item-picture.tsx';
import type { PageRequest } from '../page.ts';

/** The head; `children` are below the name. */
export function ItemHead(props: {
  readonly kind: ItemKind;
  readonly number: string;
  readonly name: string;
  /** Shown after the number, such as the theme. */
  readonly about: readonly ComponentChildren[];
  readonly children: ComponentChildren;
}) {
  const { kind, number, name, about, children } = props;
  return (
    <div class="item">
      <ItemPicture kind={kind} number={number} size="large" alt={name} />
      <div>
        <h1>{name}</h1>
        <p class="about">
          {number}
          {about.filter((part) => part !== null).map((part) => [' · ', part])}
        </p>
        {children}
      </div>
    </div>
  );
}

/** Shown to visitors instead of values. */
export function SignInCard(props: { readonly request: Pick<PageRequest, 'path' | 'access'> }) {
  const { request } = props;
  const isOpen = request.access.signUp === 'open';
  return (
    <section class="value">
      <h2>Market value</h2>
      <p>
        Sign in to see values, price history and retail prices.
        {isOpen && ' An account is free.'}
      </p>
      <p class="row">
        <ButtonLink href={withQuery('/sign-in', { next: request.path })}>Sign in</ButtonLink>
        {isOpen && <PlainLink href="/sign-up">Create account</PlainLink>}
      </p>
    </section>
  );
}

/** Links to sign in or sign up, and then return to the page. */
export function SignInHint(props: {
  readonly request: Pick<PageRequest, 'path' | 'query' | 'access'>;
}) {
  const { request } = props;
  const next = addressOf(request);
  return (
    <p class="quiet">
      <a href={withQuery('/sign-in', { next })}>Sign in</a>
      {request.access.signUp === 'open' && (
        <>
          {' or '}
          <a href={withQuery('/sign-up', { next })}>create an account</a>
        </>
      )}
      {' to see market values.'}
    </p>
  );
}
