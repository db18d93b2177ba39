/** Sets, minifigs, themes and the batch. */
import { type ItemKind, itemKey } from '../../catalog/items/numbers.ts';
import { shortText } from '../../kernel/text.ts';
import { AnswerData } from '../answer-data.ts';
import { type BatchItem, batchItems, summaryJson } from '../batch-items.ts';
import type { Answer, Handler, Handlers, Work } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { DocumentCache } from '../memory/document-cache.ts';

export function catalogHandlers({ market: { documents } }: HandlerDeps) {
  return {
    getSet: ({ params }) => new DocumentWork(documents, 'set', params.number),
    getMinifig: ({ params }) => new DocumentWork(documents, 'minifig', params.number),
    listThemes: () => ({ read: () => documents.findThemes() }),
    getBatch: getBatch(documents),
  } satisfies Partial<Handlers>;
}

/** A class rather than closures, because this is the most frequent request. */
class DocumentWork implements Work {
  private readonly key: string;

  constructor(
    private readonly documents: DocumentCache,
    private readonly kind: ItemKind,
    private readonly number: string,
  ) {
    this.key = itemKey(kind, number);
  }

  peek(): Answer | undefined {
    return this.documents.peek(this.kind, this.key);
  }

  async read(): Promise<Answer> {
    const document = await this.documents.find(this.kind, this.key);
    return document ?? { missing: `There is no ${this.kind} '${shortText(this.number)}'.` };
  }

  noteAnswered(): void {
    this.documents.noteLookUp(this.kind, this.key);
  }
}

/** `POST /catalog/batch` */
function getBatch(documents: DocumentCache): Handler<'getBatch'> {
  return ({ body }) => {
    const { set, minifig, requested } = batchItems(body);
    return {
      cost: requested,
      read: async () => {
        const sets = await findItems(documents, 'set', set);
        const minifigs = await findItems(documents, 'minifig', minifig);
        const summary = summaryJson(requested, sets.found + minifigs.found);
        return new AnswerData([
          '{"sets":[',
          ...sets.parts,
          '],"minifigs":[',
          ...minifigs.parts,
          `],${summary}}`,
        ]);
      },
    };
  };
}

/** The parts of the JSON of items, and how many were found. */
async function findItems(
  documents: DocumentCache,
  kind: ItemKind,
  items: readonly BatchItem[],
): Promise<{ readonly parts: readonly string[]; readonly found: number }> {
  let found = 0;
  const parts: string[] = [];
  for (const { key, sent } of items) {
    // Most documents are in memory.
    const document = documents.peek(kind, key) ?? (await documents.find(kind, key));
    if (parts.length > 0) parts.push(',');
    if (document === null) {
      parts.push(`{"${kind}_number":${JSON.stringify(sent)},"found":false}`);
    } else {
      found++;
      // A document is an object: append a field before its closing brace.
      parts.push(document.json.slice(0, -1), ',"found":true}');
    }
  }
  return { parts, found };
}
