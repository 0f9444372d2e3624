/** A Markdown table. Cells may contain line breaks and bars. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |\n`;
  return `${line(head)}${line(head.map(() => '---'))}${rows.map(line).join('')}`;
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', '<br>');

export const code = (text: string): string => `\`${text}\``;

export const fence = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`;

/** Escapes text, so that Vue and Markdown do not change it. Text in backticks is not escaped. */
export function plain(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`')
        ? part
        : part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;').replaceAll('*', '\\*'),
    )
    .join('');
}

/** Joins blocks with blank lines. */
export const page = (...blocks: readonly string[]): string =>
  `${blocks
    .map((block) => block.trim())
    .filter(Boolean)
    .join('\n\n')}\n`;

/** Text with a capital letter and a full stop. */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?:]$/.test(text) ? '' : '.'}`;
