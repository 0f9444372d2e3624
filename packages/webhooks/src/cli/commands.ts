import type { CommandLine, OptionName } from './line.ts';
import { checkOrDrawSecret } from './secret-command.ts';
import { send } from './send-command.ts';
import { sign } from './sign-command.ts';
import { verify } from './verify-command.ts';

/** A command of `svc-webhooks`. */
export interface Command {
  /** What stands behind its name. */
  usage: string;
  /** What it does, in a line. */
  summary: string;
  /** What else there is to know. */
  details?: string;
  /** The options that it takes. Others are refused: one that is ignored misleads. */
  options: readonly OptionName[];
  /** What its argument is called; it takes none where this is absent. */
  argument?: string;
  /** Runs it, and gives the exit code. */
  run(line: CommandLine): Promise<number>;
}

/** The commands, by name. */
export const COMMANDS: { [name: string]: Command } = {
  sign: {
    usage: 'sign [options]',
    summary: 'print a signed message, as it goes over the wire',
    options: ['secret', 'event', 'body', 'id', 'timestamp'],
    run: sign,
  },
  verify: {
    usage: 'verify [file] [options]',
    summary: 'verify a captured request, and explain why it fails',
    details: `It reads a request as HTTP text (headers, empty line, body), as JSON with headers and body, or as the service's
API shows a delivery; from standard input where the file is - or absent. With --header, from --body.
`,
    options: ['secret', 'header', 'body', 'at'],
    argument: 'file',
    run: verify,
  },
  send: {
    usage: 'send <url> [options]',
    summary: 'post a signed message, and print the answer',
    details: 'Ends with 1 where the service would send it again: no answer within 10 seconds, or none of 2xx.\n',
    options: ['secret', 'event', 'body', 'id', 'timestamp'],
    argument: 'url',
    run: send,
  },
  secret: {
    usage: 'secret [--check [--secret <text>]]',
    summary: 'draw a signing secret, or tell whether one is well-formed',
    options: ['check', 'secret'],
    run: checkOrDrawSecret,
  },
};
