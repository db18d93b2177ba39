/** Sharing on a test site: links and members, made with the forms of its pages. */
import type { Seen, Visitor } from './site.ts';

interface Terms {
  readonly costs?: boolean;
  /** The last day. */
  readonly expires?: string;
}

function typedTerms({ costs = false, expires = '' }: Terms) {
  return { ...(costs && { costs: 'yes' }), expires };
}

/** Creates a link to a collection or box, such as `/collections/1`; returns its path. */
export async function addLink(owner: Visitor, path: string, terms: Terms = {}): Promise<string> {
  const form = await owner.get(`${path}/share`);
  const typed = { with: 'link', ...typedTerms(terms) };
  const made = await owner.submit(form, `${path}/share`, typed);
  return found(made, /\/s\/[\w-]{43}/);
}

/** Invites somebody; returns the path of the invitation. */
export async function invite(
  owner: Visitor,
  path: string,
  { email = 'bob@example.com', ...terms }: Terms & { readonly email?: string } = {},
): Promise<string> {
  const form = await owner.get(`${path}/share`);
  const typed = { with: 'member', name: email, ...typedTerms(terms) };
  const made = await owner.submit(form, `${path}/share`, typed);
  return found(made, /\/shared\/invitations\/[\w-]{43}/);
}

/** Invites a visitor, who accepts; returns the path of what is shared with them. */
export async function addMember(
  owner: Visitor,
  member: Visitor,
  path: string,
  terms: Terms = {},
): Promise<string> {
  const invitation = await invite(owner, path, terms);
  const accepted = await member.submit(await member.get(invitation), invitation);
  const list = await member.get(accepted.goTo ?? '');
  const paths = [...list.html.matchAll(/href="(\/shared\/\d+)"/g)].map(([, each = '']) => each);
  return paths.at(-1) ?? '';
}

/** Revokes everything that an account shares. */
export async function revokeAll(owner: Visitor): Promise<void> {
  const { html } = await owner.get('/account/sharing');
  for (const [, path = ''] of html.matchAll(/href="(\/account\/sharing\/\d+\/revoke)"/g)) {
    await owner.submit(await owner.get(path), path);
  }
}

function found({ html }: Seen, pattern: RegExp): string {
  const [text] = pattern.exec(html) ?? [];
  if (text === undefined) throw new Error('The page shows no link.');
  return text;
}
