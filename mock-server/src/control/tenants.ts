/** A workspace, as an item of its organization. */
export interface OrganizationWorkspace {
  id: string;
  slug: string;
  name: string;
  image: string | null;
  timezone: string | null;
  weekStartsOn: number | null;
}

/** An organization with its first workspaces. */
export interface OrganizationItem {
  id: string;
  slug: string;
  name: string;
  logo: string | null;
  createdAt: string;
  /** The first 100 by slug. */
  workspaces: OrganizationWorkspace[];
  moreWorkspaces: boolean;
}

/** A user of the service. */
export interface UserItem {
  id: string;
  email: string;
  name: string;
}

/** A member of an organization with their role. */
export interface OrganizationMember {
  user: UserItem;
  role: string;
  /** Roles in single workspaces of the organization. `None` denies access. */
  overrides: { workspaceId: string; role: string }[];
}

/** What an id belongs to. */
export interface FoundId {
  id: string;
  type:
    | 'organization'
    | 'workspace'
    | 'user'
    | 'webhook_endpoint'
    | 'webhook_secret'
    | 'webhook_delivery'
    | 'event'
    | 'profile'
    | 'api_key'
    | 'personal_access_token'
    | 'notification'
    | 'evaluation'
    | 'fault'
    | 'request';
  organizationId: string | null;
  workspaceId: string | null;
  /** The endpoint of a signing secret or a notification, or the user of a token. */
  parentId: string | null;
}
