import type { ParameterName } from './derived-types.ts';
import type { IdKind } from './ids.ts';

/** The kind of id that each path parameter accepts. */
export const PARAMETER_KINDS = {
  workspaceId: 'workspace',
  endpointId: 'webhookEndpoint',
  deliveryId: 'webhookDelivery',
  eventId: 'event',
} as const satisfies Record<ParameterName, IdKind>;
