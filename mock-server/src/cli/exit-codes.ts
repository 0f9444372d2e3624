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

/**
 * Returns the exit code and the message of a failed command, or `undefined` if the error is a bug in this program.
 * Recognizes errors by name, because `instanceof` would require every command to load the libraries.
 */
export function failureOf(error: unknown): { code: 1 | 2; line: string } | undefined {
  if (!(error instanceof Error)) return undefined;
  const { name, message, status, code } = error as Error & { status?: number; code?: unknown };
  // SQLITE_CORRUPT and SQLITE_NOTADB: the file of the database is damaged.
  if ([11, 26].includes(Object(error).errcode)) return { code: 2, line: `Cannot read the database: ${message}.` };
  switch (name) {
    case 'DidNotHappenError':
    case 'TimeoutError':
      return { code: 1, line: message };
    case 'UsageError':
    case 'ConfigError':
    case 'StorageUnavailableError':
    case 'DataReplacedError':
      return { code: 2, line: message };
    case 'CommanderError':
      return { code: 2, line: oneLine(message, 'svc-mock') };
    case 'ControlError':
      return { code: codeOf(status), line: code === 'UNAUTHENTICATED' ? ADMIN_TOKEN_REQUIRED : message };
    case 'ApiError':
      return { code: codeOf(status), line: `${message} (${String(code)})` };
    case 'NetworkError':
      return { code: 2, line: `Cannot reach the server (${message}). Is it running? Start it with: svc-mock start` };
    default:
      return undefined;
  }
}

/** Replaces the server's message about a missing or wrong admin token: that message names a header, not the option. */
const ADMIN_TOKEN_REQUIRED = 'The server requires its admin token: pass --admin-token <token>, or set SVC_ADMIN_TOKEN.';

/** Returns 1 if the server cannot perform the action now, and 2 if the request was incorrect. */
const codeOf = (status = 0) => ([408, 409, 429].includes(status) || status >= 500 ? 1 : 2);

export function oneLine(message: string, command: string): string {
  // Do not quote the value of a misspelled option, because the value may be a secret.
  const line = message.replaceAll(/^error: |(?<=unknown option '[^'=]*)=.*(?=')/gs, '').replaceAll(/\s+/g, ' ');
  return `${line.trim().replace(/\.$/, '')}. Try: ${command} --help`;
}
