/**
 * Where the client reports to; `console`, pino and winston fit. What it throws, or rejects with, is dropped: no call fails for its log.
 *
 * {@includeCode ../test/documented/extending.ts#logger}
 */
export interface Logger {
  /** Each attempt and its outcome: where it failed, with the error's name, code, message and request id. */
  debug?(message: string, fields: Record<string, unknown>): void;
  /** Each retry and each wait for the rate limit, with the error that is the reason. */
  info?(message: string, fields: Record<string, unknown>): void;
  /** Each answer that fails validation. */
  warn?(message: string, fields: Record<string, unknown>): void;
}

/** Tells a logger, at once, whatever it makes of it. The promise, which never rejects, need not be awaited. */
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
