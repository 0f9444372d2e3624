import type { Identity, Open, Role } from '@svc/contract';
import type { Call } from '../call.ts';
import type { CallOptions } from '../options.ts';

/**
 * The workspace that a caller is in, with the caller's role and permissions there. An API key has no role.
 *
 * {@includeCode ../../test/documented/resources.ts#me}
 */
export interface IdentityWorkspace<InRole extends Open<Role> | null = Open<Role> | null>
  extends Omit<NonNullable<Identity['workspace']>, 'role'> {
  role: InRole;
}

/**
 * An API key, which is bound to one workspace.
 *
 * {@includeCode ../../test/documented/resources.ts#me}
 */
export interface ApiKeyIdentity extends Pick<Identity, 'credential'> {
  workspace: IdentityWorkspace<null>;
}

/**
 * The user of a personal access token.
 *
 * {@includeCode ../../test/documented/resources.ts#me}
 */
export interface UserIdentity extends Pick<Identity, 'credential'> {
  user: NonNullable<Identity['user']>;
}

/**
 * The user of a personal access token, inside one workspace.
 *
 * {@includeCode ../../test/documented/resources.ts#me}
 */
export interface MemberIdentity extends UserIdentity {
  workspace: IdentityWorkspace<Open<Role>>;
}

/**
 * Who is calling.
 *
 * {@includeCode ../../test/documented/resources.ts#me}
 */
export interface MeOperations<Caller = ApiKeyIdentity | UserIdentity | MemberIdentity> {
  /** Retrieves whose credential this is. With an API key or inside a workspace, also the workspace and the permissions there. */
  retrieve(options?: CallOptions): Call<Caller>;
}
