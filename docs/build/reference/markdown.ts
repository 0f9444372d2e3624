/** A table of Markdown, without columns that are empty. A cell keeps its line breaks and its bars. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const isUsed = (_: string, column: number) => rows.some((row) => row[column]);
  const line = (cells: readonly string[]) => `| ${cells.filter(isUsed).map(cell).join(' | ')} |\n`;
  return `${line(head)}${line(head.map(() => '---'))}${rows.map(line).join('')}`;
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', '<br>');

export const code = (text: string): string => `\`${text}\``;

export const fence = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`;

/** A block that the reader opens. */
export const details = (title: string, text: string): string => `::: details ${title}\n${text.trimEnd()}\n:::\n`;

/** Text that Vue and Markdown leave alone. What is in backticks is left alone already. */
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

/** Puts blocks below one another. */
export const page = (...blocks: readonly string[]): string =>
  `${blocks
    .map((block) => block.trim())
    .filter(Boolean)
    .join('\n\n')}\n`;

/** Notes as sentences, without the empty ones. */
export const sentences = (notes: readonly (string | false)[]): string =>
  notes.flatMap((note) => (note ? [sentence(note)] : [])).join(' ');

/** Text with a capital letter and a period. */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?:]$/.test(text) ? '' : '.'}`;
