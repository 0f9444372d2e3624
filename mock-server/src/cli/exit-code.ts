import { CommanderError } from 'commander';
import { ConfigError } from '../config/config.ts';
import { ControlError } from '../control-client/error.ts';
import { DidNotHappenError, UsageError } from './exit.ts';

/** How a failed command ends. */
export interface Failure {
  /** 1: the action did not happen. 2: the command was used incorrectly, or the server cannot be reached. */
  code: 1 | 2;
  /** One line for standard error. */
  line: string;
}

/** Translates an error of a command. `undefined` if the error is unexpected, which means a bug in this program. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof DidNotHappenError) return { code: 1, line: error.message };
  if (error instanceof UsageError || error instanceof ConfigError) return { code: 2, line: error.message };
  if (error instanceof CommanderError) return { code: 2, line: oneLine(error.message, 'svc-mock') };
  if (error instanceof ControlError) return { code: codeOf(error.status), line: lineOfControl(error) };
  return failureOfClient(error);
}

/** The server's messages are worded for HTTP. In the CLI, the admin token is an option or a variable. */
const lineOfControl = ({ code, message }: ControlError) =>
  code === 'UNAUTHENTICATED'
    ? 'The server requires its admin token: pass --admin-token <token>, or set SVC_ADMIN_TOKEN.'
    : message;

/** Recognizes the client's errors by name, because only commands that call the API load its code. */
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

/** Code 1 for what the server cannot do at the moment, 2 for incorrect requests. */
const codeOf = (status: number | undefined) =>
  status === 408 || status === 409 || status === 429 || Number(status) >= 500 ? 1 : 2;

/** A message of Commander, which puts its advice on a separate line, and where to find help for `command`. */
export function oneLine(message: string, command: string): string {
  const line = message
    .replace(/^error: /, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return `${line.replace(/\.$/, '')}. Try: ${command} --help`;
}
