import { pino } from 'pino';

/** An error, as the log has it. */
interface LoggedError {
  message: string;
  stack?: string;
}

/**
 * Turns one JSON line of the log into one for people: time, level, message, fields and what went wrong. What comes from
 * elsewhere moves no cursor and begins no line.
 *
 * @param options.withStacks - Whether the stack of an error stands in the lines below.
 */
export function logText(line: string, { withStacks }: { withStacks: boolean }): string {
  const { time, level, msg, err, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const error = err as LoggedError | undefined;
  const told = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const name = (pino.levels.labels[Number(level)] ?? String(level)).toUpperCase();
  const text = [String(time), name.padEnd(5), String(msg), ...told].join(' ');
  const shown = inOneLine(error ? `${text}: ${error.message}` : text);
  return withStacks && error?.stack ? `${shown}\n${error.stack.split('\n').map(inOneLine).join('\n')}\n` : `${shown}\n`;
}

const inOneLine = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').trimEnd();
