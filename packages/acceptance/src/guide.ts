/** A code block of a guide, and the instructions in the comments before it. */
export interface GuideBlock {
  /** The line on which the block, or the first comment before the block, starts. */
  line: number;
  language: string;
  code: string;
  file: string | undefined;
  /**
   * How the block ends. `whole`: the block runs until Ctrl+C. `line by line`: each line runs until a separate Ctrl+C.
   * `undefined`: the block ends by itself.
   */
  terminal: 'whole' | 'line by line' | undefined;
  /** The name of the terminal. An empty string if the page does not name the terminal. */
  name: string;
  prints: string | undefined;
  /** The name of the terminal in which the reader presses Ctrl+C before this block. */
  stops: string | undefined;
  isAction: boolean;
  /** Whether the block quotes a file of an example. Examples have separate tests. */
  isQuote: boolean;
}

const BLOCK = /((?:<!-- [^\n]* -->\n)*)```(\w*)\n([\s\S]*?)```/g;

/**
 * Returns the code blocks of a guide, in order. The comments before a block can be:
 *
 * - `file: <path>`: the block is the content of this file.
 * - `terminal` or `terminal: <name>`: the block runs until Ctrl+C. With `terminal, line by line`, each line of the
 * block runs until Ctrl+C.
 * - `prints: <text>`: the terminal must print this text before the next block runs.
 * - `ctrl-c: <name>`: the reader presses Ctrl+C in the terminal with this name before the block.
 * - `action`: the block uses the GitHub Action.
 * - `examples/…#region`: the block quotes an example.
 */
export function parseGuide(text: string): GuideBlock[] {
  return [...text.matchAll(BLOCK)].map(({ 1: comments = '', 2: language = '', 3: code = '', index }) => {
    const marks = [...comments.matchAll(/<!-- (.*?) -->/g)].map(([, mark = '']) => mark);
    const textAfter = (key: string) => marks.find((mark) => mark.startsWith(`${key}: `))?.slice(key.length + 2);
    const terminal = marks.find((mark) => mark.startsWith('terminal'));
    return {
      line: text.slice(0, index).split('\n').length,
      language,
      code,
      file: textAfter('file'),
      terminal: terminal === undefined ? undefined : terminal.endsWith('line by line') ? 'line by line' : 'whole',
      name: textAfter('terminal') ?? '',
      prints: textAfter('prints'),
      stops: textAfter('ctrl-c'),
      isAction: marks.includes('action'),
      isQuote: marks.some((mark) => /^\S+#\w+$/.test(mark)),
    };
  });
}
