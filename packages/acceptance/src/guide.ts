/** A code block of a guide, with the instructions from the comments before it. */
export interface GuideBlock {
  /** The line on which it starts. */
  line: number;
  language: string;
  code: string;
  /** The file to save it as. */
  file: string | undefined;
  /** Run it in a terminal until Ctrl+C. */
  terminal: 'whole' | 'line by line' | undefined;
  /** The name of the terminal. */
  name: string;
  /** What the terminal must print before the next block. */
  prints: string | undefined;
  /** The name of the terminal to stop with Ctrl+C before this block. */
  stops: string | undefined;
  /** It uses the GitHub Action. */
  isAction: boolean;
  /** It quotes a file of an example, which has separate tests. */
  isQuote: boolean;
}

const BLOCK = /((?:<!-- [^\n]* -->\n)*)```(\w*)\n([\s\S]*?)```/g;

/**
 * The blocks of a guide in order. The comments before a block are:
 *
 * - `file: <path>`: the block is this file.
 * - `terminal` or `terminal: <name>`: it runs until Ctrl+C. With `terminal, line by line`, each line does.
 * - `prints: <text>`: the terminal prints this, before the next block.
 * - `ctrl-c: <name>`: that terminal ends before this block.
 * - `action`: it uses the GitHub Action.
 * - `examples/…#region`: it quotes an example.
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
