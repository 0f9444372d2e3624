import {
  ColumnDefinitionNode,
  type DataTypeNode,
  PostgresDialect,
  type PostgresPoolClient,
  PostgresQueryCompiler,
} from 'kysely';
import type pg from 'pg';
import { isSilence } from './trouble.ts';

/** Kysely's PostgreSQL dialect over a pool, with the two differences that let one schema and one set of statements do. */
export function createPostgresDialect(pool: pg.Pool): PostgresDialect {
  return new CollatedPostgresDialect({
    pool: { connect: async () => storingText(await pool.connect()), end: () => pool.end(), options: {} },
  });
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

/**
 * PostgreSQL's text holds every character but U+0000. A value that was to be found by one is found nowhere; in what is
 * kept of a receiver's answer it becomes U+FFFD, as every byte does that is not text.
 */
function storingText(client: pg.PoolClient): PostgresPoolClient {
  let silent = false;
  const stored = {
    async query(statement: string, parameters: readonly unknown[]) {
      try {
        return await client.query(statement, parameters.map(withoutNul));
      } catch (error) {
        silent ||= isSilence(error);
        throw error;
      }
    },
    // A connection that gave no answer still owes one: it must not meet the next statement.
    release: (destroy?: boolean) => client.release(destroy || silent),
  };
  return stored as unknown as PostgresPoolClient;
}

function withoutNul(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
  return Array.isArray(value) ? value.map(withoutNul) : value;
}
