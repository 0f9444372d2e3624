import type { CommandLine, OptionName } from './line.ts';
import { checkOrDrawSecret } from './secret-command.ts';
import { send } from './send-command.ts';
import { sign } from './sign-command.ts';
import { verify } from './verify-command.ts';

/** A command of `svc-webhooks`. */
export interface Command {
  /** The command's name and arguments. */
  usage: string;
  /** One line that says what the command does. */
  summary: string;
  /** Details for the help of this command. */
  details?: string;
  /**
   * The options that the command accepts. Any other option is an error, so that the command never ignores an option
   * silently.
   */
  options: readonly OptionName[];
  /** The name of the command's argument, if it accepts one. */
  argument?: string;
  /** Runs the command and returns its exit code. */
  run(line: CommandLine): Promise<number>;
}

export const COMMANDS: { [name: string]: Command } = {
  sign: {
    usage: 'sign [options]',
    summary: 'print a signed message, exactly as it is sent',
    options: ['secret', 'event', 'subject', 'body', 'id', 'timestamp'],
    run: sign,
  },
  verify: {
    usage: 'verify [file] [options]',
    summary: 'verify a captured request, and explain why it fails',
    details: `The request is HTTP text (headers, empty line, body), a curl command, JSON with headers and body, a browser's HAR
file, a Lambda event, or a delivery as the service's API returns it. Without a file, or with -, the command reads
standard input. With --header, pass the body with --body.
`,
    options: ['secret', 'header', 'body', 'at'],
    argument: 'file',
    run: verify,
  },
  send: {
    usage: 'send <url> [options]',
    summary: 'post a signed message, and print the response',
    details:
      'The exit code is 1 if there is no 2xx response within 10 seconds. The service would then send the message again.\n',
    options: ['secret', 'event', 'subject', 'body', 'id', 'timestamp'],
    argument: 'url',
    run: send,
  },
  secret: {
    usage: 'secret [--check [--secret <text>]]',
    summary: 'print a new signing secret, or check whether a secret is well-formed',
    options: ['check', 'secret'],
    run: checkOrDrawSecret,
  },
};
