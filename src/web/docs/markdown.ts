/** Parses the Markdown of our docs with `marked`. Raw HTML stays text; pictures are left out. */
import { Lexer, lexer, type MarkedToken, type Token, type Tokens } from 'marked';

export type Cell = Tokens.TableCell;

/** The ID of a heading, the same as on Git servers, so that links work in both places. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** The blocks of a page, without comments. */
export function parseMarkdown(text: string): MarkedToken[] {
  return known(lexer(text.replaceAll(/^<!--[\s\S]*?-->$/gm, '')));
}

export function plainText(text: string | readonly Token[]): string {
  const tokens = typeof text === 'string' ? Lexer.lexInline(text) : text;
  return known(tokens)
    .map((token) => {
      if (token.type === 'image') return '';
      if ('tokens' in token && token.tokens) return plainText(token.tokens);
      return 'text' in token ? joinLines(token.text) : '';
    })
    .join('');
}

/** Replaces line breaks by spaces, as browsers do. */
export function joinLines(text: string): string {
  return text.replaceAll('\n', ' ');
}

/** Narrows the type of tokens: without extensions, `marked` returns no others. */
export function known(tokens: readonly Token[] = []): MarkedToken[] {
  return tokens as MarkedToken[];
}
