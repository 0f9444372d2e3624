import type { ParameterName } from '../../derived-types.ts';
import type { Bodies, Queries } from '../../operation-types.ts';
import { delivered } from './deliveries.ts';
import { updatedWorkspace, webhookEndpoint } from './resources.ts';

/** The token of each list's second page. */
export const pageTokens = {
  deliveries: 'GKw-c0PwFokMUQ6T-TUmES5uLndoZF8wMUtKTUJRREUwUjU1SFFRQUNFSFpCQkRaQQ',
  events: 'P3m7e0NbBTIWUdrv03TNxi5uLmV2dF8wMUtKUFlQRUMwR1BKNkpZV1Y1VFJQTjZEMA',
} as const;

const list = { limit: 2, page: pageTokens.deliveries };
const { name, slug, timezone, weekStartsOn } = updatedWorkspace;
const { url, subscribedEvents, description, apiVersion, active } = webhookEndpoint;

/** Each value is a sample for its own parameter, so the values need not make sense together. */
export const queryExamples: { readonly [Name in keyof Queries]: Required<Queries[Name]> } = {
  ListQuery: list,
  ListOrganizationsQuery: { ...list, expand: 'workspaces' },
  SearchListQuery: { ...list, q: 'lina', type: 'profile' },
  ListWebhookDeliveriesPageQuery: {
    ...list,
    endpointId: delivered.endpointId,
    status: 'failed',
    eventType: delivered.eventType,
    createdFrom: '2026-03-01T00:00:00Z',
    createdTo: '2026-03-02T23:59:59.999+01:00',
  },
  ListEventsPageQuery: {
    ...list,
    page: pageTokens.events,
    type: delivered.eventType,
    subjectType: 'workspace',
    subjectId: delivered.workspaceId,
  },
};

export const pathExamples = {
  workspaceId: delivered.workspaceId,
  endpointId: delivered.endpointId,
  deliveryId: delivered.id,
  eventId: delivered.eventId,
} as const satisfies Record<ParameterName, string>;

/** Each sample has all fields of its body. */
export const bodyExamples: { readonly [Name in keyof Bodies]: Required<Bodies[Name]> } = {
  UpdateWorkspaceBody: { name, slug, timezone, weekStartsOn },
  CreateWebhookEndpointBody: { url, subscribedEvents, description, apiVersion },
  UpdateWebhookEndpointBody: { url, subscribedEvents, description, apiVersion, active },
};
