/** The examples of `docs/terminal.md`: each command with its output for the demo. */

/** A command in its own block, followed by its output. */
const example = /```console\n\$ brickmark (.+)\n[\s\S]*?```/g;

/** The page with fresh output, run in the order of the page. */
export async function withTerminalExamples(
  page: string,
  type: (words: string) => Promise<string>,
): Promise<string> {
  let fresh = '';
  let from = 0;
  for (const found of page.matchAll(example)) {
    const [whole, words = ''] = found;
    const printed = await type(words);
    const block = `\`\`\`console\n$ brickmark ${words}\n${printed}\`\`\``;
    fresh += page.slice(from, found.index) + block;
    from = found.index + whole.length;
  }
  return fresh + page.slice(from);
}
