import type { UpdatedWorkspace, UpdateWorkspaceBody, Workspace, WorkspaceId } from '@svc/contract';
import type { Call } from '../call.ts';
import type { ListOperation } from '../list.ts';
import type { CallOptions } from '../options.ts';
import type { Sender } from '../sender.ts';

const PATH = '/v1/workspaces';

/** Operations on one workspace. */
export interface WorkspaceOperations {
  /** Retrieves a workspace. */
  retrieve(id: WorkspaceId, options?: CallOptions): Call<Workspace>;
  /** Updates a workspace; a field left out stays as it is. The service answers only what can be changed, and the id. */
  update(id: WorkspaceId, body: UpdateWorkspaceBody, options?: CallOptions): Call<UpdatedWorkspace>;
}

/** Operations on the workspaces of a user. */
export interface UserWorkspaceOperations extends WorkspaceOperations {
  /** Lists the workspaces that the user can reach; a single page. */
  list: ListOperation<Workspace>;
}

/** The operations on one workspace. */
export function workspaceOperations({ call }: Sender): WorkspaceOperations {
  const path = `${PATH}/{}`;
  const pick = 'workspace';
  return {
    retrieve: (id, options) => call({ operation: 'retrieveWorkspace', method: 'GET', path, id, pick }, options),
    update: (id, body, options) =>
      call({ operation: 'updateWorkspace', method: 'PATCH', path, id, body, pick }, options),
  };
}

/** The operations on the workspaces of a user. */
export function userWorkspaceOperations(sender: Sender): UserWorkspaceOperations {
  return { ...workspaceOperations(sender), list: sender.list('listWorkspaces', PATH) };
}
