import type { WorkspaceId } from '@svc/contract';
import type { ApiKeyClient, Closable, UserClient } from './clients.ts';
import { pathWithId } from './ids.ts';
import type { Lifetime } from './lifetime.ts';
import { acrossWorkspaces, insideWorkspace, onWorkspace } from './operations.ts';
import type { ApiKeyClientOptions, ChangeableOptions, UserClientOptions } from './options.ts';
import { createSender } from './sender.ts';
import { changeOptions, parseOptions, type Settings } from './settings.ts';

/**
 * Creates a client. The kind of credential decides which operations the client has, and the client's type contains only
 * these operations.
 *
 * Without options, the client reads the API key from `SVC_API_KEY` and the address from `SVC_BASE_URL`, if the runtime
 * has environment variables. `createClient` sends no request. The credential and the address are checked at first use:
 * if either is missing or invalid, calls reject with a {@link UsageError}. Any other invalid option throws a
 * {@link UsageError} immediately.
 *
 * {@includeCode ../test/documented/clients.ts#api-key}
 */
export function createClient(options?: ApiKeyClientOptions): ApiKeyClient;
/**
 * Creates a client that acts for a user, with a personal access token. Sends no request. The credential and the address
 * are checked at first use.
 *
 * {@includeCode ../test/documented/clients.ts#user}
 */
export function createClient(options: UserClientOptions): UserClient;
/** Creates a client whose kind of credential is known only at run time. */
export function createClient(options: ApiKeyClientOptions | UserClientOptions): ApiKeyClient | UserClient;
export function createClient(options?: ApiKeyClientOptions | UserClientOptions): ApiKeyClient | UserClient {
  return clientOf(parseOptions(options));
}

function clientOf(settings: Settings): ApiKeyClient | UserClient {
  const sender = createSender(settings);
  const shared = {
    ...closing(settings.lifetime),
    // The new client is of the same kind, but the compiler does not know that.
    withOptions: (options: ChangeableOptions) => clientOf(changeOptions(settings, options)) as never,
  };
  if (settings.kind === 'apiKey') return { ...shared, ...insideWorkspace(sender), workspaces: onWorkspace(sender) };
  return {
    ...shared,
    ...acrossWorkspaces(sender),
    workspace(id: string) {
      pathWithId('{}', id);
      const inside = createSender(settings, id);
      const { retrieve, update } = onWorkspace(inside);
      return {
        ...insideWorkspace(inside),
        id: id as WorkspaceId,
        retrieve: retrieve.bind(null, id),
        update: update.bind(null, id),
      };
    },
  };
}

function closing({ close }: Lifetime): Closable {
  // In older browsers, which lack `Symbol.asyncDispose`, the async method replaces `close`.
  return { close, [Symbol.asyncDispose ?? 'close']: async () => close() } as Closable;
}
