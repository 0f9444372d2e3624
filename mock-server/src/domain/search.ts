/**
 * Without case and accents: what words are compared in. Upper case in between takes apart what has no capital of its own
 * (ß is SS), and a sigma is the same wherever it stands.
 */
const fold = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');

/** In UTF-16 units. PostgreSQL takes words of up to 2,046 bytes. */
const WORD_MAX = 200;
const WHOLE_MAX = 600;

/** The words of a text, folded: what stands between characters that are neither letters nor digits. */
export const wordsOf = (text: string): string[] =>
  (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, WORD_MAX));

/** Precedes each word of a whole field; no word contains it. */
const WHOLE = '¤';

/** All words of a field as one word, by which a query that equals the whole field is found. */
export const wholeOf = (words: readonly string[]): string => `${WHOLE}${words.join(WHOLE)}`.slice(0, WHOLE_MAX);

/**
 * The end of a workspace's id, which every indexed word of that workspace starts with. All workspaces share one index, so
 * a look-up reads the words of one workspace only. Two workspaces may have the same tag: statements compare the id too.
 */
const TAG_LENGTH = 6;
export const tagOf = (workspaceId: string): string => workspaceId.slice(4).slice(-TAG_LENGTH).toLowerCase();

/** Everything that a search finds a profile by: each word once, tagged, separated by spaces. */
export function indexedWords(workspaceId: string, fields: readonly (string | null)[]): string {
  const words = new Set<string>();
  for (const field of fields) {
    const own = wordsOf(field ?? '');
    if (own.length > 0) words.add(wholeOf(own));
    for (const word of own) words.add(word);
  }
  const tag = tagOf(workspaceId);
  return [...words].map((word) => `${tag}${word}`).join(' ');
}

/** How well something matches, best first: a whole field equals the query, all its words do, or they begin so. */
export const MATCHES = ['whole', 'words', 'prefixes'] as const;
export type Match = (typeof MATCHES)[number];

/** How well fields match the words of a query; undefined if they do not. A query without words matches nothing. */
export function matchOf(query: readonly string[], fields: readonly (string | null)[]): Match | undefined {
  if (query.length === 0) return undefined;
  const found = fields.map((field) => wordsOf(field ?? ''));
  const whole = wholeOf(query);
  if (found.some((words) => words.length > 0 && wholeOf(words) === whole)) return 'whole';
  const all = new Set(found.flat());
  if (query.every((word) => all.has(word))) return 'words';
  return query.every((word) => [...all].some((candidate) => candidate.startsWith(word))) ? 'prefixes' : undefined;
}

/** The field by which something matches: the first that matches as well as any. */
export function matchedField(query: readonly string[], fields: readonly (string | null)[]): string | undefined {
  const ranks = fields.map((field) => {
    const match = matchOf(query, [field]);
    if (match) return MATCHES.indexOf(match);
    // The words are in several fields.
    return query.some((word) => matchOf([word], [field])) ? MATCHES.length : Number.POSITIVE_INFINITY;
  });
  const best = Math.min(...ranks);
  return Number.isFinite(best) ? (fields[ranks.indexOf(best)] ?? undefined) : undefined;
}
