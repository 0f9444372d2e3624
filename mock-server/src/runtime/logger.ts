import { type Logger, pino } from 'pino';

export type { Logger };

/**
 * Makes the server's log: JSON lines to standard error, with credentials and secrets cut out wherever they might stand.
 *
 * @param level - `silent` for tests.
 */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: null,
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
    pino.destination({ dest: 2, sync: true }),
  );
}
