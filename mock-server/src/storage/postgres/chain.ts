import pg from 'pg';

/** Called with what failed, or with null. */
type Answered = (error: Error | null) => void;

/** What `pg` keeps of a connection and does not declare. */
type Connection = pg.Connection & { parsedStatements: Record<string, string>; sync(): void };

/**
 * Statements that the database is to take as one: it passes over the rest once one of them has failed, be it the first,
 * because only behind the last of them stands the message (Sync) at which it goes on after a failure. What they give
 * is not told.
 */
class Chain extends pg.Query {
  readonly #statements: readonly pg.QueryConfig[];
  readonly #prepared: Record<string, string> = {};

  constructor(statements: readonly pg.QueryConfig[], answered: Answered) {
    super('', answered as () => void);
    this.#statements = statements;
  }

  /** Called by `pg`, which counts what it returns as the failure of the chain. */
  override submit = (connection: pg.Connection): Error | undefined => {
    const { stream } = connection;
    stream.cork();
    try {
      const chained = this.#withoutSync(connection as Connection);
      for (const statement of this.#statements) send(statement, chained);
      (connection as Connection).sync();
      return undefined;
    } catch (error) {
      // Half a chain is on its way: it ends with the connection, before anything of it was committed.
      stream.destroy();
      return error as Error;
    } finally {
      stream.uncork();
    }
  };

  /** That a statement is prepared is known once the whole chain succeeded; until then it is prepared anew each time. */
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
    // Its own names: what is sent by itself goes by what `pg` knows to be prepared.
    { ...statement, queryMode: 'extended', ...(name !== undefined && { name: `chain_${name}` }) } as pg.QueryConfig,
    (error) => {
      failure = error;
    },
  );
  failure = (query.submit(connection) as unknown as Error | null) ?? failure;
  if (failure) throw failure;
}

/**
 * Sends statements of which none takes effect without those before it. Others may be sent behind them at once.
 *
 * @throws what the one that failed threw.
 */
export function sendChain(client: pg.PoolClient, statements: readonly pg.QueryConfig[]): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new Chain(statements, (error) => (error ? reject(error) : resolve())));
  });
}
