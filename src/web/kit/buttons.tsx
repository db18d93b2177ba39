/** Buttons of forms, and links, many of which look like buttons. */
import type { ComponentChildren } from 'preact';
import { PostForm } from './fields.tsx';

interface ButtonProps {
  readonly action: string;
  readonly look?: 'plain' | 'link' | 'danger';
  /** What the action applies to, for screen readers: the row of a table, for example. */
  readonly of?: string;
}

export function ButtonForm(
  props: ButtonProps & {
    readonly fields?: Readonly<Record<string, string>>;
    readonly children: ComponentChildren;
  },
) {
  const { action, look, of, fields = {}, children } = props;
  return (
    <PostForm action={action} class="row">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button class={look} type="submit">
        {children}
        {of && <span class="visually-hidden">{` ${of}`}</span>}
      </button>
    </PostForm>
  );
}

export function SwitchForm({ isOn, ...props }: ButtonProps & { readonly isOn: boolean }) {
  return (
    <ButtonForm {...props} fields={{ to: isOn ? 'off' : 'on' }}>
      {isOn ? 'Turn off' : 'Turn on'}
    </ButtonForm>
  );
}

export function SubmitOrCancel(props: {
  readonly look?: 'danger';
  /** Where Cancel leads. */
  readonly cancel: string;
  readonly children: ComponentChildren;
}) {
  const { look, cancel, children } = props;
  return (
    <p class="row flush">
      <button class={look} type="submit">
        {children}
      </button>
      <PlainLink href={cancel}>Cancel</PlainLink>
    </p>
  );
}

/** A button that is not the main one of its form. */
export function PlainButton({ children }: { readonly children: ComponentChildren }) {
  return (
    <button class="plain" type="submit">
      {children}
    </button>
  );
}

interface LinkProps {
  readonly href: string;
  readonly children: ComponentChildren;
}

const linkLike = (look: string) => (props: LinkProps) => <a class={look} {...props} />;

/** The main action, if it is a link. */
export const ButtonLink = linkLike('button');

/** Another action. */
export const PlainLink = linkLike('button plain');

/** The page that asks before something is deleted or revoked. */
export const DangerLink = linkLike('button danger');

export function DownloadLink({ href, children }: LinkProps) {
  return (
    <a class="button plain" href={href} download>
      {children}
    </a>
  );
}

/** An action on a row of a list; screen readers also get what it applies to. */
export function RowLink({ href, of, children }: LinkProps & { readonly of: string }) {
  return (
    <a href={href}>
      {children}
      <span class="visually-hidden">{` ${of}`}</span>
    </a>
  );
}

/** Leads from a page to the one above it. */
export function BackLink({ href, children }: LinkProps) {
  return (
    <p>
      <a href={href}>{children}</a>
    </p>
  );
}

/** A link to another site, named by its host. */
export function OutsideLink({ href }: { readonly href: string }) {
  return (
    <a href={href} rel="noopener noreferrer nofollow" target="_blank">
      {new URL(href).host}
    </a>
  );
}

/** A text to copy; without script there is no button. */
export function CopyBox({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <div class="copied">
      <pre class="code" id={id}>
        {text}
      </pre>
      <button class="plain" type="button" data-copy={id} hidden>
        Copy
      </button>
    </div>
  );
}
