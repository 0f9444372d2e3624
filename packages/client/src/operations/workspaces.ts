import type { UpdatedWorkspace, UpdateWorkspaceBody, Workspace } from '@svc/contract';
import type { Call } from '../call.ts';
import type { IdParameter } from '../ids.ts';
import type { ListOperation } from '../list.ts';
import type { CallOptions } from '../options.ts';
import type { Sender } from '../sender.ts';

const ALL = '/v1/workspaces';

const WORKSPACE = `${ALL}/{workspaceId}`;

/**
 * Operations on one workspace.
 *
 * {@includeCode ../../test/documented/resources.ts#workspaces}
 */
export interface WorkspaceOperations {
  /** Retrieves a workspace. */
  retrieve<const Given extends string>(id: IdParameter<'wsp', Given>, options?: CallOptions): Call<Workspace>;
  /** Updates a workspace; a field left out stays as it is. The service answers only what can be changed, and the id. */
  update<const Given extends string>(
    id: IdParameter<'wsp', Given>,
    body: UpdateWorkspaceBody,
    options?: CallOptions,
  ): Call<UpdatedWorkspace>;
}

/**
 * Operations on the workspaces of a user.
 *
 * {@includeCode ../../test/documented/clients.ts#workspace}
 */
export interface UserWorkspaceOperations extends WorkspaceOperations {
  /** Lists the workspaces that the user can reach; a single page. */
  list: ListOperation<Workspace>;
}

/** The operations on one workspace. */
export function workspaceOperations({ bind }: Sender): WorkspaceOperations {
  return {
    retrieve: bind('GET', WORKSPACE, 'workspace'),
    update: bind('PATCH', WORKSPACE, 'workspace', true),
  };
}

/** The operations on the workspaces of a user. */
export function userWorkspaceOperations(sender: Sender): UserWorkspaceOperations {
  return { ...workspaceOperations(sender), list: sender.bindList(ALL) };
}
