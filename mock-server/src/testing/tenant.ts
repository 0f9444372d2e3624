import type { OrganizationId, WorkspaceId } from '@svc/contract';
import type { ControlClient } from '../control-client/client.ts';

/** What a test's own workspace may be told. */
export interface TenantOptions {
  /** The workspace's name; `Test workspace` by default. */
  name?: string | undefined;
  /** An IANA time zone; null (UTC) by default. */
  timezone?: string | null | undefined;
  /** 0 (Sunday) to 6 (Saturday); null (Monday) by default. */
  weekStartsOn?: number | null | undefined;
}

/** A workspace in an organization of its own, with an Owner and credentials. No other test sees its rows. */
export interface Tenant {
  organizationId: OrganizationId;
  workspaceId: WorkspaceId;
  /** The Owner of the organization. */
  userId: string;
  /** An API key of the workspace. */
  apiKey: string;
  /** A personal access token of the Owner. */
  accessToken: string;
}

/** Creates a tenant that shares nothing with others. */
export async function createTenant(
  control: ControlClient,
  { name = 'Test workspace', timezone, weekStartsOn }: TenantOptions = {},
): Promise<Tenant> {
  const { organization } = await control.createOrganization({ name: 'Test organization' });
  const organizationId = organization.id as OrganizationId;
  // Unique, because the id is.
  const email = `owner.${organizationId.toLowerCase()}@example.test`;
  const [{ workspace }, { user }] = await Promise.all([
    control.createWorkspace({ organizationId, name, timezone, weekStartsOn }),
    control.createUser({ email, name: 'Test owner' }),
  ]);
  const [apiKey, accessToken] = await Promise.all([
    control.createCredential({ kind: 'api_key', workspaceId: workspace.id }),
    control.createCredential({ kind: 'personal_access_token', userId: user.id }),
    control.setOrganizationRole({ organizationId, userId: user.id, role: 'Owner' }),
  ]);
  return {
    organizationId,
    workspaceId: workspace.id,
    userId: user.id,
    apiKey: apiKey.credential,
    accessToken: accessToken.credential,
  };
}
