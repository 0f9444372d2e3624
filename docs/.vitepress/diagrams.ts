import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { docs } from './navigation.ts';

/**
 * Puts each diagram (an SVG file with `class="diagram"`) into its page, without the SVG file's style. The site's colors
 * then apply to the diagram, even if a reader switches to dark mode. GitHub shows the same file as a picture, with the
 * file's style.
 */
export function placeDiagrams(md: MarkdownRenderer): void {
  const render = md.renderer.rules.image;
  md.renderer.rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index];
    const source = String(token?.attrGet('src'));
    const page = String((env as { relativePath?: string }).relativePath);
    const svg = source.endsWith('.svg') ? readFileSync(join(docs, dirname(page), source), 'utf8') : '';
    if (svg !== '') token?.attrJoin('class', 'recording');
    if (!svg.includes('class="diagram"')) return render?.(tokens, index, options, env, self) ?? '';
    const label = md.utils.escapeHtml(String(token?.content));
    const drawing = svg
      .replace(/<style>[\s\S]*?<\/style>\n?/, '')
      .replace('<svg ', `<svg role="img" aria-label="${label}" `)
      .replace(' class="diagram"', '');
    return `<span class="diagram" style="display:block" v-pre>${drawing.trim()}</span>`;
  };
}
