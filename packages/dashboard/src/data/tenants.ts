import type {
  ControlPage,
  ControlUser,
  FoundId,
  OrganizationItem,
  OrganizationWorkspace,
} from '@svc/contract/control/types';
import { actingUserId, clientOf } from './acting.ts';
import { control } from './control.ts';
import { lastWorkspace } from './preferences.ts';
import { type Query, useQuery } from './query.ts';
import { statusOf } from './server-error.ts';

export interface Tenant {
  organization: OrganizationItem;
  workspace: OrganizationWorkspace;
}

const PAGES_MAX = 10;

async function readAll<Item>(
  read: (page: { query: { limit: number } } | { pageUrl: string }) => Promise<ControlPage<Item>>,
): Promise<Item[]> {
  let { data: items, nextPageUrl } = await read({ query: { limit: 100 } });
  for (let page = 1; nextPageUrl && page < PAGES_MAX; page++) {
    const next = await read({ pageUrl: nextPageUrl });
    items = [...items, ...next.data];
    nextPageUrl = next.nextPageUrl;
  }
  return items;
}

/** Reads the newest 1,000 organizations. */
export const useOrganizations = (): Query<OrganizationItem[]> =>
  useQuery('organizations', () => readAll((page) => control('GET', '/organizations', page)), ['tenants']);

/** Reads the newest 1,000 users. */
export const useUsers = (): Query<ControlUser[]> =>
  useQuery('users', () => readAll((page) => control('GET', '/users', page)), ['tenants']);

/**
 * Lists all workspaces with their organizations. The oldest organization comes first, so that the demo organization is
 * at the top.
 */
export const tenantsOf = (organizations: readonly OrganizationItem[]): Tenant[] =>
  organizations
    .toReversed()
    .flatMap((organization) => organization.workspaces.map((workspace) => ({ organization, workspace })));

/** Returns the names of a workspace's organization and of the workspace, for example `Acme / Production`. */
export function placeName(
  organizations: readonly OrganizationItem[] = [],
  workspaceId: string | null | undefined,
): string | undefined {
  const tenant = tenantsOf(organizations).find(({ workspace }) => workspace.id === workspaceId);
  return tenant && `${tenant.organization.name} / ${tenant.workspace.name}`;
}

/**
 * Finds a resource in any workspace. `undefined` until the server has responded, and null if there is no such resource.
 */
export const useFound = (id: string | undefined): FoundId | null | undefined =>
  useQuery(id && `find ${id}`, async () => {
    try {
      return await control('GET', '/find', { query: { id: id ?? '' } });
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw error;
    }
  }).data;

/** Returns the workspace that was shown last or, if this workspace no longer exists, the first workspace. */
export function latestTenant(organizations: readonly OrganizationItem[]): Tenant | undefined {
  const tenants = tenantsOf(organizations);
  return tenants.find(({ workspace }) => workspace.id === lastWorkspace.get()) ?? tenants[0];
}

export interface Actor {
  /** The user's role in the workspace. Null for an API key. */
  role: string | null;
  name: string;
  isKnown: boolean;
  can(permission: string): boolean;
  /** Why an action is not allowed. `undefined` if the action is allowed. */
  why(permission: string): string | undefined;
}

/**
 * Returns the user or the API key that the page acts as. Until the permissions are known, the page allows every action
 * and lets the service decide.
 */
export function useActor(workspaceId: string): Actor {
  const userId = actingUserId.value;
  const { data, error } = useQuery(
    `me ${workspaceId} ${userId}`,
    async () => await clientOf(workspaceId, userId).me.retrieve(),
    ['tenants'],
  );
  const isDenied = statusOf(error) === 403;
  const permissions = isDenied ? [] : data?.workspace?.permissions;
  const role = data?.workspace?.role ?? null;
  const name = isDenied ? 'No access' : data && 'user' in data && data.user ? data.user.name : 'API key';
  const can = (permission: string) => permissions === undefined || permissions.includes(permission);
  return {
    role,
    name,
    isKnown: permissions !== undefined,
    can,
    why: (permission) => (can(permission) ? undefined : `${role ?? name}: needs ${permission}`),
  };
}
