import type { OrganizationId, WorkspaceId } from '../ids.ts';
import type { Timestamp } from '../open.ts';

/**
 * A tenant: one product's data source, its profiles and their lifecycle (service document, "Workspace").
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#workspace}
 */
export interface Workspace {
  id: WorkspaceId;
  /** Display name. */
  name: string;
  /** The organization that owns it. */
  organizationId: OrganizationId;
  /** URL-safe; unique within the organization. */
  slug: string;
  /** IANA time zone in which calendar days are measured; null means UTC. */
  timezone: string | null;
  /** 0 (Sunday) to 6 (Saturday); null means Monday. */
  weekStartsOn: number | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/**
 * What PATCH answers: the fields that it can change, and the id (service document, "Workspaces").
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#update}
 */
export type UpdatedWorkspace = Pick<Workspace, 'id' | 'name' | 'slug' | 'timezone' | 'weekStartsOn'>;

/**
 * Body of PATCH; a field left out stays as it is (service document, "PATCH body").
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#update}
 */
export interface UpdateWorkspaceBody {
  /** 1 to 120 characters, counted after white space at both ends is cut. */
  name?: string | undefined;
  /** Words of `[a-z0-9]` joined by single `-` or `_`, 1 to 120 characters. */
  slug?: string | undefined;
  /** IANA time zone, 1 to 64 characters; null resets to UTC. */
  timezone?: string | null | undefined;
  /** 0 (Sunday) to 6 (Saturday); null resets to Monday. */
  weekStartsOn?: number | null | undefined;
}
