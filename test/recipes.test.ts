/**
 * The recipes of docs/recipes.md with the demo: the requests are valid, and the templates of Home
 * Assistant and the selectors of Grafana find what they name in the responses.
 */
// @runs SQLite (rest): needs a demo
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Demo, startDemo } from '../scripts/demo.ts';
import { runIn } from './support/client-programs.ts';
import { copyDemo } from './support/demo.ts';
import { programIn } from './support/doc-programs.ts';
import { describeWith } from './support/programs.ts';

const page = 'docs/recipes.md';
const server = 'https://brickmark.example.com';
let demo: Demo;

beforeAll(async () => {
  demo = await startDemo({ fill: copyDemo });
}, 900_000);

afterAll(() => demo.stop());

/** The response to a request of a recipe, about a set that the demo has. */
async function answerTo(url: string): Promise<unknown> {
  const path = url.replace(server, '').replace('75192', demo.setNumber);
  expect(path).toStartWith('/api/');
  const answer = (await demo.ask('GET', path)) as object;
  expect(answer).toHaveProperty('data');
  return answer;
}

/** The YAML block of the page that starts with a word. */
function yamlOf<T>(start: string): T {
  const text = readFileSync(join(import.meta.dir, '..', page), 'utf8');
  const blocks = [...text.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const found = blocks.find((block) => block.startsWith(start)) ?? '';
  return Bun.YAML.parse(found.replaceAll('!secret ', '')) as T;
}

interface Column {
  readonly selector: string;
  readonly type: 'timestamp' | 'number' | 'string';
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly datasource: { readonly type: string; readonly uid: string };
    readonly targets: readonly {
      readonly url: string;
      readonly root_selector: string;
      readonly columns: readonly Column[];
    }[];
  }[];
}

const isOf = {
  timestamp: (value: unknown) => !Number.isNaN(Date.parse(String(value))),
  number: (value: unknown) => typeof value === 'number' || value === null,
  string: (value: unknown) => typeof value === 'string',
} as const;

test('every panel of the dashboard finds its rows and columns', async () => {
  const { panels } = JSON.parse(programIn(page, 'examples/grafana-dashboard.json')) as Dashboard;
  const { datasources } = yamlOf<{
    datasources: { type: string; uid: string; jsonData: { allowedHosts: string[] } }[];
  }>('apiVersion');
  expect(datasources).toMatchObject([{ url: server, jsonData: { allowedHosts: [server] } }]);
  for (const { datasource, targets } of panels) {
    expect(datasources).toMatchObject([datasource]);
    for (const { url, root_selector, columns } of targets) {
      const rows = root_selector
        .split('.')
        .reduce<unknown>(
          (part, name) => (part as Readonly<Record<string, unknown>>)[name],
          await answerTo(url),
        ) as Readonly<Record<string, unknown>>[];
      expect(rows.length).toBeGreaterThan(0);
      const wrong = rows.flatMap((row) =>
        columns.filter(({ selector, type }) => !(selector in row && isOf[type](row[selector]))),
      );
      expect(wrong).toEqual([]);
    }
  }
});

/** Renders templates as Home Assistant does, but fails on names that do not exist. */
const renderer = `
import json, sys
from jinja2 import Environment, StrictUndefined
environment = Environment(undefined=StrictUndefined)
print(json.dumps([environment.from_string(text).render(value_json=answer)
                  for text, answer in json.loads(sys.argv[1])]))`;

describeWith('python3-httpx', 'the sensors of Home Assistant', (python) => {
  test('have values', async () => {
    interface Sensor {
      readonly unique_id: string;
      readonly value_template: string;
      readonly availability?: string;
    }
    const { rest } = yamlOf<{
      rest: { resource: string; sensor: Sensor[]; binary_sensor?: Sensor[] }[];
    }>('rest:');
    const render = async (answer: unknown, ...templates: readonly string[]) => {
      const pairs = JSON.stringify(templates.map((template) => [template, answer]));
      const ran = await runIn('.', [python, '-c', renderer, pairs]);
      expect(ran).toMatchObject({ stderr: '', status: 0 });
      return JSON.parse(ran.stdout) as string[];
    };
    for (const { resource, sensor, binary_sensor = [] } of rest) {
      const answer = await answerTo(resource);
      for (const { value_template, availability = '{{ true }}' } of sensor)
        expect(await render(answer, availability, value_template)).toEqual([
          'True',
          expect.stringMatching(/^-?\d+(\.\d+)?$/),
        ]);
      for (const { value_template } of binary_sensor) {
        expect(await render(answer, value_template)).toEqual([
          expect.stringMatching(/^(True|False)$/),
        ]);
        // As for a set that no retailer ever had.
        expect(await render({ data: null }, value_template)).toEqual(['False']);
      }
    }
  });
});
