import { DELIVERY_STATUSES, ID_PREFIXES, type IdKind } from '@svc/contract';
import { InvalidArgumentError, Option } from 'commander';
import { partsOf, wholeNumber } from '../config/option-values.ts';
import { parseDuration } from '../domain/duration.ts';
import { dayExists } from '../domain/instant.ts';
import { checkHttpUrl } from './check-http-url.ts';
import type { Scope } from './context.ts';
import { UsageError } from './exit-codes.ts';
import { closest } from './unknown-command.ts';

export const eventsOption = () =>
  new Option('--events <list>', 'event types or globs, separated by commas').argParser((text) =>
    partsOf(text).filter(Boolean),
  );

/** The default is `*`, which also includes event types that a seed adds. The service document does not define `*`. */
export const allEventsOption = () =>
  eventsOption().default(['*'], '*, which means every event type; the real service may not accept *');

export const statusOption = (text: string) => new Option('--status <status>', text).choices(DELIVERY_STATUSES);

export const workspaceOption = () =>
  new Option('--workspace <id>', "the workspace (default: the API key's workspace)").argParser(idParser('workspace'));

export const limitOption = () =>
  new Option('--limit <n>', 'the maximum number of items to list').default(20).argParser(wholeNumber(1));

export interface Confirmable {
  yes?: true;
}

export const yesOption = () => new Option('--yes', 'do not ask for confirmation');

export const timeoutOption = (text: string) =>
  new Option('--timeout <duration>', 'stop waiting after this time').default(text);

const KINDS: Record<IdKind, { name: string; show?: string }> = {
  organization: { name: 'an organization' },
  workspace: { name: 'a workspace' },
  webhookEndpoint: { name: 'an endpoint', show: 'svc-mock endpoints show' },
  webhookSecret: { name: 'a signing secret' },
  webhookDelivery: { name: 'a delivery', show: 'svc-mock deliveries show' },
  event: { name: 'an event', show: 'svc-mock events show' },
  user: { name: 'a user' },
  apiKey: { name: 'an API key' },
  personalAccessToken: { name: 'a personal access token' },
  profile: { name: 'a profile' },
  notification: { name: 'a notification' },
};

/** Checks the prefix of an id, and returns the id. */
export function idOf(kind: IdKind, id: string, Wrong: new (message: string) => Error = UsageError): string {
  const prefix = ID_PREFIXES[kind];
  if (id.startsWith(prefix)) return id;
  const expected = `The id of ${KINDS[kind].name} must begin with ${prefix}`;
  const given = (Object.keys(KINDS) as IdKind[]).find((other) => id.startsWith(ID_PREFIXES[other]));
  if (given === undefined) throw new Wrong(`${expected}, but "${id}" does not.`);
  const { name, show } = KINDS[given];
  throw new Wrong(`${expected}; ${id} is the id of ${name}.${show ? ` Try: ${show} ${id}` : ''}`);
}

export const idParser = (kind: IdKind) => (id: string) => idOf(kind, id, InvalidArgumentError);

export function durationMsOf(option: string, text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined) return ms;
  throw new UsageError(`${option} must be a duration such as 30s, 5m, 12h, 3d or PT5M, not "${text}".`);
}

/** Matches an ISO 8601 time. A date without a time means midnight UTC. A time without an offset is a local time. */
const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/i;

/** Parses a time, or a duration that is subtracted from the current time. */
export function instantOf(option: string, text: string, nowMs: number): string {
  const ms = parseDuration(text);
  if (ms !== undefined) return new Date(nowMs - ms).toISOString();
  const [, day] = TIME.exec(text) ?? [];
  const at = Date.parse(text);
  if (day !== undefined && dayExists(day) && Number.isFinite(at)) return new Date(at).toISOString();
  throw new UsageError(`${option} must be a duration such as 1d, or an ISO 8601 time, not "${text}".`);
}

/** Accepts short forms: `localhost:3000/webhooks` is an http URL, and `3000` is a port on localhost. */
export function targetUrlOf(option: string, text: string): string {
  const url = /^\d+$/.test(text)
    ? `http://localhost:${text}`
    : /^[\w.-]+:\d+(\/|$)/.test(text)
      ? `http://${text}`
      : text;
  checkHttpUrl(option, url, { text, example: 'http://localhost:3000/webhooks' });
  return url;
}

/** Rejects an unknown event type, because a filter for a misspelled type would never find anything. */
export async function checkEventType(svc: Scope, type: string | undefined): Promise<void> {
  if (type === undefined) return;
  const types: string[] = [];
  for await (const known of svc.webhooks.endpoints.eventTypes()) types.push(known.type);
  if (types.includes(type)) return;
  const meant = closest(type, types);
  throw new UsageError(
    `There is no event type "${type}". ${meant ? `Did you mean: ${meant}` : `The types are: ${types.join(', ')}.`}`,
  );
}
