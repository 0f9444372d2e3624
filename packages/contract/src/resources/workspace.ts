import type { OrganizationId, WorkspaceId } from '../ids.ts';
import type { Timestamp } from '../open.ts';

/**
 * A part of an organization: the data source, profiles and lifecycle of one product.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#workspace}
 */
export interface Workspace {
  /** Id of the workspace. */
  id: WorkspaceId;
  /** Display name. */
  name: string;
  /** The organization that owns the workspace. */
  organizationId: OrganizationId;
  /** A short name for URLs, unique within the organization. */
  slug: string;
  /** IANA time zone that determines when a day begins. Null means UTC. */
  timezone: string | null;
  /** The first day of the week, from 0 (Sunday) to 6 (Saturday). Null means Monday. */
  weekStartsOn: number | null;
  /** When the workspace was created. */
  createdAt: Timestamp;
  /** When the workspace was last changed. */
  updatedAt: Timestamp;
}

/**
 * The workspace after a change: its id, and the fields that a caller can change.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#update}
 */
export type UpdatedWorkspace = Pick<Workspace, 'id' | 'name' | 'slug' | 'timezone' | 'weekStartsOn'>;

/**
 * The fields of the workspace to change. Omitted fields do not change.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#update}
 */
export interface UpdateWorkspaceBody {
  /** Display name: 1 to 120 characters, counted after white space at both ends is removed. */
  name?: string | undefined;
  /** Short name for URLs: words of `[a-z0-9]` joined by single `-` or `_`, 1 to 120 characters. */
  slug?: string | undefined;
  /** IANA time zone, 1 to 64 characters. Null resets the time zone to UTC. */
  timezone?: string | null | undefined;
  /** The first day of the week, from 0 (Sunday) to 6 (Saturday). Null resets the day to Monday. */
  weekStartsOn?: number | null | undefined;
}
