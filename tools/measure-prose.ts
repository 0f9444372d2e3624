import { flesch } from 'flesch';
import { marked, type Token } from 'marked';
import { syllable } from 'syllable';

/** How easy a page is to read. Code blocks, tables, headings, HTML and front matter do not count. */
export interface Prose {
  words: number;
  /** The Flesch reading ease, without inline code. 60 to 70 is plain English. */
  ease: number;
  /** Average words in a sentence. Inline code counts as one word. */
  wordsPerSentence: number;
  /** The five longest sentences, longest first. */
  longest: string[];
}

/** Replaces inline code, which has no syllables. It is a capital letter, because a sentence may begin with code. */
const CODE = 'Ꝗ';
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const words = new Intl.Segmenter('en', { granularity: 'word' });

export function measureProse(markdown: string): Prose {
  const found = paragraphsIn(marked.lexer(markdown.replace(/^---\n[\s\S]*?\n---\n/, '')))
    // Otherwise a line break within a paragraph would end a sentence.
    .flatMap((text) => [...sentences.segment(text.replaceAll(/\s+/g, ' '))])
    .map(({ segment }) => segment.trim())
    .filter((sentence) => /\p{Letter}/u.test(sentence))
    .map((text) => ({ text, words: wordsIn(text), codes: text.split(CODE).length - 1 }));
  const all = found.flatMap((sentence) => sentence.words);
  const codes = found.reduce((sum, sentence) => sum + sentence.codes, 0);
  const counts = {
    sentence: found.length,
    word: all.length,
    syllable: all.reduce((sum, word) => sum + syllable(word), 0),
  };
  return {
    words: all.length,
    ease: flesch(counts),
    wordsPerSentence: (all.length + codes) / found.length,
    longest: found
      .toSorted((a, b) => b.words.length + b.codes - a.words.length - a.codes)
      .slice(0, 5)
      .map(({ text }) => text.replaceAll(CODE, '`…`')),
  };
}

const wordsIn = (text: string) =>
  [...words.segment(text)].filter(({ isWordLike, segment }) => isWordLike && segment !== CODE).map((it) => it.segment);

/** The text of each paragraph and list item. */
function paragraphsIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    if (token.type === 'paragraph' || token.type === 'text') return [textOf(token.tokens ?? [token])];
    if (token.type === 'list') return paragraphsIn(token['items']);
    if (token.type === 'list_item' || token.type === 'blockquote') return paragraphsIn(token.tokens ?? []);
    return [];
  });
}

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
