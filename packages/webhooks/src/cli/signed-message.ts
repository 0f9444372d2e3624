import { readFileSync } from 'node:fs';
import type { EventType } from '../events.ts';
import { SUBJECTS } from '../events.ts';
import { sampleEvent } from '../sample-event.ts';
import { type SignedWebhook, signWebhook } from '../sign-webhook.ts';
import { type CommandLine, secretsOrThrow } from './command-line.ts';
import { UsageError } from './usage-error.ts';

/** Signs what the command line asks for. */
export function signedMessage(line: CommandLine): SignedWebhook {
  const { event = 'webhook.ping', id } = line;
  const isKnown = Object.hasOwn(SUBJECTS, event);
  return signWebhook({
    secrets: secretsOrThrow(line),
    event: isKnown ? (event as EventType) : { ...sampleEvent('webhook.ping'), type: event },
    body: line.body === undefined ? undefined : readInput(line.body),
    id,
    timestamp: line.timestamp === undefined ? undefined : toSeconds(line.timestamp),
  });
}

/** Reads a file, or standard input where the name is `-`. */
export function readInput(file: string): Buffer {
  try {
    return readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Reads a number of seconds since 1970. */
export function toSeconds(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`Not a number of seconds since 1970: ${text}`);
}
