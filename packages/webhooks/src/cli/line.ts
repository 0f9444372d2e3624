import type { Secrets } from '../signers.ts';
import type { OPTIONS } from './options.ts';
import { UsageError } from './usage-error.ts';

export type OptionName = keyof typeof OPTIONS;

export interface CommandLine {
  command: string | undefined;
  argument: string | undefined;
  help: boolean;
  version: boolean;
  check: boolean;
  secrets: string[];
  event?: string;
  subject?: string;
  body?: string;
  headers: string[];
  id?: string;
  timestamp?: string;
  at?: string;
}

/**
 * Returns the secrets from the command line or from `WEBHOOK_SECRET`. Throws {@link UsageError} if there are no
 * secrets.
 */
export function secretsOrThrow({ secrets, command }: CommandLine): Secrets {
  if (secrets.length === 0) throw new UsageError('Pass --secret, or set WEBHOOK_SECRET.', command);
  return secrets;
}
