import { environmentVariable } from './environment.ts';
import { UsageError } from './errors.ts';
import type { Credential } from './options.ts';

/** The two options that take a credential, each with what its text begins with and what it is called. */
const KINDS = {
  apiKey: ['svc_sk_', 'an API key'],
  accessToken: ['svc_pat_', 'a personal access token'],
} as const;

/** The option that takes a credential. */
export type CredentialOption = keyof typeof KINDS;

/**
 * Checks the text of a credential and returns it; `from` is where it comes from, if that is not the option. Throws
 * {@link UsageError}, also for a text that HTTP cannot carry, because the runtime's own error would show it.
 */
export function checkCredential(text: unknown, option: CredentialOption, from: string = option): string {
  const other = option === 'apiKey' ? 'accessToken' : 'apiKey';
  const [prefix, kind] = KINDS[other];
  let problem = '';
  if (text == null) problem = 'is missing: set the variable that holds it';
  else if (typeof text !== 'string') problem = 'must be a string, or a function that returns one';
  else if (!text) problem = 'is empty: set the variable that holds it';
  else if (/\s/.test(text)) problem = 'contains a space or a line break: trim it';
  else if (/[^!-~]/.test(text)) problem = 'contains a character that HTTP cannot carry: copy it again';
  else if (text.startsWith(prefix)) problem = `is ${kind}: pass it as ${other}`;
  else return text;
  throw new UsageError(`${from} ${problem}`);
}

/** Finds out which credential a client is to use. What a function returns is checked when it is called. */
export function findCredential(options: {
  apiKey?: Credential | undefined;
  accessToken?: Credential | undefined;
}): [CredentialOption, Credential] {
  const { apiKey, accessToken } = options;
  if (apiKey != null && accessToken != null) throw new UsageError('Give apiKey or accessToken, not both');
  const option = accessToken != null || ('accessToken' in options && !('apiKey' in options)) ? 'accessToken' : 'apiKey';
  const given = options[option];
  if (typeof given === 'function') return [option, given];
  // An option that is undefined is a mistake. Another credential in its place could be that of another workspace.
  if (option in options) return [option, checkCredential(given, option)];
  const fromEnvironment = environmentVariable('SVC_API_KEY');
  if (fromEnvironment !== undefined) return [option, checkCredential(fromEnvironment, option, 'SVC_API_KEY')];
  throw new UsageError('A credential is missing: give apiKey or accessToken, or set SVC_API_KEY');
}
