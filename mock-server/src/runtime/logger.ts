import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { visibleText } from '../domain/visible-text.ts';
import { createLineWriter } from './line-writer.ts';
import { logText } from './log-text.ts';

export type { Logger };

/** How long a stopping server waits for a slow reader of the log. */
const FLUSH_MAX_MS = 1_000;

/**
 * Creates the server's log. It writes lines to standard error and removes credentials and secrets from
 * them. Logging never throws and never waits. If a slow reader leaves no room, lines are dropped, and a later line
 * says how many.
 *
 * @param level - `silent` for tests.
 */
export function createLogger(level: string, format: 'json' | 'text' = 'json'): Logger {
  const shown = (line: string) =>
    format === 'json' ? visibleText(line) : logText(line, { withStacks: level === 'debug' });
  const write = createLineWriter(process.stderr, (dropped) => shown(droppedLine(dropped)));
  return pino(
    {
      level,
      base: null,
      // Log an error's cause separately, because messages here already name their causes.
      serializers: { err: pino.stdSerializers.errWithCause },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          'authorization',
          '*.authorization',
          'credential',
          '*.credential',
          'secret',
          '*.secret',
          'headers["webhook-signature"]',
        ],
        censor: '[redacted]',
      },
    },
    { write: (line) => write(shown(line)) },
  );
}

/** Resolves when the reader of the log has everything, or after a second. Call it before `process.exit`. */
export async function flushLog(): Promise<void> {
  const written = new Promise<void>((resolve) => void process.stderr.write('', () => resolve()));
  await Promise.race([written, delay(FLUSH_MAX_MS)]);
}

/** A line as pino writes it. The level of the log does not suppress it. */
const droppedLine = (dropped: number) =>
  `${JSON.stringify({
    level: pino.levels.values['warn'],
    time: new Date().toISOString(),
    dropped,
    msg: 'lines of the log were dropped, because nothing reads standard error fast enough',
  })}\n`;
