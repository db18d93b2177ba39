/**
 * Preloaded by `npm test`: writes the name of the running test to a file, so that the runner can
 * report it if a batch hangs. A test in an endless synchronous loop cannot be timed out from within
 * its process.
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

/** Wraps `test`, `test.each(…)` and the like, so that tests report their start and end. */
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
  // Bun passes a `done` callback to tests that declare a parameter, so the length must match.
  return Object.defineProperty(run, 'length', { value: body.length });
}

/** The suite that declares a test, from the call stack. */
function suiteOf(): string {
  return /(?:src|test)\/[\w./-]+\.test\.ts/.exec(new Error().stack ?? '')?.[0] ?? 'a suite';
}
