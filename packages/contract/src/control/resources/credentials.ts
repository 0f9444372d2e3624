import type { CredentialKind } from '../../credentials.ts';

/**
 * A new credential: an API key of one workspace, or a personal access token of one user. By default, the credential is
 * a test credential.
 */
export type CreateCredentialInput = {
  /** If true, the call creates a test credential. The prefix of a test credential ends with `test_`. Default: true. */
  test?: boolean | undefined;
  /** A name of 1 to 120 characters, for lists of credentials. Default: no name. */
  name?: string | undefined;
} & (
  | {
      /** The kind of credential. */
      kind: 'api_key';
      /** The workspace of an API key. */
      workspaceId: string;
    }
  | {
      /** The kind of credential. */
      kind: 'personal_access_token';
      /** The user whom the token represents. */
      userId: string;
    }
);

/** A new credential in plain text. The plain text is returned only once. */
export interface CreatedCredential {
  /** Id of the credential. */
  id: string;
  /** The credential in plain text. */
  credential: string;
}

/** A credential in plain text. */
export interface ControlCredential {
  /** The kind of credential. */
  kind: CredentialKind;
  /** The name of the credential in the seed. */
  name: string;
  /** The credential in plain text. */
  credential: string;
  /** The workspace of an API key. Null for a personal access token. */
  workspaceId: string | null;
  /**
   * For a personal access token, the user's role in the user's first organization. Null for an API key, or if the user
   * is in no organization.
   */
  role: string | null;
}

/** An API key or a personal access token, without the credential itself. */
export interface CredentialItem {
  /** Id of the credential. */
  id: string;
  /** The kind of credential. */
  kind: string;
  /** The name of the credential, or null if it has no name. */
  name: string | null;
  /** Whether the credential is a test credential. */
  test: boolean;
  /** When the credential was created. */
  createdAt: string;
}

/** The credentials to list. Send exactly one of the fields. */
export interface CredentialOwner {
  /** Lists the API keys of this workspace. */
  workspaceId?: string | undefined;
  /** Lists the personal access tokens of this user. */
  userId?: string | undefined;
}

/**
 * A new session for the dashboard. The session acts as a user, as an API key of a workspace, or as the administrator.
 * In responses to requests with this session, URLs begin with `baseUrl`. A call that creates a session with `admin`
 * must contain the admin token.
 */
export type CreateSessionInput =
  | {
      /** The session acts as this user. */
      userId: string;
      /** The base URL at which the dashboard calls this server. */
      baseUrl: string;
    }
  | {
      /** The session acts as an API key of this workspace. */
      workspaceId: string;
      /** The base URL at which the dashboard calls this server. */
      baseUrl: string;
    }
  | {
      /** For 8 hours, the session can be used instead of the admin token. */
      admin: true;
    };

/** The credential of a new session for the dashboard. */
export interface SessionCredential {
  /** The credential in plain text. */
  credential: string;
  /** When the credential expires, on the real clock. */
  expiresAt: string;
}
