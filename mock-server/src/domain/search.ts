/**
 * How much of a field is searched, in UTF-16 units after decomposition: enough for a whole URL. One character may
 * become 18 units, so without a limit, the endpoints of a workspace could block the server at each search.
 */
const TEXT_MAX = 2_048;

/**
 * Removes case and accents, so that words can be compared. Converting to upper case in between splits letters without a
 * capital (ß becomes SS) and makes both forms of sigma equal.
 */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .slice(0, TEXT_MAX)
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ');

/** In UTF-16 units. PostgreSQL takes words of up to 2,046 bytes. */
const WORD_MAX = 200;
const WHOLE_MAX = 600;

/** The folded words of a string. Every character that is neither a letter nor a digit separates words. */
export const wordsOf = (text: string): string[] =>
  (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, WORD_MAX));

/** A character that precedes each word of a whole field. No word contains this character. */
const WHOLE = '¤';

/** All words of a field as one word. The word finds a field that equals the whole query. */
export const wholeOf = (words: readonly string[]): string => `${WHOLE}${words.join(WHOLE)}`.slice(0, WHOLE_MAX);

/**
 * The end of a workspace's id. Every indexed word of the workspace starts with it, so that a lookup in the shared index
 * reads only that workspace's words. Two workspaces may have the same tag, so statements also compare the id.
 */
const TAG_LENGTH = 6;
export const tagOf = (workspaceId: string): string => workspaceId.slice(4).slice(-TAG_LENGTH).toLowerCase();

/** All words by which a search finds a profile: each once, tagged, separated by spaces. */
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

/** The match levels, best first: a whole field equals the query, all its words match, or its words are prefixes. */
export const MATCHES = ['whole', 'words', 'prefixes'] as const;
export type Match = (typeof MATCHES)[number];

/**
 * The match level of fields for the words of a query, or undefined if they do not match. A query without words matches
 * nothing.
 */
export function matchOf(query: readonly string[], fields: readonly (string | null)[]): Match | undefined {
  return matchOfWords(
    query,
    fields.map((field) => wordsOf(field ?? '')),
  );
}

/** The match level for the words of each field. */
function matchOfWords(query: readonly string[], found: readonly (readonly string[])[]): Match | undefined {
  if (query.length === 0) return undefined;
  const whole = wholeOf(query);
  if (found.some((words) => words.length > 0 && wholeOf(words) === whole)) return 'whole';
  const all = new Set(found.flat());
  if (query.every((word) => all.has(word))) return 'words';
  return query.every((word) => [...all].some((candidate) => candidate.startsWith(word))) ? 'prefixes' : undefined;
}

/** The field that matches best. If several match equally well, the first of them. */
export function matchedField(query: readonly string[], fields: readonly (string | null)[]): string | undefined {
  const ranks = fields.map((field) => {
    const found = [wordsOf(field ?? '')];
    const match = matchOfWords(query, found);
    if (match) return MATCHES.indexOf(match);
    // No field has all of the words, so they are spread over several fields. Accept a field that has one of them.
    return query.some((word) => matchOfWords([word], found)) ? MATCHES.length : Number.POSITIVE_INFINITY;
  });
  const best = Math.min(...ranks);
  return Number.isFinite(best) ? (fields[ranks.indexOf(best)] ?? undefined) : undefined;
}
