import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

const PLAIN_LETTERS = { æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', þ: 'th', ŋ: 'n' };

/** A search now folds these letters too, so the stored search words of older profiles must have the folded form. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const type = isPostgres(db) ? 'tsvector' : 'text';
  const letters = Object.entries(PLAIN_LETTERS);
  const folded = letters.reduce((text, [letter, plain]) => `replace(${text}, '${letter}', '${plain}')`, WORDS);
  const areOld = letters.map(([letter]) => `${WORDS} like '%${letter}%'`).join(' or ');
  await sql.raw(`update profiles set words = cast(${folded} as ${type}) where ${areOld}`).execute(db);
}

const WORDS = 'cast(words as text)';
