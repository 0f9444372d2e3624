import { marked, type Token, type Tokens } from 'marked';

/**
 * The placeholder for inline code in a sentence. The placeholder is a capital letter, because a sentence may begin with
 * code.
 */
const CODE = 'Ꝗ';
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Returns the sentences on a Markdown page. Code, headings, HTML and front matter are not prose. Inline code becomes
 * `…`.
 */
export function sentencesIn(markdown: string): string[] {
  return (
    paragraphsIn(marked.lexer(markdown.replace(/^---\n[\s\S]*?\n---\n/, '')))
      // Replace line breaks with spaces. Otherwise, a line break within a paragraph would end a sentence.
      .flatMap((text) => [...segmenter.segment(text.replaceAll(/\s+/g, ' '))])
      .map(({ segment }) => segment.trim().replaceAll(CODE, '`…`'))
      .filter((sentence) => /\p{Letter}/u.test(sentence))
  );
}

/** Returns the text of each paragraph, list item and table cell. */
function paragraphsIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    if (token.type === 'paragraph' || token.type === 'text') return [textOf(token.tokens ?? [token])];
    if (token.type === 'list') return paragraphsIn(token['items']);
    if (token.type === 'list_item' || token.type === 'blockquote') return paragraphsIn(token.tokens ?? []);
    if (token.type === 'table') return cellsOf(token).map((cell) => textOf(cell.tokens));
    return [];
  });
}

const cellsOf = (table: Token): Tokens.TableCell[] => {
  const { header, rows } = table as Tokens.Table;
  return [...header, ...rows.flat()];
};

function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'codespan') return CODE;
      if (token.type === 'html' || token.type === 'image') return '';
      if ('tokens' in token && token.tokens) return textOf(token.tokens);
      return token.type === 'br' ? ' ' : 'text' in token ? String(token['text']) : '';
    })
    .join('');
}
