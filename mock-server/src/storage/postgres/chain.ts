import pg from 'pg';

/** Called with the error, or with null on success. */
type Answered = (error: Error | null) => void;

/** Properties of a `pg` connection that its types do not declare. */
type Connection = pg.Connection & { parsedStatements: Record<string, string>; sync(): void };

/**
 * Statements that the database runs as one unit. If one fails, PostgreSQL skips the rest, because the message that ends
 * error recovery (Sync) comes only after the last one. The results are not returned.
 */
class Chain extends pg.Query {
  readonly #statements: readonly pg.QueryConfig[];
  readonly #prepared: Record<string, string> = {};

  constructor(statements: readonly pg.QueryConfig[], answered: Answered) {
    super('', answered as () => void);
    this.#statements = statements;
  }

  /** Called by `pg`. If it returns an error, the chain fails with that. */
  override submit = (connection: pg.Connection): Error | undefined => {
    const { stream } = connection;
    stream.cork();
    try {
      const chained = this.#withoutSync(connection as Connection);
      for (const statement of this.#statements) send(statement, chained);
      (connection as Connection).sync();
      return undefined;
    } catch (error) {
      // Half of the chain was sent. Closing the connection ends it before anything is committed.
      stream.destroy();
      return error as Error;
    } finally {
      stream.uncork();
    }
  };

  /** A statement counts as prepared only after the whole chain succeeds. Until then, each chain prepares it again. */
  #withoutSync(connection: Connection): pg.Connection {
    const parse = (query: { name?: string; text: string }) => {
      if (query.name) {
        connection.close({ type: 'S', name: query.name }, true);
        this.#prepared[query.name] = query.text;
      }
      connection.parse(query as Parameters<Connection['parse']>[0], true);
    };
    return Object.create(connection, {
      sync: { value: () => {} },
      parse: { value: parse },
      submittedNamedStatements: { value: {} },
    }) as pg.Connection;
  }

  handleReadyForQuery(connection: Connection): void {
    Object.assign(connection.parsedStatements, this.#prepared);
    (this as unknown as { callback: Answered }).callback(null);
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
}

function send({ name, ...statement }: pg.QueryConfig, connection: pg.Connection): void {
  let failure: Error | undefined;
  const query = new pg.Query(
    // Names in chains have a prefix, so that they never match what `pg` considers prepared for single statements.
    { ...statement, queryMode: 'extended', ...(name !== undefined && { name: `chain_${name}` }) } as pg.QueryConfig,
    (error) => {
      failure = error;
    },
  );
  failure = (query.submit(connection) as unknown as Error | null) ?? failure;
  if (failure) throw failure;
}

/**
 * Sends statements that take effect only together with all statements before them. Others may be sent right after them.
 *
 * @throws the error of the statement that failed.
 */
export function sendChain(client: pg.PoolClient, statements: readonly pg.QueryConfig[]): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new Chain(statements, (error) => (error ? reject(error) : resolve())));
  });
}
