import type { FOUND_TYPES } from '../values.ts';
import type { ControlCredential } from './credentials.ts';

/** Information about a server. */
export interface ServerInfo {
  /** Version of the package. */
  version: string;
  /** The profile that the server runs with. */
  profile: 'local' | 'strict';
  /** The database. */
  database: 'sqlite' | 'postgresql';
  /** The roles of this server. Each role is a part of the service that the server runs. */
  roles: string[];
  /** The base URL of all URLs in responses. */
  publicUrl: string;
  /** An id that changes when the server process starts again. */
  instanceId: string;
  /**
   * In the local profile, the valid credentials of the seed, in plain text. In the strict profile, the list is empty.
   */
  credentials: ControlCredential[];
}

/** The data to start with after a reset. */
export interface ResetInput {
  /** A seed, in the format of a seed file. Default: the seed with which the server started. */
  seed?: unknown;
}

/** A saved snapshot. */
export interface SavedSnapshot {
  /** The name of the snapshot. */
  name: string;
  /** When the snapshot was saved. */
  createdAt: string;
}

/** A resource that was found by its id: its kind, and the organization, workspace or parent that it belongs to. */
export interface FoundId {
  /** The requested id. */
  id: string;
  /** The kind of resource. */
  type: (typeof FOUND_TYPES)[number];
  /** For an organization, its own id. For a workspace, the id of its organization. Null for all other resources. */
  organizationId: string | null;
  /**
   * The id of the workspace that the resource belongs to. For a workspace, its own id. Null if the resource belongs to
   * no workspace.
   */
  workspaceId: string | null;
  /**
   * For a signing secret or a notification, the id of its endpoint. For a personal access token, the id of its user.
   * For a user, the user's own id. Null for all other resources.
   */
  parentId: string | null;
}
