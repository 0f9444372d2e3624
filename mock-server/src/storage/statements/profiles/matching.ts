import { type RawBuilder, sql } from 'kysely';
import { type Match, tagOf, wholeOf } from '../../../domain/search.ts';
import { isPostgres } from '../../dialect.ts';
import type { Queries } from '../../port.ts';

/*
 * The syntax of text search queries in one database. Every word is quoted. A word consists of letters, digits and the
 * character `¤`, which `domain/search.ts` puts before the words of a whole field. Therefore a word cannot contain
 * quotation marks or operators.
 */
interface Language {
  word(word: string): string;
  prefix(word: string): string;
  and: string;
}

const FTS5: Language = {
  word: (word) => `"${word}"`,
  prefix: (word) => `"${word}" *`,
  and: ' AND ',
};

const TSQUERY: Language = {
  word: (word) => `'${word}'`,
  prefix: (word) => `'${word}':*`,
  and: ' & ',
};

/** A search in a workspace. The search finds the profiles that match at the level `match`, and at no better level. */
export interface Search {
  workspaceId: string;
  words: readonly string[];
  match: Match;
}

/**
 * Describes a search for the profiles of a workspace that match some words, at the given match level or at any level.
 */
type AnySearch = Omit<Search, 'match'> & { match?: Match };

/**
 * The length of the longest prefix in SQLite's index, without the tag. For a longer prefix, FTS5 would read all
 * matching profiles before it returned the first profile.
 */
const PREFIX_LETTERS_MAX = 4;

/**
 * Builds a query for the profiles of a workspace. A profile matches if each word of the search is the prefix of one of
 * the profile's words.
 */
export function prefixQuery(queries: Queries, workspaceId: string, words: readonly string[]): string {
  const { prefix, and } = isPostgres(queries) ? TSQUERY : FTS5;
  return words.map((word) => prefix(`${tagOf(workspaceId)}${word}`)).join(and);
}

/**
 * Builds a query for each word of a search. For the match level `whole`, builds a single query. Each query finds all
 * profiles that the search must find, and may find other profiles.
 */
export function wordQueries(queries: Queries, { workspaceId, words, match }: Search): string[] {
  const { word, prefix } = isPostgres(queries) ? TSQUERY : FTS5;
  const tag = tagOf(workspaceId);
  if (match === 'whole') return [word(`${tag}${wholeOf(words)}`)];
  if (match === 'words') return words.map((text) => word(`${tag}${text}`));
  const lettersMax = isPostgres(queries) ? undefined : PREFIX_LETTERS_MAX;
  return words.map((text) => prefix(`${tag}${text.slice(0, lettersMax)}`));
}

/**
 * Returns the PostgreSQL condition that is true if a profile matches all queries. PostgreSQL can use the index
 * `profiles_by_words` for this condition.
 */
export const matches = (...queries: readonly string[]): RawBuilder<boolean> =>
  sql`profiles.words @@ cast(${queries.join(TSQUERY.and)} as tsquery)`;

/**
 * Returns an SQL condition that is true if a profile matches a search. The condition is checked on the profile's row,
 * without an index.
 */
export function matchesRow(queries: Queries, search: AnySearch): RawBuilder<boolean> {
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
