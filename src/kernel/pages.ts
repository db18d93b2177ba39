/** Reading a long list in parts. */

/** Pages until one is empty; `read` gets the last row of the page before, null for the first. */
export async function* pagesOf<Row>(
  read: (last: Row | null) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let last: Row | null = null; ; ) {
    const page: readonly Row[] = await read(last);
    if (page.length === 0) return;
    yield page;
    last = page.at(-1) ?? null;
  }
}
