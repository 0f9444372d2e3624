import { createHash } from 'node:crypto';
import {
  ColumnDefinitionNode,
  type DataTypeNode,
  PostgresDialect,
  type PostgresPoolClient,
  PostgresQueryCompiler,
} from 'kysely';
import type pg from 'pg';
import { arrayLiteral } from './array-literal.ts';
import { isSpent } from './trouble.ts';
import { withoutNul } from './without-nul.ts';

/** Kysely's PostgreSQL dialect over a pool, with the two differences that let one schema and one set of statements do. */
export function createPostgresDialect(pool: pg.Pool): PostgresDialect {
  return new CollatedPostgresDialect({
    pool: { connect: async () => storingText(await pool.connect(), false), end: () => pool.end(), options: {} },
  });
}

/**
 * The same over one connection, which stays with its owner.
 *
 * @param prepares - Whether the connection has statements parsed once. Those must name the columns that they read: the
 *   database refuses a prepared `select *` once another node's migration added a column.
 * @param onFailure - Told of each statement that fails.
 */
export function createClientDialect(
  client: pg.PoolClient,
  prepares: boolean,
  onFailure: (error: unknown) => void,
): PostgresDialect {
  const kept = { ...storingText(client, prepares, onFailure), release: () => {} } as PostgresPoolClient;
  return new CollatedPostgresDialect({ pool: { connect: async () => kept, end: async () => {}, options: {} } });
}

class CollatedPostgresDialect extends PostgresDialect {
  override createQueryCompiler(): PostgresQueryCompiler {
    return new CollatedQueryCompiler();
  }
}

/** Every text column is ordered by its bytes, as SQLite's are: ids sort as they rise, whatever the database's locale. */
class CollatedQueryCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    super.visitDataType(node);
    if (node.dataType === 'text' && this.parentNode && ColumnDefinitionNode.is(this.parentNode)) {
      this.append(' collate "C"');
    }
  }
}

/** A connection whose statements are {@link storedStatement}s. */
function storingText(
  client: pg.PoolClient,
  prepares: boolean,
  onFailure?: (error: unknown) => void,
): PostgresPoolClient {
  let spent = false;
  const stored = {
    async query(statement: string, parameters: readonly unknown[]) {
      try {
        return await client.query(storedStatement(statement, parameters, prepares));
      } catch (error) {
        spent ||= isSpent(error);
        onFailure?.(error);
        throw error;
      }
    },
    release: (destroy?: boolean) => client.release(destroy || spent),
  };
  return stored as unknown as PostgresPoolClient;
}

/**
 * A statement as it is sent. PostgreSQL's text holds every character but U+0000: a value that was to be found by one is
 * found nowhere; in what is kept of a receiver's answer it becomes U+FFFD, as every byte does that is not text.
 */
export function storedStatement(text: string, parameters: readonly unknown[], prepares: boolean): pg.QueryConfig {
  const values = parameters.map(storedValue);
  return prepares && values.length <= PREPARED_PARAMETERS_MAX ? { name: nameOf(text), text, values } : { text, values };
}

/**
 * Statements with more parameters have a text for each number of rows, and would fill the memory of the database. The
 * others are so many as the code has; each is parsed once by each connection.
 */
const PREPARED_PARAMETERS_MAX = 24;

const names = new Map<string, string>();

function nameOf(statement: string): string {
  const known = names.get(statement);
  if (known !== undefined) return known;
  const name = `svc_${createHash('sha256').update(statement).digest('hex').slice(0, 32)}`;
  names.set(statement, name);
  return name;
}

function storedValue(value: unknown): unknown {
  if (typeof value === 'string') return withoutNul(value);
  return Array.isArray(value) ? arrayLiteral(value) : value;
}
