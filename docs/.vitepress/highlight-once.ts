import type { MarkdownRenderer } from 'vitepress';

/**
 * Keeps the HTML of highlighted code. VitePress renders each page a second time for its search index, and guides repeat
 * code, so highlighting each time would take a fifth of the build time.
 */
export function highlightOnce(md: MarkdownRenderer): void {
  const { highlight } = md.options;
  if (!highlight) return;
  const known = new Map<string, string>();
  md.options.highlight = (code, lang, attributes) => {
    const key = JSON.stringify([lang, attributes, code]);
    const html = known.get(key) ?? highlight(code, lang, attributes);
    known.set(key, html);
    return html;
  };
}
