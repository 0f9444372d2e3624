import type { Identity } from '@svc/contract';
import type { Call } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { Sender } from '../sender.ts';

/**
 * Who is calling.
 *
 * {@includeCode ../../test/documented/resources.ts#me}
 */
export interface MeOperations {
  /** Tells whose credential this is; with an API key or inside a workspace, also the workspace and the permissions there. */
  retrieve(options?: CallOptions): Call<Identity>;
}

/** The operations on the caller. */
export function meOperations({ bind }: Sender): MeOperations {
  return { retrieve: bind('GET', '/v1/me') };
}
