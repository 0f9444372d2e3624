import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { createRedaction } from '../domain/credential.ts';
import { visibleText } from '../domain/visible-text.ts';
import { createLineWriter } from './line-writer.ts';
import { logText } from './log-text.ts';

export type { Logger };

const FLUSH_MAX_MS = 1_000;

/** Creates the logger, which writes to standard error and removes credentials, signing secrets and the admin token. */
export function createLogger(level: string, format: 'json' | 'text' = 'json', adminToken?: string): Logger {
  const redact = createRedaction(adminToken);
  const shown = (line: string) =>
    format === 'json' ? visibleText(line) : logText(line, { withStacks: level === 'debug' });
  const write = createLineWriter(process.stderr, (dropped) =>
    logger.warn({ dropped }, 'lines of the log were dropped, because nothing reads standard error fast enough'),
  );
  const logger = pino(
    {
      level,
      base: null,
      // pino would append the cause's message, but this server's messages already name their causes.
      serializers: { err: pino.stdSerializers.errWithCause },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    { write: (line: string) => write(shown(redact(line))) },
  );
  return logger;
}

/** Resolves when the reader has received all lines, or after a second. Call this before `process.exit`. */
export async function flushLog(): Promise<void> {
  const written = new Promise<void>((resolve) => void process.stderr.write('', () => resolve()));
  await Promise.race([written, delay(FLUSH_MAX_MS)]);
}
