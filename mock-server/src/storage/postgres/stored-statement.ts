import type pg from 'pg';
import { arrayLiteral, withoutNul } from './array-literal.ts';

/** PostgreSQL cannot store U+0000 in text, so U+0000 becomes U+FFFD, even in values that a statement searches for. */
export function storedStatement(text: string, parameters: readonly unknown[], prepares: boolean): pg.QueryConfig {
  const values = parameters.map(storedValue);
  return prepares && values.length <= PREPARED_PARAMETERS_MAX ? { name: nameOf(text), text, values } : { text, values };
}

/**
 * A statement with more parameters is not prepared: it has a variant for each number of rows, and the plans of all
 * variants would fill the database's memory.
 */
const PREPARED_PARAMETERS_MAX = 24;

const names = new Map<string, string>();

function nameOf(statement: string): string {
  const name = names.get(statement) ?? `svc_${names.size}`;
  names.set(statement, name);
  return name;
}

function storedValue(value: unknown): unknown {
  if (typeof value === 'string') return withoutNul(value);
  return Array.isArray(value) ? arrayLiteral(value) : value;
}
