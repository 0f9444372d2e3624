import { Command, Option } from 'commander';
import type { ServerOptions } from './server-connection.ts';

/** What every command takes that talks to a running server. */
export interface ServerCommandOptions extends ServerOptions {
  workspace?: string;
  json?: true;
}

/** A command that talks to a running server. */
export function serverCommand(name: string): Command {
  return new Command(name)
    .addOption(new Option('--url <url>', 'the server').env('SVC_URL').default('http://127.0.0.1:4010'))
    .addOption(new Option('--admin-token <token>', "the server's admin token").env('SVC_ADMIN_TOKEN'))
    .addOption(new Option('--api-key <key>', 'names its workspace (default: the first demo key)').env('SVC_API_KEY'))
    .option('--workspace <id>', 'the workspace (default: that of the API key)')
    .option('--json', 'print one JSON document');
}
