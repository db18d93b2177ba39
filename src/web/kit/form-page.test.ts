/** The kind of page that has a form, with a form of two fields. */
import { expect, test } from 'bun:test';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { PageRequest, SentRequest, WebDeps } from '../page.ts';
import { Field, PostForm } from './fields.tsx';
import { Form } from './form.ts';
import { formPage, type Refusal } from './form-page.tsx';
import { Layout } from './layout.tsx';

const deps = {} as WebDeps;

const sentTo = (path: string, fields: Readonly<Record<string, string>>): SentRequest => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  const query = new URLSearchParams();
  const request = { path, query, who: null, draft: null, at: 0, form: new Form(data) };
  const access = { signUp: 'open', hasPublicPages: true, requires: 'none' };
  return { ...request, access, formToken: 't', once: 'o' } as unknown as SentRequest;
};

/** A page with two forms that have the same fields. */
const show = (_: WebDeps, request: PageRequest) => {
  const form = (action: string) => {
    const fields = [h(Field, { name: 'name', label: 'Name', value: 'stored' })];
    return h(PostForm, { action, children: fields });
  };
  const children = [form('/a?view=all'), form('/b')];
  return Layout({ title: 'Two forms', request, children });
};

/** The answer to the first form, and its page. */
async function send(fields: Readonly<Record<string, string>>, outcome: Refusal | null = null) {
  const saved: string[] = [];
  const { post } = formPage({
    show,
    read: (sent) => sent.fields.text('name', 5),
    save: (_, name) => {
      saved.push(name);
      return outcome ?? { goTo: '/done' };
    },
  });
  const answer = await post(deps, sentTo('/a', fields), undefined);
  const html = 'page' in answer ? renderToString(answer.page) : '';
  const status = 'page' in answer ? answer.status : answer;
  const values = [...html.matchAll(/id="field-name"[^>]*? value="([^"]*)"/g)].map(([, v]) => v);
  return { saved, status, html, values };
}

test('valid input is saved', async () => {
  expect(await send({ name: 'short' })).toMatchObject({
    saved: ['short'],
    status: { goTo: '/done' },
  });
});

test('invalid input is not saved, and shown again in its own form only', async () => {
  const { saved, status, html, values } = await send({ name: 'too long' });
  expect({ saved, status, values }).toEqual({
    saved: [],
    status: 400,
    values: ['too long', 'stored'],
  });
  expect(html.match(/Use at most 5 characters/g)).toHaveLength(1);
});

test('a refusal is shown at its field, or else above the page, with its status', async () => {
  const taken = await send({ name: 'short' }, { refused: 'Taken.', field: 'name', status: 409 });
  expect([taken.status, taken.values]).toEqual([409, ['short', 'stored']]);
  expect(taken.html).toContain('id="field-name-fault" role="alert">Taken.');
  const full = await send({ name: 'short' }, { refused: 'Full.', status: 429 });
  expect(full.status).toBe(429);
  expect(full.html).toContain('<div class="notice bad" role="alert">Full.</div>');
  expect(full.html).not.toContain('field-name-fault');
});
