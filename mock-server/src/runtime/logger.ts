import { writeSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import { logText } from './log-text.ts';

export type { Logger };

/**
 * Makes the server's log: lines to standard error, with credentials and secrets cut out wherever they might stand.
 *
 * @param level - `silent` for tests.
 */
export function createLogger(level: string, format: 'json' | 'text' = 'json'): Logger {
  return pino(
    {
      level,
      base: null,
      // What caused an error is told apart: messages here name their causes themselves.
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
