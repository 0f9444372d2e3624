import { type EventType, SUBJECTS } from '../events.ts';
import { sampleEvent } from '../sample-event.ts';
import { type SignedWebhook, signWebhook } from '../sign-webhook.ts';
import { type CommandLine, secretsOrThrow } from './line.ts';
import { readInput } from './read-input.ts';
import { UsageError } from './usage-error.ts';

/** Signs the message that the command line describes. */
export async function signedMessage(line: CommandLine): Promise<SignedWebhook> {
  const { event = 'webhook.ping', id, command } = line;
  const secrets = secretsOrThrow(line);
  if (line.body !== undefined && line.event !== undefined)
    throw new UsageError('Give --event or --body, not both.', command);
  if (id !== undefined && !/^[!-~]+$/.test(id))
    throw new UsageError('--id must be printable ASCII without spaces, because it is a header.', command);
  const isKnown = Object.hasOwn(SUBJECTS, event);
  // A service may add types, so this is not an error. But it is often a typing mistake.
  if (!isKnown) process.stderr.write(`Not in the catalog: ${event}. It has ${Object.keys(SUBJECTS).join(', ')}.\n`);
  return signWebhook({
    secrets,
    event: isKnown ? (event as EventType) : { ...sampleEvent('webhook.ping'), type: event },
    timestamp: line.timestamp === undefined ? undefined : toSeconds(line.timestamp),
    body: line.body === undefined ? undefined : await readInput(line.body),
    id,
  });
}

/** Reads a number of seconds since 1970. Throws {@link UsageError} if the text is not one. */
export function toSeconds(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`Not a number of seconds since 1970: ${text}`);
}
