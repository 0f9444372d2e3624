import type { ControlParameterName } from '../control/operation-types.ts';
import { SNAPSHOT_NAME } from '../control/values.ts';
import type { ParameterName } from '../derived-types.ts';

export type AnyParameter = ParameterName | ControlParameterName;

/** How messages and documents name the resource of each parameter. */
export const THINGS: Readonly<Record<AnyParameter, string>> = {
  organizationId: 'organization',
  workspaceId: 'workspace',
  userId: 'user',
  credentialId: 'credential',
  profileId: 'profile',
  deliveryId: 'webhook delivery',
  endpointId: 'webhook endpoint',
  eventId: 'event',
  requestId: 'request',
  faultId: 'fault',
  name: 'snapshot',
};

/** Returns the names of the parameters in a path, in order. */
export const parametersIn = <Name extends AnyParameter>(path: string): Name[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as Name);

export const describePathParameter = <Name extends AnyParameter>(
  name: Name,
  examples: Readonly<Record<Name, string>>,
): object => ({
  name,
  in: 'path',
  required: true,
  description: `${name === 'name' ? 'Name' : 'Id'} of the ${THINGS[name]}.`,
  schema: { type: 'string', ...(name === 'name' && { pattern: SNAPSHOT_NAME }) },
  example: examples[name],
});
