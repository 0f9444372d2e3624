import type { FOUND_TYPES } from '../values.ts';
import type { ControlCredential } from './credentials.ts';

/** Facts about a server. */
export interface ServerInfo {
  /** Version of the package. */
  version: string;
  /** The profile that the server runs with. */
  profile: 'local' | 'strict';
  /** The database. */
  database: 'sqlite' | 'postgresql';
  /** The parts of the service that this server runs. */
  roles: string[];
  /** The base of the URLs in responses. */
  publicUrl: string;
  /** Identifies the process of the server. */
  instanceId: string;
  /** In the local profile: the seed's valid credentials, in plain text. Otherwise empty. */
  credentials: ControlCredential[];
}

/** The data to start again with. */
export interface ResetInput {
  /** A seed, as in a seed file. Default: the seed that the server started with. */
  seed?: unknown;
}

/** A saved snapshot. */
export interface SavedSnapshot {
  /** Its name. */
  name: string;
  /** When it was saved. */
  createdAt: string;
}

/** The resource of an id, and where it belongs. */
export interface FoundId {
  /** The id. */
  id: string;
  /** The kind of resource. */
  type: (typeof FOUND_TYPES)[number];
  /** The organization, if the id names one or a workspace in one. Null otherwise. */
  organizationId: string | null;
  /** The workspace that it belongs to. Null if there is none. */
  workspaceId: string | null;
  /** The endpoint of a signing secret or a notification. The user of a token, or the user itself. Null otherwise. */
  parentId: string | null;
}
