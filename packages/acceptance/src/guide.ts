/** A block of code in a guide, with the comments before it that say what it is. */
export interface GuideBlock {
  /** The line that it begins on. */
  line: number;
  language: string;
  code: string;
  /** The name of the file that it is. */
  file: string | undefined;
  /** It runs in a terminal until Ctrl+C. */
  terminal: 'whole' | 'line by line' | undefined;
  /** The name of the terminal. */
  name: string;
  /** The name of the terminal in which Ctrl+C is pressed before. */
  stops: string | undefined;
  /** It is the use of the GitHub Action. */
  isAction: boolean;
  /** It quotes a file of an example, which has its own tests. */
  isQuote: boolean;
}

const BLOCK = /((?:<!-- [^\n]* -->\n)*)```(\w*)\n([\s\S]*?)```/g;

/**
 * The blocks of a guide in their order. The comments before a block are:
 *
 * - `file: <path>`: the block is this file.
 * - `terminal` or `terminal: <name>`: it runs until Ctrl+C. `terminal, line by line`: each line does.
 * - `ctrl-c: <name>`: before it, that terminal ends.
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
      stops: textAfter('ctrl-c'),
      isAction: marks.includes('action'),
      isQuote: marks.some((mark) => /^\S+#\w+$/.test(mark)),
    };
  });
}
