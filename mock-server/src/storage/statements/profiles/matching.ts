import { type RawBuilder, sql } from 'kysely';
import { type Match, tagOf, wholeOf } from '../../../domain/search.ts';
import { isPostgres } from '../../dialect.ts';
import type { Queries } from '../../port.ts';

/*
 * The syntax of text search queries in one database. Every word is quoted. A word consists of letters, digits and the
 * character `¤`, which `domain/search.ts` puts before the words of a whole field. So a word cannot contain quotation
 * marks or operators.
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

/**
 * Builds the query for the profiles of a workspace that match some words. With `as`, the query finds only profiles that
 * have exactly this match level.
 */
export function searchQuery(queries: Queries, workspaceId: string, words: readonly string[], as?: Match): string {
  const language = isPostgres(queries) ? TSQUERY : FTS5;
  const tag = tagOf(workspaceId);
  const all = (parts: readonly string[]) => parts.join(language.and);
  const equal = all(words.map((word) => language.word(`${tag}${word}`)));
  const whole = language.word(`${tag}${wholeOf(words)}`);
  const prefixes = all(words.map((word) => language.prefix(`${tag}${word}`)));
  if (as === 'whole') return whole;
  if (as === 'words') return language.without(equal, whole);
  return as === 'prefixes' ? language.without(prefixes, equal) : prefixes;
}

/**
 * The condition that a profile on PostgreSQL matches a query. The index `profiles_by_words` supports this condition.
 */
export const matches = (query: string): RawBuilder<boolean> => sql`profiles.words @@ cast(${query} as tsquery)`;

/**
 * The condition that a profile has, for each of the given prefixes, a word with that prefix. The condition is checked
 * on the profile's row, without an index.
 */
export function startsWith(queries: Queries, workspaceId: string, words: readonly string[]): RawBuilder<boolean> {
  if (isPostgres(queries)) return matches(searchQuery(queries, workspaceId, words));
  const starts = words.map((word) => sql`instr(' ' || profiles.words, ${` ${tagOf(workspaceId)}${word}`}) > 0`);
  return sql.join(starts, sql` and `);
}
