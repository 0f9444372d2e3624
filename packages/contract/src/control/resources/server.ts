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
  /** The roles of this server: the parts of the service that it runs. */
  roles: string[];
  /** The URL with which URLs in responses begin. */
  publicUrl: string;
  /** An id that changes when the server process starts again. */
  instanceId: string;
  /** In the local profile: the seed's valid credentials, in plain text. Otherwise empty. */
  credentials: ControlCredential[];
}

/** The data to start with after a reset. */
export interface ResetInput {
  /** A seed, as in a seed file. Default: the seed with which the server started. */
  seed?: unknown;
}

/** A saved snapshot. */
export interface SavedSnapshot {
  /** The name of the snapshot. */
  name: string;
  /** When the snapshot was saved. */
  createdAt: string;
}

/** The resource with an id, and where the resource belongs. */
export interface FoundId {
  /** The id to find. */
  id: string;
  /** The kind of resource. */
  type: (typeof FOUND_TYPES)[number];
  /** The organization, if the resource is an organization or a workspace. Null for all other resources. */
  organizationId: string | null;
  /** The workspace that the resource belongs to. Null if the resource belongs to no workspace. */
  workspaceId: string | null;
  /**
   * The endpoint of a signing secret or a notification, the user of a token, or the user itself. Null for all other
   * resources.
   */
  parentId: string | null;
}
