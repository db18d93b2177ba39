/** What a page says. */

/** The text of a page as a reader sees it, with what the style sheet and drawings say. */
export function textOf(html: string): string {
  const said = html
    .replace(/<span class="delta gain">/g, ' ▲ ')
    .replace(/<span class="delta loss">/g, ' ▼ ')
    .replace(/<[^>]* role="img" title="([^"]*)">/g, ' $1 ');
  return unescaped(said.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '));
}

/** The signs that HTML writes with others. */
export function unescaped(text: string): string {
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');
}
