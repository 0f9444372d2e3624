import type { MarkdownRenderer } from 'vitepress';

/** The HTML elements that pages use. Any other name in angle brackets is a placeholder. */
const ELEMENTS = /^<(?:!--|\/?(?:a|br|code|div|em|img|kbd|picture|source|span|strong|sub|sup)\b)/;

/** Shows `<name>` as text, not as HTML or a Vue component. Pages use this form for names that the reader fills in. */
export function showPlaceholders(md: MarkdownRenderer): void {
  md.renderer.rules['html_inline'] = (tokens, index) => {
    const text = tokens[index]?.content ?? '';
    return ELEMENTS.test(text) ? text : md.utils.escapeHtml(text);
  };
}
