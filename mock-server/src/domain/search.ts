import type { ProfileInput } from './profiles/profile-input.ts';

/** The fields of a profile that a search reads. All code that stores, finds or counts these fields uses this list. */
export const SEARCHED_FIELDS = ['name', 'email', 'externalId'] as const;
export type SearchedFields = Record<(typeof SEARCHED_FIELDS)[number], string | null>;

/** Returns the searched fields of a profile. A field that an input omits is null. */
export const searchedTexts = (profile: Pick<ProfileInput, keyof SearchedFields>): (string | null)[] =>
  SEARCHED_FIELDS.map((field) => profile[field] ?? null);

/**
 * The maximum length of a searched text, in UTF-16 units after Unicode decomposition. The decomposition may turn one
 * character into 18 units. Without this limit, a search could block the server.
 */
const TEXT_MAX = 2_048;

/** Letters whose stroke or ligature Unicode does not decompose, with their replacements in PostgreSQL's `unaccent`. */
const PLAIN_LETTERS = new Map(
  Object.entries({ æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', þ: 'th', ŋ: 'n' }),
);
const SPECIAL_LETTER = new RegExp(`[${[...PLAIN_LETTERS.keys()].join('')}]`, 'g');

/** Removes differences in case and accents. Upper case also replaces letters without a capital form (ß becomes SS). */
const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .slice(0, TEXT_MAX)
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(SPECIAL_LETTER, (letter) => PLAIN_LETTERS.get(letter) ?? letter);

/** Words are cut to this many UTF-16 units. PostgreSQL accepts words of up to 2,046 bytes. */
const WORD_MAX = 200;
const WHOLE_MAX = 600;

/** Splits a string into words. Every character that is neither a letter nor a digit separates words. */
export const wordsOf = (text: string): string[] =>
  (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, WORD_MAX));

const WHOLE = '¤';

/** Joins a field's words into one word. A search for a query's joined words finds fields that equal the whole query. */
export const wholeOf = (words: readonly string[]): string => `${WHOLE}${words.join(WHOLE)}`.slice(0, WHOLE_MAX);

/**
 * All workspaces share one index. Every indexed word starts with a tag, the end of its workspace's id, so that a search
 * reads only the words of one workspace. Two workspaces may have the same tag, so statements also compare the whole id.
 */
const TAG_LENGTH = 6;
export const tagOf = (workspaceId: string): string =>
  workspaceId.slice(4).slice(-TAG_LENGTH).toLowerCase().padStart(TAG_LENGTH, '0');

/** Returns all words that a search can use to find a profile, separated by spaces. */
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

/**
 * The levels of a match, best first. `whole`: a field equals the query. `words`: the fields contain all words of the
 * query. `prefixes`: the words of the query are prefixes of words in the fields.
 */
export const MATCHES = ['whole', 'words', 'prefixes'] as const;
export type Match = (typeof MATCHES)[number];

export function matchOf(query: readonly string[], fields: readonly (string | null)[]): Match | undefined {
  if (query.length === 0) return undefined;
  const found = fields.map((field) => wordsOf(field ?? ''));
  const whole = wholeOf(query);
  if (found.some((words) => words.length > 0 && wholeOf(words) === whole)) return 'whole';
  const all = new Set(found.flat());
  if (query.every((word) => all.has(word))) return 'words';
  return query.every((word) => [...all].some((candidate) => candidate.startsWith(word))) ? 'prefixes' : undefined;
}

/** Returns the field that matches best. If several fields match equally well, returns the first of these fields. */
export function matchedField(query: readonly string[], fields: readonly (string | null)[]): string | undefined {
  const ranks = fields.map((field) => {
    const match = matchOf(query, [field]);
    if (match) return MATCHES.indexOf(match);
    // The words of the query may be in several fields, so a field with some of the words also matches, but ranks last.
    const found = wordsOf(field ?? '');
    const isAny = query.some((word) => found.some((candidate) => candidate.startsWith(word)));
    return isAny ? MATCHES.length : Number.POSITIVE_INFINITY;
  });
  const best = Math.min(...ranks);
  return Number.isFinite(best) ? (fields[ranks.indexOf(best)] ?? undefined) : undefined;
}
