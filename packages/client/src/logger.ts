/**
 * Receives the client's log messages. `console`, winston and pino work. A logger with `bindings`, such as pino's, gets
 * the fields before the message. Errors that it throws or rejects with are ignored, so no call fails because of its
 * log.
 *
 * {@includeCode ../test/documented/extending.ts#logger}
 */
export interface Logger {
  /**
   * Each attempt, before it is sent and after it ends, with its request id and its duration. A failed attempt has the
   * error's name, code, message and request id.
   */
  debug?(message: string, fields: Record<string, unknown>): void;
  /** Each retry and each wait for the rate limit, with the error that caused it. */
  info?(message: string, fields: Record<string, unknown>): void;
  /** Each response that fails validation, and the names of fields and parameters that the service ignored. */
  warn?(message: string, fields: Record<string, unknown>): void;
}

/**
 * Calls a logger immediately and ignores its errors. With `debug`, also writes a line to the console: with
 * `console.warn`, because Node writes it to standard error, apart from the program's output. The promise never rejects,
 * so nobody needs to await it.
 */
export async function tell(
  { logger, debug }: { logger?: Logger | undefined; debug?: boolean },
  level: keyof Logger,
  message: string,
  fields: Record<string, unknown>,
): Promise<void> {
  if (debug) console.warn(`svc-client ${message} ${JSON.stringify(fields)}`);
  try {
    // The types declare the usual order, message first. pino takes the fields first.
    const line = 'bindings' in (logger ?? {}) ? [fields, message] : [message, fields];
    await logger?.[level]?.(...(line as [string, Record<string, unknown>]));
  } catch {}
}
