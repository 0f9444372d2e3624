import type { Identity, Open, Role } from '@svc/contract';
import type { Call } from '../call.ts';
import type { CallOptions } from '../options.ts';

/**
 * The caller's workspace, with the caller's role and permissions in it. An API key has no role. The service document
 * does not show this shape. This project defines the shape.
 *
 * {@includeCode ../../test/documented/resources.ts#me}
 */
export interface IdentityWorkspace<InRole extends Open<Role> | null = Open<Role> | null>
  extends Omit<NonNullable<Identity['workspace']>, 'role'> {
  role: InRole;
}

/**
 * The identity of an API key: the credential and its workspace. The service document does not show this shape.
 *
 * {@includeCode ../../test/documented/resources.ts#me}
 */
export interface ApiKeyIdentity extends Pick<Identity, 'credential'> {
  workspace: IdentityWorkspace<null>;
}

/**
 * The identity of a personal access token: the credential and its user. The service document does not show this shape.
 *
 * {@includeCode ../../test/documented/resources.ts#me}
 */
export interface UserIdentity extends Pick<Identity, 'credential'> {
  user: NonNullable<Identity['user']>;
}

/**
 * The identity of a personal access token inside one workspace: the credential, its user and the workspace. The service
 * document does not show this shape.
 *
 * {@includeCode ../../test/documented/resources.ts#me}
 */
export interface MemberIdentity extends UserIdentity {
  workspace: IdentityWorkspace<Open<Role>>;
}

/**
 * Operations on the caller's identity.
 *
 * {@includeCode ../../test/documented/resources.ts#me}
 */
export interface MeOperations<Caller = ApiKeyIdentity | UserIdentity | MemberIdentity> {
  /**
   * Retrieves the caller's identity. If the client uses an API key or acts inside a workspace, the identity includes
   * the workspace and the caller's permissions there.
   */
  retrieve(options?: CallOptions): Call<Caller>;
}
