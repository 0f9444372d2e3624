import { type RawBuilder, sql } from 'kysely';
import { type Match, tagOf, wholeOf } from '../../../domain/search.ts';
import { isPostgres } from '../../dialect.ts';
import type { Queries } from '../../port.ts';

/*
 * The syntax of text search queries in SQLite or PostgreSQL. Words are quoted. A word contains only letters, digits and
 * the character `¤`, so it cannot contain quotation marks or operators. `domain/search.ts` uses `¤` to join all words
 * of a field into one word.
 */
const FTS5 = {
  word: (word: string) => `"${word}"`,
  prefix: (word: string) => `"${word}" *`,
  and: ' AND ',
};

const TSQUERY: typeof FTS5 = {
  word: (word) => `'${word}'`,
  prefix: (word) => `'${word}':*`,
  and: ' & ',
};

/** A search in a workspace for the profiles that match at the level `match`, and at no better level. */
export interface Search {
  workspaceId: string;
  words: readonly string[];
  match: Match;
}

/**
 * The length of the longest prefix in SQLite's index, without the tag. FTS5 counts the length in code points. For a
 * longer prefix, FTS5 would read all matching profiles before it returned the first profile.
 */
const PREFIX_LETTERS_MAX = 4;

/** Builds a query that finds a profile if each word of the search is a prefix of one of the profile's words. */
export function prefixQuery(queries: Queries, workspaceId: string, words: readonly string[]): string {
  const { prefix, and } = isPostgres(queries) ? TSQUERY : FTS5;
  return words.map((word) => prefix(`${tagOf(workspaceId)}${word}`)).join(and);
}

/**
 * Builds a query for each word of a search, or a single query for the match level `whole`. Each query finds all
 * profiles that match the search, and may also find profiles that do not match it.
 */
export function wordQueries(queries: Queries, { workspaceId, words, match }: Search): string[] {
  const { word, prefix } = isPostgres(queries) ? TSQUERY : FTS5;
  const tag = tagOf(workspaceId);
  if (match === 'whole') return [word(`${tag}${wholeOf(words)}`)];
  if (match === 'words') return words.map((text) => word(`${tag}${text}`));
  const lettersMax = isPostgres(queries) ? undefined : PREFIX_LETTERS_MAX;
  // Cut between code points. Half of a surrogate pair would match no word.
  return words.map((text) => prefix(`${tag}${[...text].slice(0, lettersMax).join('')}`));
}

/**
 * Returns PostgreSQL's condition that a profile matches all queries. The condition can use the index
 * `profiles_by_words`.
 */
export const matches = (...queries: readonly string[]): RawBuilder<boolean> =>
  sql`profiles.words @@ cast(${queries.join(TSQUERY.and)} as tsquery)`;

/**
 * Returns the condition that a profile's row matches a search at the level `match`. Without `match`, the row may match
 * at any level. The condition does not need an index.
 */
export function matchesRow(queries: Queries, search: Omit<Search, 'match'> & { match?: Match }): RawBuilder<boolean> {
  const { workspaceId, words, match } = search;
  if (isPostgres(queries)) {
    const at = (level: Match) => wordQueries(queries, { ...search, match: level });
    const not = (level: Match) => `!(${at(level).join(TSQUERY.and)})`;
    if (match === 'whole') return matches(...at('whole'));
    if (match === 'words') return matches(...at('words'), not('whole'));
    return match === 'prefixes' ? matches(...at('prefixes'), not('words')) : matches(...at('prefixes'));
  }
  const has = (word: string, end: '' | ' ') =>
    sql<boolean>`instr(' ' || profiles.words || ' ', ${` ${tagOf(workspaceId)}${word}${end}`}) > 0`;
  const all = (end: '' | ' ') =>
    sql<boolean>`(${sql.join(
      words.map((word) => has(word, end)),
      sql` and `,
    )})`;
  const whole = has(wholeOf(words), ' ');
  if (match === 'whole') return whole;
  if (match === 'words') return sql`${all(' ')} and not ${whole}`;
  return match === 'prefixes' ? sql`${all('')} and not ${all(' ')}` : all('');
}
