import type { UpdatedWorkspace, UpdateWorkspaceBody, Workspace } from '@svc/contract';
import type { Call } from '../call.ts';
import type { IdParameter } from '../ids.ts';
import type { ListOperation } from '../list.ts';
import type { CallOptions } from '../options.ts';

/**
 * Operations on one workspace.
 *
 * {@includeCode ../../test/documented/resources.ts#workspaces}
 */
export interface WorkspaceOperations {
  /** Retrieves a workspace. */
  retrieve<const Given extends string>(id: IdParameter<'wsp', Given>, options?: CallOptions): Call<Workspace>;
  /**
   * Updates a workspace. Omitted fields do not change. The service returns only the id and the fields that this call
   * can change.
   */
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
  /** Lists the workspaces that the user can access, as a single page. */
  list: ListOperation<Workspace>;
}
