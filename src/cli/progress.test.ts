/** Lines about long work. */
import { expect, test } from 'bun:test';
import { withPatience } from './progress.ts';

test('long work is reported now and then, except on terminals and once it has ended', async () => {
  for (const isTerminal of [false, true]) {
    const said: string[] = [];
    const second = Promise.withResolvers<void>();
    const say = (text: string) => void (said.push(text) === 2 && second.resolve());
    const work = () => (isTerminal ? Bun.sleep(20) : second.promise).then(() => 7);
    expect(await withPatience({ isTerminal, say }, 'Still creating', work, 1)).toBe(7);
    await Bun.sleep(5);
    expect(said).toEqual(isTerminal ? [] : Array(2).fill('Still creating, after 0 seconds …'));
  }
});
