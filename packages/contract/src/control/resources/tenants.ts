import type { Role, WorkspaceOverride } from '../../permissions.ts';

/** An organization of the service. */
export interface ControlOrganization {
  /** Id of the organization. */
  id: string;
  /** Short name for URLs. */
  slug: string;
  /** Display name. */
  name: string;
  /** Absolute URL of a picture, or null. */
  logo: string | null;
}

/** A user of the service. */
export interface ControlUser {
  /** Id of the user. */
  id: string;
  /** The email address. Each user has a different address. */
  email: string;
  /** Display name. */
  name: string;
}

/** A new organization. */
export interface CreateOrganizationInput {
  /** Display name: 1 to 120 characters, counted after white space at both ends is removed. */
  name: string;
  /** Short name for URLs. Default: a short name derived from the name. */
  slug?: string | undefined;
  /** Absolute URL of a picture. Default: null. */
  logo?: string | null | undefined;
}

/** A new workspace in an organization. Omitted fields have the service's defaults. */
export interface CreateWorkspaceInput {
  /** The organization that owns the workspace. */
  organizationId: string;
  /** Display name: 1 to 120 characters, counted after white space at both ends is removed. */
  name: string;
  /** Short name for URLs, unique within the organization. Default: a short name derived from the name. */
  slug?: string | undefined;
  /** Absolute URL of a picture. Default: null. */
  image?: string | null | undefined;
  /** IANA time zone that determines when a day begins. Default: null, which means UTC. */
  timezone?: string | null | undefined;
  /** The first day of the week, from 0 (Sunday) to 6 (Saturday). Default: null, which means Monday. */
  weekStartsOn?: number | null | undefined;
}

/** A new user. */
export interface CreateUserInput {
  /** The email address. No other user may have the same address. */
  email: string;
  /** Display name: 1 to 120 characters, counted after white space at both ends is removed. */
  name: string;
}

/** The role of a user in an organization. */
export interface OrganizationRoleInput {
  /** The new role. Null removes the user from the organization, and removes the user's overrides in its workspaces. */
  role: Role | null;
}

/** The role of a member in one workspace. */
export interface WorkspaceOverrideInput {
  /** The new role. `None` denies access. Null removes the override. */
  role: WorkspaceOverride | null;
}

/** A workspace in the list of its organization. */
export interface OrganizationWorkspace {
  /** Id of the workspace. */
  id: string;
  /** Short name for URLs. Unique within the organization. */
  slug: string;
  /** Display name. */
  name: string;
  /** Absolute URL of a picture, or null. */
  image: string | null;
  /** IANA time zone that determines when a day begins. Null means UTC. */
  timezone: string | null;
  /** The first day of the week, from 0 (Sunday) to 6 (Saturday). Null means Monday. */
  weekStartsOn: number | null;
}

/** An organization with its first workspaces. */
export interface OrganizationItem extends ControlOrganization {
  /** When the organization was created. */
  createdAt: string;
  /** The first 100 workspaces, ordered by slug. */
  workspaces: OrganizationWorkspace[];
  /** Whether the organization has more than these 100 workspaces. */
  moreWorkspaces: boolean;
}

/** A member of an organization, with the member's role. */
export interface OrganizationMember {
  /** The user. */
  user: ControlUser;
  /** The role in the organization. */
  role: string;
  /** The overrides: roles in individual workspaces of the organization. */
  overrides: {
    /** The workspace. */
    workspaceId: string;
    /** The role in this workspace. `None` denies access. */
    role: string;
  }[];
}
