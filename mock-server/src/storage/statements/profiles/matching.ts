import { type RawBuilder, sql } from 'kysely';
import { type Match, tagOf, wholeOf } from '../../../domain/search.ts';
import { isPostgres } from '../../dialect.ts';
import type { Queries } from '../../port.ts';

/*
 * The syntax of text search queries. A word contains only letters, digits and `¤` (see `domain/search.ts`), so it
 * cannot contain quotation marks or operators.
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
 * The length of the longest prefix in SQLite's index, in code points, without the tag. For a longer prefix, FTS5 would
 * read all matching profiles before it returned the first profile.
 */
const PREFIX_LETTERS_MAX = 4;

/** Builds a query that finds a profile if each word of the search is a prefix of one of the profile's words. */
export function prefixQuery(queries: Queries, workspaceId: string, words: readonly string[]): string {
  const { prefix, and } = isPostgres(queries) ? TSQUERY : FTS5;
  return words.map((word) => prefix(`${tagOf(workspaceId)}${word}`)).join(and);
}

/**
 * Returns one query for each word, or a single query for the level `whole`. A query may also find profiles that do not
 * match the search.
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

/** The SQL condition, for PostgreSQL, that a profile matches all queries. Can use the index `profiles_by_words`. */
export const matches = (...queries: readonly string[]): RawBuilder<boolean> =>
  sql`profiles.words @@ cast(${queries.join(TSQUERY.and)} as tsquery)`;

/** For each level, the next better level. */
const BETTER = { whole: undefined, words: 'whole', prefixes: 'words' } as const;

/** Whether a row matches at the level `match`, or at any level if `match` is omitted. Does not need an index. */
export function matchesRow(queries: Queries, search: Omit<Search, 'match'> & { match?: Match }): RawBuilder<boolean> {
  const { workspaceId, words, match: level = 'prefixes' } = search;
  const better = search.match && BETTER[search.match];
  if (isPostgres(queries)) {
    const at = (match: Match) => wordQueries(queries, { workspaceId, words, match });
    return better ? matches(...at(level), `!(${at(better).join(TSQUERY.and)})`) : matches(...at(level));
  }
  const has = (word: string, end: '' | ' ') =>
    sql<boolean>`instr(' ' || profiles.words || ' ', ${` ${tagOf(workspaceId)}${word}${end}`}) > 0`;
  const all = (end: '' | ' ') =>
    sql<boolean>`(${sql.join(
      words.map((word) => has(word, end)),
      sql` and `,
    )})`;
  const isMatch = { whole: has(wholeOf(words), ' '), words: all(' '), prefixes: all('') };
  return better ? sql`${isMatch[level]} and not ${isMatch[better]}` : isMatch[level];
}
