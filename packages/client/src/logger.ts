/**
 * Receives the client's log messages. `console`, winston and pino fit. A logger with `bindings`, as pino's, gets the fields
 * before the message. Errors that it throws or rejects with are ignored, so no call fails because of its log.
 *
 * {@includeCode ../test/documented/extending.ts#logger}
 */
export interface Logger {
  /**
   * Each attempt, before it is sent and when it ended, with its request id and its duration. A failed attempt has the error's
   * name, code, message and request id.
   */
  debug?(message: string, fields: Record<string, unknown>): void;
  /** Each retry and each wait for the rate limit, with the error that is the reason. */
  info?(message: string, fields: Record<string, unknown>): void;
  /** Each response that fails validation, and the names of fields and parameters that the service ignored. */
  warn?(message: string, fields: Record<string, unknown>): void;
}

/**
 * Calls a logger immediately and ignores its errors. With `debug`, also writes a line to the console: with `warn`, because in
 * Node its lines go to standard error, where they are not part of a program's output. The promise never rejects, so nobody
 * needs to await it.
 */
export async function tell(
  { logger, debug }: { logger?: Logger | undefined; debug?: boolean },
  level: keyof Logger,
  message: string,
  fields: Record<string, unknown>,
): Promise<void> {
  if (debug) console.warn(`svc-client ${message} ${JSON.stringify(fields)}`);
  try {
    // The types say what most loggers take. pino takes the same, the other way round.
    const line = 'bindings' in (logger ?? {}) ? [fields, message] : [message, fields];
    await logger?.[level]?.(...(line as [string, Record<string, unknown>]));
  } catch {}
}
