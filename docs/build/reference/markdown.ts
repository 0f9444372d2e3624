/** Returns a Markdown table without empty columns. Line breaks and bars (`|`) in a cell are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const isUsed = (_: string, column: number) => rows.some((row) => row[column]);
  const line = (cells: readonly string[]) => `| ${cells.filter(isUsed).map(cell).join(' | ')} |\n`;
  return `${line(head)}${line(head.map(() => '---'))}${rows.map(line).join('')}`;
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', '<br>');

export const code = (text: string): string => `\`${text}\``;

export const fence = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`;

/** Returns a collapsed block that the reader can open. */
export const details = (title: string, text: string): string => `::: details ${title}\n${text.trimEnd()}\n:::\n`;

/**
 * Escapes the characters that Vue or Markdown would interpret. Does not change text in backticks, because neither Vue
 * nor Markdown interprets such text.
 */
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

export const page = (...blocks: readonly string[]): string =>
  `${blocks
    .map((block) => block.trim())
    .filter(Boolean)
    .join('\n\n')}\n`;

/** Writes each note as a sentence, and leaves out the empty notes. */
export const sentences = (notes: readonly (string | false)[]): string =>
  notes.flatMap((note) => (note ? [sentence(note)] : [])).join(' ');

/** Returns the text with a capital letter at the start and a period at the end. */
export const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?:]$/.test(text) ? '' : '.'}`;
