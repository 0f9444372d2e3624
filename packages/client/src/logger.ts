/**
 * Receives the client's log messages. `console`, winston and pino work. If a logger has a property `bindings`, as
 * loggers of pino have, the client passes the fields before the message. The client ignores errors and rejections of a
 * logger, so no call fails because of the logger.
 *
 * {@includeCode ../test/documented/extending.ts#logger}
 */
export interface Logger {
  /**
   * Logs each attempt twice: before it is sent, and after it ends, with its request id and its duration. The fields of
   * a failed attempt include the error's name, code, message and request id.
   */
  debug?(message: string, fields: Record<string, unknown>): void;
  /** Logs each retry and each wait for the rate limit, with the error that caused the retry or the wait. */
  info?(message: string, fields: Record<string, unknown>): void;
  /**
   * Logs each response that fails validation, unless `onInvalid` is `throw`. Also logs the names of fields and
   * parameters that the service ignored.
   */
  warn?(message: string, fields: Record<string, unknown>): void;
}

/**
 * Calls a logger immediately and ignores its errors. With `debug`, also writes a line with `console.warn`, because Node
 * writes warnings to standard error, apart from the program's output. The promise never rejects, so callers do not need
 * to await it.
 */
export async function tell(
  { logger, debug }: { logger?: Logger | undefined; debug?: boolean },
  level: keyof Logger,
  message: string,
  fields: Record<string, unknown>,
): Promise<void> {
  try {
    // The service's error message may contain characters that control a terminal.
    if (debug) console.warn(`svc-client ${message} ${JSON.stringify(fields).replace(/[^ -~]/g, '')}`);
    // The types declare the usual order, with the message first. pino expects the fields first.
    const line = 'bindings' in (logger ?? {}) ? [fields, message] : [message, fields];
    await logger?.[level]?.(...(line as [string, Record<string, unknown>]));
  } catch {}
}
