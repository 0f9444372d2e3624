/** Facts about a server. */
export interface ServerInfo {
  version: string;
  profile: 'local' | 'strict';
  database: 'sqlite' | 'postgresql';
  roles: string[];
  publicUrl: string;
  /** Identifies the process. */
  instanceId: string;
  /** In the local profile: the seed's valid credentials, in plain text. Otherwise empty. */
  credentials: {
    kind: string;
    name: string;
    credential: string;
    workspaceId: string | null;
    role: string | null;
  }[];
}

/** A credential of the dashboard's page. */
export interface SessionCredential {
  credential: string;
  /** On the real clock. */
  expiresAt: string;
}
