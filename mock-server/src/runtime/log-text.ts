import { pino } from 'pino';
import { visibleLine } from '../domain/visible-text.ts';

/**
 * Turns a JSON line of the log into readable text. Makes control characters visible, so that logged values cannot move
 * the cursor or start a new line.
 */
export function logText(line: string, { withStacks }: { withStacks: boolean }): string {
  const { time, level, msg, err, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const error = err as { message: string; stack?: string } | undefined;
  const told = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const name = (pino.levels.labels[Number(level)] ?? String(level)).toUpperCase();
  const text = [String(time), name.padEnd(5), String(msg), ...told].join(' ');
  const shown = visibleLine(error ? `${text}: ${error.message}` : text);
  return withStacks && error?.stack
    ? `${shown}\n${error.stack.split('\n').map(visibleLine).join('\n')}\n`
    : `${shown}\n`;
}
