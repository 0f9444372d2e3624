import type { MarkdownRenderer } from 'vitepress';

/**
 * Shows the headings between `<!-- tabs -->` and `<!-- /tabs -->` as tabs. In the repository and in the packages, these
 * headings remain ordinary headings, so readers of the Markdown see all the text.
 *
 * A tab is a radio button, so it works with the keyboard and without a script. `theme/open-tab.ts` opens the tab that
 * the address names. A printed page shows all tabs.
 */
export function showTabs(md: MarkdownRenderer): void {
  md.core.ruler.push('tabs', (state) => {
    const html = (content: string) => Object.assign(new state.Token('html_block', '', 0), { content });
    const tokens: typeof state.tokens = [];
    let group: { name: string; names: string[]; panels: typeof tokens } | undefined;
    let groups = 0;
    for (const [index, token] of state.tokens.entries()) {
      const comment = token.type === 'html_block' ? token.content.trim() : '';
      if (comment === '<!-- tabs -->') {
        groups += 1;
        group = { name: `tabs-${groups}`, names: [], panels: [] };
      } else if (comment === '<!-- /tabs -->' && group) {
        const { name, names, panels } = group;
        tokens.push(html(`<div class="tabs">${buttons(name, names, md)}`), ...panels, html('</section></div>'));
        group = undefined;
      } else if (group && token.type === 'heading_open' && token.tag === 'h3') {
        const title = String(state.tokens[index + 1]?.content);
        if (group.names.length > 0) group.panels.push(html('</section>'));
        group.names.push(title);
        group.panels.push(html(`<section class="tab-panel" data-tab="${group.names.length}">`), token);
      } else (group?.panels ?? tokens).push(token);
    }
    if (group) throw new Error('A page opens tabs and does not close them.');
    state.tokens = tokens;
  });
}

function buttons(name: string, names: readonly string[], md: MarkdownRenderer): string {
  const list = names.map((title, at) => {
    const id = `${name}-${at + 1}`;
    const text = md.utils.escapeHtml(title);
    return `<input type="radio" name="${name}" id="${id}"${at === 0 ? ' checked' : ''}><label for="${id}">${text}</label>`;
  });
  return `<fieldset class="tab-list"><legend>Choose one</legend>${list.join('')}</fieldset>`;
}
