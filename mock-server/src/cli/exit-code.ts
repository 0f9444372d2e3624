import { CommanderError } from 'commander';
import { ConfigError } from '../config/config.ts';
import { ControlError } from '../control-client/error.ts';
import { DidNotHappenError, UsageError } from './exit.ts';

/** How a command that failed ends. */
export interface Failure {
  /** 1: it did not happen. 2: the command was used incorrectly, or the server cannot be reached. */
  code: 1 | 2;
  /** One line for standard error. */
  line: string;
}

/** Reads an error of a command. `undefined` if it is none that a command expects: a fault of this program. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof DidNotHappenError) return { code: 1, line: error.message };
  if (error instanceof UsageError || error instanceof ConfigError) return { code: 2, line: error.message };
  if (error instanceof CommanderError) return { code: 2, line: oneLine(error.message) };
  if (error instanceof ControlError) return { code: codeOf(error.status), line: lineOfControl(error) };
  return failureOfClient(error);
}

/** The server words its refusals for HTTP. Here, an option and a variable hold the admin token. */
const lineOfControl = ({ code, message }: ControlError) =>
  code === 'UNAUTHENTICATED'
    ? 'Send the admin token of the server: pass --admin-token <token>, or set SVC_ADMIN_TOKEN.'
    : message;

/** The client's errors by their names: its code loads only in the commands that call the API. */
function failureOfClient(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { status, code } = error as { status?: unknown; code?: unknown };
  switch (error.name) {
    case 'ApiError':
      return { code: codeOf(Number(status)), line: `${error.message} (${String(code)})` };
    case 'NetworkError':
      return {
        code: 2,
        line: `Cannot reach the server (${error.message}). Is it running? Start it with: svc-mock start`,
      };
    case 'UsageError':
      return { code: 2, line: error.message };
    case 'TimeoutError':
      return { code: 1, line: error.message };
    default:
      return undefined;
  }
}

/** What the server cannot do in its present state did not happen; anything else was asked for incorrectly. */
const codeOf = (status: number | undefined) =>
  status === 408 || status === 409 || status === 429 || Number(status) >= 500 ? 1 : 2;

/** Commander writes its advice on a line of its own. */
function oneLine(message: string): string {
  const line = message
    .replace(/^error: /, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `${line.replace(/\.$/, '')}. Try: svc-mock --help`;
}
