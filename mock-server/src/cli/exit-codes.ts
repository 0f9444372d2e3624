import { CommanderError } from 'commander';
import { ConfigError } from '../config/config.ts';
import { ControlError } from '../control-client/response.ts';
import { StorageUnavailableError } from '../storage/port.ts';

/** Thrown if the requested action did not happen, for example because a wait timed out. The exit code is 1. */
export class DidNotHappenError extends Error {
  override readonly name = 'DidNotHappenError';
}

/** Thrown if the command was used incorrectly. The exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function orUsageError<Result>(failed: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw new UsageError(`${failed}: ${(cause as Error).message}`, { cause });
  }
}

/** Returns the exit code and the message of a failed command, or `undefined` if the error is a bug in this program. */
export function failureOf(error: unknown): { code: 1 | 2; line: string } | undefined {
  if (error instanceof DidNotHappenError) return { code: 1, line: error.message };
  if (error instanceof UsageError || error instanceof ConfigError || error instanceof StorageUnavailableError) {
    return { code: 2, line: error.message };
  }
  if (error instanceof CommanderError) return { code: 2, line: oneLine(error.message, 'svc-mock') };
  if (error instanceof ControlError) return { code: codeOf(error.status), line: lineOfControl(error) };
  return failureOfLibrary(error);
}

/** The server's own message about a missing or wrong admin token names an HTTP header, not the option. */
const lineOfControl = ({ code, message }: ControlError) =>
  code === 'UNAUTHENTICATED'
    ? 'The server requires its admin token: pass --admin-token <token>, or set SVC_ADMIN_TOKEN.'
    : message;

/** Recognizes the libraries' errors by name, because `instanceof` would load the libraries for every command. */
function failureOfLibrary(error: unknown): ReturnType<typeof failureOf> {
  if (!(error instanceof Error)) return undefined;
  const { name, message, status, code } = error as Error & { status?: unknown; code?: unknown };
  switch (name) {
    case 'ApiError':
      return { code: codeOf(Number(status)), line: `${message} (${String(code)})` };
    case 'NetworkError':
      return { code: 2, line: `Cannot reach the server (${message}). Is it running? Start it with: svc-mock start` };
    case 'UsageError':
      return { code: 2, line: message };
    case 'TimeoutError':
      return { code: 1, line: message };
    default:
      return undefined;
  }
}

/** 1 if the server cannot perform the action now, and 2 if the request was incorrect. */
const codeOf = (status = 0) => ([408, 409, 429].includes(status) || status >= 500 ? 1 : 2);

export function oneLine(message: string, command: string): string {
  const line = message
    .replace(/^error: /, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `${line.replace(/\.$/, '')}. Try: ${command} --help`;
}
