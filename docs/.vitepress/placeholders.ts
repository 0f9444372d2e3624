import type { MarkdownRenderer } from 'vitepress';

/** The elements that pages use. */
const ELEMENTS = /^<(?:!--|\/?(?:a|br|code|div|em|img|kbd|picture|source|span|strong|sub|sup)\b)/;

/** A page may write `<name>` for a name that the reader fills in. It is text, not HTML or a Vue component. */
export function showPlaceholders(md: MarkdownRenderer): void {
  md.renderer.rules['html_inline'] = (tokens, index) => {
    const text = tokens[index]?.content ?? '';
    return ELEMENTS.test(text) ? text : md.utils.escapeHtml(text);
  };
}
