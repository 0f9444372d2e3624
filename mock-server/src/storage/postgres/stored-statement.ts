import { createHash } from 'node:crypto';
import type pg from 'pg';
import { arrayLiteral, withoutNul } from './array-literal.ts';

/**
 * Returns a statement in the form that is sent to PostgreSQL. PostgreSQL cannot store U+0000 in text, so U+0000 becomes
 * U+FFFD. In receivers' responses, bytes that are not valid UTF-8 also become U+FFFD. A search for a value that
 * contains U+0000 looks for U+FFFD instead.
 */
export function storedStatement(text: string, parameters: readonly unknown[], prepares: boolean): pg.QueryConfig {
  const values = parameters.map(storedValue);
  return prepares && values.length <= PREPARED_PARAMETERS_MAX ? { name: nameOf(text), text, values } : { text, values };
}

/**
 * The maximum number of parameters of a prepared statement. The text of a larger statement depends on the number of
 * rows, so the statement has many variants, and preparing each of them would fill the database's memory.
 */
const PREPARED_PARAMETERS_MAX = 24;

const names = new Map<string, string>();

function nameOf(statement: string): string {
  const name = names.get(statement) ?? `svc_${createHash('sha256').update(statement).digest('hex').slice(0, 32)}`;
  names.set(statement, name);
  return name;
}

function storedValue(value: unknown): unknown {
  if (typeof value === 'string') return withoutNul(value);
  return Array.isArray(value) ? arrayLiteral(value) : value;
}
