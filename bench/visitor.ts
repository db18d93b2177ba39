/** A visitor of pages who is signed in. */

export interface SignedIn {
  readonly cookie: string;
  /** The hidden fields of a page's forms. */
  fieldsOf(path: string): Promise<Record<string, string>>;
}

export async function signInAs(
  url: string,
  account: { readonly email: string; readonly password: string },
): Promise<SignedIn> {
  const page = await fetch(`${url}/sign-in`);
  const first = page.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const fields = hiddenFields(await page.text());
  const { email, password } = account;
  const body = new URLSearchParams({ ...fields, email, password });
  const headers = { Cookie: first, Origin: url };
  const done = await fetch(`${url}/sign-in`, { method: 'POST', body, headers, redirect: 'manual' });
  const cookie = done.headers
    .getSetCookie()
    .map((set) => set.split(';')[0] ?? '')
    .find((set) => /^brickmark=./.test(set));
  if (!cookie) throw new Error(`Signing in was answered with ${done.status}.`);
  const fieldsOf = async (path: string) =>
    hiddenFields(await (await fetch(url + path, { headers: { Cookie: cookie } })).text());
  return { cookie, fieldsOf };
}

function hiddenFields(html: string): Record<string, string> {
  const inputs = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]));
}
