import { ID_PREFIXES, type IdKind } from '@svc/contract';
import { InvalidArgumentError } from 'commander';
import { UsageError } from './exit.ts';

/** The name of each kind of id in messages, and the command that shows the object with the id. */
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

/**
 * @throws {@link UsageError} if the value is not an id, or is an id of another kind. The message names the other kind.
 */
export function idOf(kind: IdKind, id: string): string {
  const problem = problemOf(kind, id);
  if (problem) throw new UsageError(problem);
  return id;
}

/** Creates a parser for the ids of one kind. The parser throws an `InvalidArgumentError` for any other value. */
export const idParser = (kind: IdKind) => (id: string) => {
  const problem = problemOf(kind, id);
  if (problem) throw new InvalidArgumentError(problem);
  return id;
};

function problemOf(kind: IdKind, id: string): string | undefined {
  const prefix = ID_PREFIXES[kind];
  if (id.startsWith(prefix)) return undefined;
  const expected = `The id of ${KINDS[kind].name} must begin with ${prefix}`;
  const given = (Object.keys(KINDS) as IdKind[]).find((other) => id.startsWith(ID_PREFIXES[other]));
  if (given === undefined) return `${expected}, but "${id}" does not.`;
  const { name, show } = KINDS[given];
  return `${expected}; ${id} is the id of ${name}.${show ? ` Try: ${show} ${id}` : ''}`;
}
