import { ID_PREFIXES } from '@svc/contract';
import { findPlaceOfId, type KindOfId } from '../../storage/statements/ids.ts';
import { notFound } from '../errors.ts';
import type { ControlHandlers } from './operation.ts';

const KINDS: readonly (readonly [prefix: string, type: KindOfId])[] = [
  [ID_PREFIXES.organization, 'organization'],
  [ID_PREFIXES.workspace, 'workspace'],
  [ID_PREFIXES.user, 'user'],
  [ID_PREFIXES.webhookEndpoint, 'webhook_endpoint'],
  [ID_PREFIXES.webhookSecret, 'webhook_secret'],
  [ID_PREFIXES.webhookDelivery, 'webhook_delivery'],
  [ID_PREFIXES.event, 'event'],
  [ID_PREFIXES.profile, 'profile'],
  [ID_PREFIXES.apiKey, 'api_key'],
  [ID_PREFIXES.personalAccessToken, 'personal_access_token'],
  [ID_PREFIXES.notification, 'notification'],
  ['evl_', 'evaluation'],
];

export const findHandlers = {
  async find({ services, query: { id } }) {
    const [, type] = KINDS.find(([prefix]) => id.startsWith(prefix)) ?? [];
    const place = type && (await services.storage.read((queries) => findPlaceOfId(queries, type, id)));
    if (place) return { id, type, ...place };
    const nowhere = { organizationId: null, workspaceId: null, parentId: null };
    if ((await services.faults.list()).some((fault) => fault.id === id)) return { id, type: 'fault', ...nowhere };
    if (!services.receivedRequests.find(id)) throw notFound('id', id);
    return { id, type: 'request', ...nowhere };
  },
} satisfies Partial<ControlHandlers>;
