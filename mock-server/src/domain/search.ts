/**
 * Without case and accents: what words are compared in. Upper case in between takes apart what has no capital of its own
 * (ß is SS), and a sigma is the same wherever it stands.
 */
const fold = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');

const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * How well texts match a search: 0 for not at all, more for better. Every word of the query must match a word by its
 * beginning; whole words and words in the first text weigh more.
 */
export function matchScore(query: string, texts: readonly (string | null)[]): number {
  const candidates = texts.map((text) => (text === null ? [] : wordsOf(text)));
  let score = 0;
  for (const word of wordsOf(query)) {
    const scores = candidates.flatMap((words, position) =>
      words
        .filter((candidate) => candidate.startsWith(word))
        .map((candidate) => (candidate === word ? 4 : 2) + (position === 0 ? 1 : 0)),
    );
    if (scores.length === 0) return 0;
    score += Math.max(...scores);
  }
  return score;
}
