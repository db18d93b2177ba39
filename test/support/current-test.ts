/**
 * Loaded before suites by `npm test`: writes the test that this process is running to a file, so
 * that the runner can name it when a batch stands still. A test that loops without letting time
 * pass cannot be timed out from within its own process.
 */
import * as bunTest from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Declare = (...words: unknown[]) => unknown;
type Report = (text: string) => void;

const folder = process.env.BRICKMARK_TEST_RUNNING;

if (folder !== undefined) {
  const path = join(folder, String(process.pid));
  const test = reporting(bunTest.test as unknown as Declare, (text) => writeFileSync(path, text));
  bunTest.mock.module('bun:test', () => ({ ...bunTest, test, it: test }));
}

/** `test`, `test.each(…)` and the like, whose tests report when they start and end. */
function reporting(declare: Declare, report: Report, self: unknown = undefined): Declare {
  const declared: Declare = (...words) => {
    const [name, body, ...rest] = words;
    if (typeof body === 'function') {
      const reported = reportingBody(`${suiteOf()}: ${name}`, body as Declare, report);
      return declare.call(self, name, reported, ...rest);
    }
    const made = declare.apply(self, words);
    return typeof made === 'function' ? reporting(made as Declare, report) : made;
  };
  return new Proxy(declared, {
    get(_, key) {
      const value: unknown = Reflect.get(declare, key);
      return typeof value === 'function' ? reporting(value as Declare, report, declare) : value;
    },
  });
}

function reportingBody(name: string, body: Declare, report: Report): Declare {
  const run: Declare = (...words) => {
    report(name);
    const result = body(...words);
    if (result instanceof Promise) return result.finally(() => report(''));
    report('');
    return result;
  };
  // Bun passes a callback to tests that take an argument.
  return Object.defineProperty(run, 'length', { value: body.length });
}

/** The suite that declares a test: the nearest on the stack. */
function suiteOf(): string {
  return /(?:src|test)\/[\w./-]+\.test\.ts/.exec(new Error().stack ?? '')?.[0] ?? 'a suite';
}
