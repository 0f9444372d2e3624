import { writeSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import { logText } from './log-text.ts';

export type { Logger };

/**
 * Creates the server's log. It writes lines to standard error and removes credentials and secrets wherever they may
 * occur.
 *
 * @param level - `silent` for tests.
 */
export function createLogger(level: string, format: 'json' | 'text' = 'json'): Logger {
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
    format === 'json'
      ? pino.destination({ dest: 2, sync: true })
      : { write: (line) => void writeSync(2, logText(line, { withStacks: level === 'debug' })) },
  );
}
