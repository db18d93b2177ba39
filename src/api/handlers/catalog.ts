/** Sets, minifigs, themes and the batch. */
import { ApiError } from '../../contract/errors.ts';
import { batchItemsMax } from '../../contract/limits.ts';
import { type ItemKind, itemKey } from '../../domain/catalog/numbers.ts';
import { shortText } from '../../domain/kernel/text.ts';
import type { Answer, Handler, Handlers, Work } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import { type DocumentCache, documentName } from '../memory/document-cache.ts';

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
  private readonly name: string;

  constructor(
    private readonly documents: DocumentCache,
    private readonly kind: ItemKind,
    private readonly number: string,
  ) {
    this.key = itemKey(kind, number);
    this.name = documentName(kind, this.key);
  }

  peek(): Answer | undefined {
    return this.documents.peekNamed(this.name);
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
    const sets = uniqueItems('set', body.sets ?? []);
    const minifigs = uniqueItems('minifig', body.minifigs ?? []);
    const requested = sets.length + minifigs.length;
    if (requested === 0) {
      throw bad("The batch names no set and no minifig; list some in 'sets' or 'minifigs'.");
    }
    if (requested > batchItemsMax) {
      throw bad(`The batch has ${requested} unique items; at most ${batchItemsMax} are allowed.`);
    }
    return {
      items: requested,
      read: async () => {
        const [foundSets, foundMinifigs] = [
          await findItems(documents, 'set', sets),
          await findItems(documents, 'minifig', minifigs),
        ];
        const found = foundSets.found + foundMinifigs.found;
        return (
          `{"sets":[${foundSets.elements}],"minifigs":[${foundMinifigs.elements}],` +
          `"summary":{"requested":${requested},"found":${found}}}`
        );
      },
    };
  };
}

interface BatchItem {
  readonly key: string;
  /** As sent, to be echoed if it is not found. */
  readonly sent: string;
}

/** In the requested order, each item once, in any form of its number. */
function uniqueItems(kind: ItemKind, numbers: readonly string[]): BatchItem[] {
  const items = new Map<string, BatchItem>();
  for (const sent of numbers) {
    const key = itemKey(kind, sent);
    if (!items.has(key)) items.set(key, { key, sent });
  }
  return [...items.values()];
}

async function findItems(
  documents: DocumentCache,
  kind: ItemKind,
  items: readonly BatchItem[],
): Promise<{ elements: string; found: number }> {
  let found = 0;
  const elements: string[] = [];
  for (const { key, sent } of items) {
    const document = documents.peek(kind, key) ?? (await documents.find(kind, key));
    if (document === null) {
      elements.push(`{"${kind}_number":${JSON.stringify(sent)},"found":false}`);
    } else {
      found++;
      // A document is an object: append a field before its closing brace.
      elements.push(`${document.json.slice(0, -1)},"found":true}`);
    }
  }
  return { elements: elements.join(','), found };
}

function bad(message: string): ApiError {
  return new ApiError('BadRequest', message);
}
