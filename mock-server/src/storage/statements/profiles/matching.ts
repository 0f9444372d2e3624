import { type RawBuilder, sql } from 'kysely';
import { type Match, wholeOf, workspaceWord } from '../../../domain/search.ts';
import { isPostgres } from '../../dialect.ts';
import type { Queries } from '../../port.ts';

/*
 * The two languages of text search. Words consist of letters and digits and of the marks of `domain/search.ts`, so none
 * contains a quotation mark or an operator, and each stands in quotation marks.
 */
interface Language {
  word(word: string): string;
  prefix(word: string): string;
  and: string;
  without(query: string, excluded: string): string;
}

const FTS5: Language = {
  word: (word) => `"${word}"`,
  prefix: (word) => `"${word}" *`,
  and: ' AND ',
  without: (query, excluded) => `(${query}) NOT (${excluded})`,
};

const TSQUERY: Language = {
  word: (word) => `'${word}'`,
  prefix: (word) => `'${word}':*`,
  and: ' & ',
  without: (query, excluded) => `${query} & !(${excluded})`,
};

/** The query for the profiles of a workspace that match some words; with `as`, only those that match them just so well. */
export function searchQuery(queries: Queries, workspaceId: string, words: readonly string[], as?: Match): string {
  const language = isPostgres(queries) ? TSQUERY : FTS5;
  const all = (parts: readonly string[]) => parts.join(language.and);
  const within = language.word(workspaceWord(workspaceId));
  const equal = words.map(language.word);
  const whole = language.word(wholeOf(words));
  const prefixes = all([within, ...words.map(language.prefix)]);
  if (as === 'whole') return all([within, whole]);
  if (as === 'words') return language.without(all([within, ...equal]), whole);
  return as === 'prefixes' ? language.without(prefixes, all(equal)) : prefixes;
}

/** What of a profile PostgreSQL's index of words holds. */
export const INDEXED_WORDS = sql`array_to_tsvector(string_to_array(profiles.words, ' '))`;

/** The condition that a profile matches a query. */
export function matching(queries: Queries, query: string): RawBuilder<boolean> {
  return isPostgres(queries)
    ? sql`${INDEXED_WORDS} @@ cast(${query} as tsquery)`
    : sql`profiles.seq in (select rowid from profile_words where profile_words match ${query})`;
}
