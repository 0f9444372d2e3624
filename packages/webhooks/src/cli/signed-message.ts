import { EVENT_TYPES, type EventType, type UntypedEvent } from '../events.ts';
import { sampleEvent } from '../sample-event.ts';
import { type SignedWebhook, signWebhook } from '../sign-webhook.ts';
import { type CommandLine, secretsOrThrow } from './line.ts';
import { printError, visibleLine, withoutSecrets } from './print.ts';
import { readInput } from './read-input.ts';
import { UsageError } from './usage-error.ts';

export async function signedMessage(line: CommandLine): Promise<SignedWebhook> {
  const { id, command } = line;
  const secrets = secretsOrThrow(line);
  if (line.body !== undefined && (line.event ?? line.subject) !== undefined)
    throw new UsageError('--body cannot be combined with --event or --subject.', command);
  if (id !== undefined && !/^[!-~]+$/.test(id))
    throw new UsageError('--id must be printable ASCII without spaces, because it is sent in a header.', command);
  return signWebhook({
    secrets,
    event: eventOf(line),
    timestamp: line.timestamp === undefined ? undefined : toSeconds(line.timestamp),
    body: line.body === undefined ? undefined : await readInput(line.body),
    id,
  });
}

/** Returns a sample event with the event type and the subject id from the command line. */
function eventOf({ event = 'webhook.ping', subject: id, command }: CommandLine): UntypedEvent {
  const isKnown = EVENT_TYPES.includes(event);
  // A service may add types, so an unknown type is not an error. But an unknown type is often a typo, so print a
  // warning.
  if (!isKnown)
    printError(
      `Not in the catalog: ${visibleLine(withoutSecrets(event))}. The catalog contains: ${EVENT_TYPES.join(', ')}.\n`,
    );
  const sample: UntypedEvent = isKnown
    ? sampleEvent(event as EventType)
    : { ...sampleEvent('webhook.ping'), type: event };
  if (id === undefined) return sample;
  const { subject } = sample;
  if (!subject)
    throw new UsageError(
      `--subject cannot be used with ${event}: its sample has no subject. Pass the whole event with --body.`,
      command,
    );
  return { ...sample, subject: { ...subject, id, url: subject.url.replace(subject.id, id) } };
}

/** Reads a number of seconds since 1970. Throws {@link UsageError} for any other string. */
export function toSeconds(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`Not a number of seconds since 1970: ${text}`);
}
