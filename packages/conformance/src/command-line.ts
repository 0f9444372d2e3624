import { parseArgs } from 'node:util';
import { UsageError } from './usage-error.ts';

export interface Options {
  /** The base address, without a slash at the end. */
  url: string;
  apiKey: string | undefined;
  token: string | undefined;
  control: string | undefined;
  adminToken: string | undefined;
  /** Prefixes of the ids of statements to check. If the list is empty, all statements are checked. */
  only: readonly string[];
  junit: string | undefined;
  json: boolean;
}

export const HELP = `Usage: svc-conformance --url <url> --api-key <key> [--token <token>] [options]
       svc-conformance --url <url> --control <url> [--admin-token <token>] [options]

Checks a service over HTTP against every statement of the service document of the
Workspace Lifecycle Service, and against the decisions of its reference server on points
that the document leaves open.

  pass           the service follows the statement
  fail           the service does not follow a statement of the service document
  differs        the document is silent, and the service behaves differently from the
                 reference server
  not testable   the check needs a token or the control API, which you did not pass

The service:
  --url <url>            the service's base address, to which the suite adds /v1.
                         Default: the variable SVC_BASE_URL
  --api-key <key>        an API key (svc_sk_…) of a workspace for tests. The suite
                         creates endpoints in this workspace, changes the workspace's
                         name, slug, time zone and first day of the week, and undoes
                         these changes after each check. Default: SVC_API_KEY
  --token <token>        a personal access token (svc_pat_…) of an Owner or Admin of the
                         same workspace. Default: SVC_TOKEN
  --control <url>        the service's control API, such as
                         http://127.0.0.1:4010/_control. EACH CHECK BEGINS WITH A RESET,
                         WHICH DELETES EVERYTHING in the service. The suite creates its
                         own tenants and needs no API key. The suite's receivers listen on
                         127.0.0.1, so the service must run on this machine
  --admin-token <token>  the token of the control API, if the API requires a token.
                         Default: SVC_ADMIN_TOKEN

The results:
  --only <id>            checks only statements whose ids begin with <id>; repeatable
  --json                 prints JSON instead of the table
  --junit <file>         also writes a JUnit report for CI
  -h, --help             prints this help
  --version              prints the version

Exit codes: 0 if no statement of the document fails, 1 if a statement fails, 2 if the
command line is wrong or the service cannot be used.
`;

const OPTIONS = {
  url: { type: 'string' },
  'api-key': { type: 'string' },
  token: { type: 'string' },
  control: { type: 'string' },
  'admin-token': { type: 'string' },
  only: { type: 'string', multiple: true },
  junit: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

export function parseCommandLine(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Options | 'help' | 'version' {
  const values = parse(argv);
  if (values.help) return 'help';
  if (values.version) return 'version';
  const url = values.url ?? environment['SVC_BASE_URL'];
  if (!url) throw new UsageError('--url is missing. Pass the base address of the service.');
  const apiKey = values['api-key'] ?? (environment['SVC_API_KEY'] || undefined);
  const token = values.token ?? (environment['SVC_TOKEN'] || undefined);
  if (values.control === undefined) {
    if (values['admin-token'] !== undefined) throw new UsageError('--admin-token needs --control.');
    if (apiKey === undefined) throw new UsageError('Pass --api-key, or --control for a service with a control API.');
  }
  return {
    url: addressOf('--url', url),
    apiKey: credentialOf('--api-key', apiKey, 'svc_sk_'),
    token: credentialOf('--token', token, 'svc_pat_'),
    control: values.control === undefined ? undefined : addressOf('--control', values.control),
    adminToken: credentialOf('--admin-token', values['admin-token'] ?? (environment['SVC_ADMIN_TOKEN'] || undefined)),
    only: values.only ?? [],
    junit: values.junit,
    json: values.json ?? false,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS }).values;
  } catch (error) {
    // Leave out the rest of Node's message: it gives advice about positional arguments, which this command does not
    // accept.
    const [first = ''] = (error as Error).message.split(/\. To specify|\. This command|\n/);
    throw new UsageError(first.replace(/\.?$/, '.'));
  }
}

function addressOf(option: string, text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new UsageError(`${option} must be an address such as https://api.example.com.`);
  }
  return url.href.replace(/\/+$/, '');
}

function credentialOf(option: string, value: string | undefined, prefix = ''): string | undefined {
  if (value !== undefined && !value.startsWith(prefix)) {
    throw new UsageError(`${option} must be a credential that begins with ${prefix}.`);
  }
  // `fetch` would throw an error that quotes the credential.
  if (/[^\x21-\x7e]/.test(value ?? '')) {
    throw new UsageError(`${option} contains white space or another character that no credential can contain.`);
  }
  return value;
}
