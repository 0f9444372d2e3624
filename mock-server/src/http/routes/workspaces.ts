import { isUniqueViolation } from '../../storage/port.ts';
import type { WorkspaceTable } from '../../storage/schema/tenants.ts';
import { scheduleCalendarChange } from '../../storage/statements/profiles/lifecycles.ts';
import { findWorkspace, listUserWorkspaces, updateWorkspace } from '../../storage/statements/workspaces.ts';
import { ApiError, workspaceForbidden } from '../errors.ts';
import { respondWithSinglePage } from '../list.ts';
import type { Handler } from '../operation.ts';
import { presentUpdatedWorkspace, presentWorkspace } from '../present/workspace.ts';
import { userOf } from './user.ts';

export const listWorkspaces: Handler<'listWorkspaces'> = async ({ services, caller, query }) => {
  const reachable = await services.storage.read((queries) => listUserWorkspaces(queries, userOf(caller)));
  return respondWithSinglePage(
    reachable.map(({ workspace }) => presentWorkspace(workspace)),
    query.page,
  );
};

export const retrieveWorkspace: Handler<'retrieveWorkspace'> = async ({ services, scope }) => {
  const row = await services.storage.read((queries) => findWorkspace(queries, scope.workspaceId));
  if (!row) throw workspaceForbidden();
  return { workspace: presentWorkspace(row) };
};

export const patchWorkspace: Handler<'updateWorkspace'> = async ({ services, scope, body }) => {
  try {
    const now = services.clock.now();
    const row = await services.storage.write(async (queries) => {
      const before = await findWorkspace(queries, scope.workspaceId);
      const after = await updateWorkspace(queries, scope.workspaceId, body, now);
      if (before && after && hasOtherCalendar(before, after)) {
        await scheduleCalendarChange(queries, scope.workspaceId, now);
      }
      return after;
    });
    services.lifecycle.wake();
    if (!row) throw workspaceForbidden();
    return { workspace: presentUpdatedWorkspace(row) };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new ApiError('CONFLICT', `The slug "${body.slug}" is taken within the organization.`);
  }
};

const hasOtherCalendar = (before: WorkspaceTable, after: WorkspaceTable) =>
  before.timezone !== after.timezone || before.week_starts_on !== after.week_starts_on;
