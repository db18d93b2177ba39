/** The text of HTML pages. */

/** Visible text, including the titles of images. */
export function textOf(html: string): string {
  const marked = html.replace(/<[^>]* role="img" title="([^"]*)">/g, ' $1 ');
  return unescaped(marked.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '));
}

/** Decodes HTML entities. */
export function unescaped(text: string): string {
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');
}
