/**
 * Receives the client's log messages. You can use `console`, winston or pino. If a logger has the property `bindings`,
 * as pino's loggers do, the client passes the fields before the message. If a logger throws or rejects, the client
 * ignores the error, so that no call fails because of logging.
 *
 * {@includeCode ../test/documented/extending.ts#logger}
 */
export interface Logger {
  /**
   * Logs each attempt before it is sent, and its request id and duration after it ends. After a failure, also logs the
   * error's name, code and message.
   */
  debug?(message: string, fields: Record<string, unknown>): void;
  /** Logs each wait before a retry and each wait for the rate limit, with the error that caused the wait, if any. */
  info?(message: string, fields: Record<string, unknown>): void;
  /**
   * Logs each response that fails validation, unless `onInvalid` is `throw`. Also logs the names of fields and
   * parameters that the service ignored.
   */
  warn?(message: string, fields: Record<string, unknown>): void;
}

/**
 * Calls a logger immediately and ignores its errors. With `debug`, also calls `console.warn`, which writes to standard
 * error in Node. The promise never rejects.
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
    // `Logger` declares the usual order, with the message first, but pino expects the fields first.
    const line = 'bindings' in (logger ?? {}) ? [fields, message] : [message, fields];
    await logger?.[level]?.(...(line as [string, Record<string, unknown>]));
  } catch {}
}
