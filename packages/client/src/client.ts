import type { WorkspaceId } from '@svc/contract';
import type { ApiKeyClient, Closable, UserClient, WorkspaceScope } from './clients.ts';
import { AbortedError } from './errors.ts';
import { createFollow } from './follow.ts';
import { pathWithId } from './ids.ts';
import { eventOperations } from './operations/events.ts';
import { type MeOperations, meOperations } from './operations/me.ts';
import { organizationOperations } from './operations/organizations.ts';
import { searchOperation } from './operations/search.ts';
import { webhookOperations } from './operations/webhooks.ts';
import { userWorkspaceOperations, workspaceOperations } from './operations/workspaces.ts';
import type { ApiKeyClientOptions, UserClientOptions } from './options.ts';
import { createRequest } from './request.ts';
import { createSender, type Sender } from './sender.ts';
import { parseOptions, type Settings } from './settings.ts';

/**
 * Creates a client. The kind of credential decides what the client can do, and its type shows it.
 *
 * Without options, it takes the API key from `SVC_API_KEY` and the address from `SVC_BASE_URL`, if the runtime has an
 * environment. Throws {@link UsageError} if an option is missing or cannot be used. It sends nothing.
 *
 * {@includeCode ../test/documented/clients.ts#api-key}
 */
export function createClient(options?: ApiKeyClientOptions): ApiKeyClient;
export function createClient(options: UserClientOptions): UserClient;
export function createClient(options: ApiKeyClientOptions | UserClientOptions): ApiKeyClient | UserClient;
export function createClient(options?: ApiKeyClientOptions | UserClientOptions): ApiKeyClient | UserClient {
  const settings = parseOptions(options);
  const sender = createSender(settings);
  const closable = closing(settings);
  if (settings.kind === 'apiKey')
    return { ...closable, ...workspaceScope(sender), workspaces: workspaceOperations(sender) };
  return {
    ...closable,
    request: createRequest(sender),
    me: meOperations(sender),
    organizations: organizationOperations(sender),
    workspaces: userWorkspaceOperations(sender),
    workspace(id: string) {
      pathWithId('{workspaceId}', id);
      const inside = createSender(settings, id);
      const { retrieve, update } = workspaceOperations(inside);
      return {
        ...workspaceScope(inside),
        id: id as WorkspaceId,
        retrieve: (options) => retrieve(id, options),
        update: (body, options) => update(id, body, options),
      };
    },
  };
}

function workspaceScope(sender: Sender): WorkspaceScope & { me: MeOperations<never> } {
  return {
    me: meOperations(sender),
    search: searchOperation(sender),
    webhooks: webhookOperations(sender),
    events: eventOperations(sender),
    follow: createFollow(sender),
    request: createRequest(sender),
  };
}

function closing(settings: Settings): Closable {
  const close = () => {
    settings.closed = true;
    for (const end of settings.open) end(new AbortedError('The client was closed'));
  };
  // Older browsers have no such symbol, and no `await using` either.
  return { close, [Symbol.asyncDispose ?? 'close']: async () => close() } as Closable;
}
