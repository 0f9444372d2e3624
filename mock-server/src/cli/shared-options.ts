import { Option } from 'commander';

/** The options of every command except `start`, which defines some of them itself. */
export interface SharedOptions {
  server: string;
  adminToken?: string;
  apiKey?: string;
  json?: true;
  /** Only commands that act in a workspace have this option. */
  workspace?: string;
}

export const sharedOptions = (): Option[] => [
  new Option('--server <url>', 'the URL of the server').env('SVC_BASE_URL').default('http://127.0.0.1:4010'),
  new Option('--admin-token <token>', 'the admin token, if the server requires it').env('SVC_ADMIN_TOKEN'),
  new Option('--api-key <key>', 'the credential for the API (default: the first demo key that the server accepts)').env(
    'SVC_API_KEY',
  ),
  new Option('--json', 'print JSON: one document, or one line for each item of a stream'),
];
