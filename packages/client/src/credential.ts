import { check } from './check.ts';
import { environmentVariable, isInPage } from './environment.ts';
import { UsageError } from './errors.ts';
import type { Credential } from './options.ts';

/** The environment variable that contains the API key if the client's options contain no credential. */
const VARIABLE = 'SVC_API_KEY';

/** The option that contains the credential. */
export type CredentialOption = 'apiKey' | 'accessToken';

/**
 * Returns a valid credential, or throws {@link UsageError}. `from` names its source: the option or the environment
 * variable. Rejects characters that a header cannot contain, because the runtime's error would show the credential.
 */
function checkCredential(text: unknown, option: CredentialOption, from: string): string {
  const [other, otherPrefix] = option === 'apiKey' ? ['accessToken', 'svc_pat_'] : ['apiKey', 'svc_sk_'];
  let problem = '';
  if (text == null || text === '') problem = 'is missing or empty: check its variable';
  else if (typeof text !== 'string') problem = 'must be a string or a function';
  else if (/\s/.test(text)) problem = 'contains white space: trim it';
  else if (/[^!-~]/.test(text)) problem = 'contains an invalid character: copy it again';
  else if (text.startsWith(otherPrefix)) problem = `starts with ${otherPrefix}: pass it as ${other}`;
  else return text;
  throw new UsageError(`${from} ${problem}`);
}

/**
 * Finds the client's credential. Returns the name of the credential's option, and a function that returns the
 * credential for one attempt. Only the returned function throws if the credential is missing or unusable, because a
 * build may create clients without environment variables.
 */
export function findCredential(options: {
  apiKey?: Credential | undefined;
  accessToken?: Credential | undefined;
  dangerouslyAllowBrowser?: boolean | undefined;
}): [CredentialOption, () => Promise<string>] {
  const { apiKey, accessToken } = options;
  check(apiKey == null || accessToken == null, 'Pass apiKey or accessToken, not both');
  const option = accessToken != null || ('accessToken' in options && !('apiKey' in options)) ? 'accessToken' : 'apiKey';
  // If an option is present but undefined, ignore the environment variable, whose key may be for another workspace.
  const isGiven = option in options;
  const read = async () => {
    const given = isGiven ? options[option] : environmentVariable(VARIABLE);
    check(isGiven || given !== undefined, `Pass apiKey or accessToken, or set ${VARIABLE}`);
    const text = typeof given === 'function' ? await given() : given;
    check(
      options.dangerouslyAllowBrowser || !isInPage(),
      `Visitors to the page can read ${option}: see dangerouslyAllowBrowser`,
    );
    return checkCredential(text, option, isGiven ? option : VARIABLE);
  };
  return [option, read];
}
