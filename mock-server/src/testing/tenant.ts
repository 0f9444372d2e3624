import type { OrganizationId, WorkspaceId } from '@svc/contract';
import { checkOptionNames } from '../config/config.ts';
import type { ControlClient } from '../control-client/client.ts';

/** Options for a test's workspace. */
export interface TenantOptions {
  /** The workspace's name. Default: `Test workspace`. */
  name?: string | undefined;
  /** The workspace's IANA time zone. Default: null (UTC). */
  timezone?: string | null | undefined;
  /** The first day of the week, from 0 (Sunday) to 6 (Saturday). Default: null (Monday). */
  weekStartsOn?: number | null | undefined;
}

/** A workspace in a separate organization, with an Owner and credentials. No other test sees the workspace's data. */
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

export async function createTenant(control: ControlClient, options: TenantOptions = {}): Promise<Tenant> {
  checkOptionNames(options, ['name', 'timezone', 'weekStartsOn']);
  const { name = 'Test workspace', timezone, weekStartsOn } = options;
  const { organization } = await control.createOrganization({ name: 'Test organization' });
  const organizationId = organization.id as OrganizationId;
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
