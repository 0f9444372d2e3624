/**
 * Receives the client's log messages. `console`, pino and winston fit. Errors that it throws or rejects with are ignored, so
 * no call fails because of its log.
 *
 * {@includeCode ../test/documented/extending.ts#logger}
 */
export interface Logger {
  /** Each attempt and its outcome. A failed attempt has the error's name, code, message and request id. */
  debug?(message: string, fields: Record<string, unknown>): void;
  /** Each retry and each wait for the rate limit, with the error that is the reason. */
  info?(message: string, fields: Record<string, unknown>): void;
  /** Each answer that fails validation. */
  warn?(message: string, fields: Record<string, unknown>): void;
}

/** Calls a logger immediately and ignores its errors. The promise never rejects, so nobody needs to await it. */
export async function tell(
  logger: Logger | undefined,
  level: keyof Logger,
  message: string,
  fields: Record<string, unknown>,
): Promise<void> {
  try {
    await logger?.[level]?.(message, fields);
  } catch {}
}
