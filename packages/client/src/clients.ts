import type { UpdatedWorkspace, UpdateWorkspaceBody, Workspace, WorkspaceId } from '@svc/contract';
import type { Call } from './call.ts';
import type { Follow } from './follow-subject.ts';
import type { IdParameter } from './ids.ts';
import type { EventOperations } from './operations/events.ts';
import type { ApiKeyIdentity, MemberIdentity, MeOperations, UserIdentity } from './operations/me.ts';
import type { OrganizationOperations } from './operations/organizations.ts';
import type { SearchOperation } from './operations/search.ts';
import type { WebhookOperations } from './operations/webhooks.ts';
import type { UserWorkspaceOperations, WorkspaceOperations } from './operations/workspaces.ts';
import type { CallOptions, ChangeableOptions } from './options.ts';
import type { Closes } from './platform.ts';
import type { RequestOperation } from './request.ts';

/**
 * The operations inside one workspace.
 *
 * {@includeCode ../test/documented/clients.ts#workspace}
 */
export interface WorkspaceScope {
  me: MeOperations<ApiKeyIdentity | MemberIdentity>;
  /** Searches the workspace's profiles and webhook endpoints, best match first. */
  search: SearchOperation;
  webhooks: WebhookOperations;
  events: EventOperations;
  /** Retrieves the resource that an event is about, in its current state. */
  follow: Follow;
  /** Sends a request to any route, even a route that this version of the package does not know. */
  request: RequestOperation;
}

/**
 * A client that can be closed.
 *
 * {@includeCode ../test/documented/clients.ts#close}
 */
export interface Closable extends Closes {
  /** Aborts all running calls and rejects later calls. `await using` calls this method. */
  close(): void;
}

/**
 * A client with an API key. The client is bound to the API key's workspace.
 *
 * {@includeCode ../test/documented/clients.ts#api-key}
 */
export interface ApiKeyClient extends WorkspaceScope, Closable {
  /**
   * Returns a new client with changed options. The new client shares this client's credential, address, connections and
   * limits. New headers are added to this client's headers. Any other option replaces the old value. Closing the new
   * client ends only its own calls. Closing this client ends both clients' calls. Throws {@link UsageError} immediately
   * if an option is invalid.
   *
   * {@includeCode ../test/documented/clients.ts#with-options}
   */
  withOptions(options: ChangeableOptions): ApiKeyClient;
  me: MeOperations<ApiKeyIdentity>;
  workspaces: WorkspaceOperations;
}

/**
 * A user's client inside one workspace. Each request sends the workspace's id in the header `Service-Workspace-Id`.
 *
 * {@includeCode ../test/documented/clients.ts#workspace}
 */
export interface WorkspaceClient extends WorkspaceScope {
  /** The workspace's id. */
  readonly id: WorkspaceId;
  me: MeOperations<MemberIdentity>;
  /** Retrieves this workspace. */
  retrieve(options?: CallOptions): Call<Workspace>;
  /**
   * Updates this workspace. Omitted fields do not change. The service returns only the id and the fields that this call
   * can change.
   */
  update(body: UpdateWorkspaceBody, options?: CallOptions): Call<UpdatedWorkspace>;
}

/**
 * A client with a personal access token. This client acts for a user, across their organizations and workspaces.
 *
 * {@includeCode ../test/documented/clients.ts#user}
 */
export interface UserClient extends Closable {
  /**
   * Returns a new client with changed options. The new client shares this client's credential, address, connections and
   * limits. New headers are added to this client's headers. Any other option replaces the old value. Closing the new
   * client ends only its own calls. Closing this client ends the calls of both clients. Throws {@link UsageError}
   * immediately if an option is invalid.
   */
  withOptions(options: ChangeableOptions): UserClient;
  me: MeOperations<UserIdentity>;
  organizations: OrganizationOperations;
  workspaces: UserWorkspaceOperations;
  /** Sends a request to any route, even a route that this version of the package does not know. */
  request: RequestOperation;
  /**
   * Returns a client for one workspace. The new client shares this client's connections and limits. Closing this client
   * also closes the new client. Throws {@link UsageError} immediately if `id` is malformed.
   */
  workspace<const Given extends string>(id: IdParameter<'wsp', Given>): WorkspaceClient;
}
