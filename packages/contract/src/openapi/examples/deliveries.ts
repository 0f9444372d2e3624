import type { EventType } from '../../event-catalog.ts';
import { WEBHOOK_HEADERS } from '../../headers.ts';
import type { WebhookDeliveryId } from '../../ids.ts';
import type { Event } from '../../resources/event.ts';
import type { WebhookDelivery, WebhookDeliveryDetail } from '../../resources/webhook-delivery.ts';
import { disabledEndpointId, webhookEndpoint, workspace } from './resources.ts';

const workspaceSubject = { id: workspace.id, type: 'workspace', url: `/v1/workspaces/${workspace.id}` } as const;

const evaluated = {
  id: 'evt_01KJMBQDE0AMWE11EW4001HFVR',
  type: 'lifecycle.evaluated',
  created: '2026-03-01T09:30:00.000Z',
  subject: workspaceSubject,
} satisfies Event;

const evaluatedNextDay = {
  id: 'evt_01KJPY44E0H9R0JJCDA8AQKBT2',
  type: 'lifecycle.evaluated',
  created: '2026-03-02T09:30:00.000Z',
  subject: workspaceSubject,
} satisfies Event;

const ping = {
  id: 'evt_01KJPYPEC0GPJ6JYWV5TRPN6D0',
  type: 'webhook.ping',
  created: '2026-03-02T09:40:00.000Z',
} satisfies Event;

const autoDisabled = {
  id: 'evt_01KJZZC3V052GAP3CJV717REH9',
  type: 'webhook.endpoint.auto_disabled',
  created: '2026-03-05T21:45:00.000Z',
  subject: {
    id: disabledEndpointId,
    type: 'webhook_endpoint',
    url: `/v1/webhooks/endpoints/${disabledEndpointId}`,
  },
} satisfies Event;

/** The events, newest first, as in the list of events. */
export const events = [autoDisabled, ping, evaluatedNextDay, evaluated] as const;

export interface SignedRequest {
  payload: Event;
  headers: Record<string, string>;
}

const attempt = (
  deliveryId: WebhookDeliveryId,
  payload: Event,
  signature: string,
  signedAt = payload.created,
): SignedRequest => ({
  payload,
  headers: {
    host: new URL(webhookEndpoint.url).host,
    // Every character is ASCII, so the number of characters is the number of bytes.
    'content-length': String(JSON.stringify(payload).length),
    'content-type': 'application/json',
    'user-agent': 'Workspace-Lifecycle-Service-Webhooks/1.0',
    [WEBHOOK_HEADERS.id]: deliveryId,
    [WEBHOOK_HEADERS.timestamp]: String(Math.floor(Date.parse(signedAt) / 1000)),
    [WEBHOOK_HEADERS.signature]: `v1,${signature}`,
  },
});

/** The first request for each event type. The signatures are made with `webhookSecret`, and a test checks them. */
export const signedRequests: Readonly<Record<EventType, SignedRequest>> = {
  'lifecycle.evaluated': attempt(
    'whd_01KJMBQDE0R55HQQACEHZBBDZA',
    evaluated,
    'hy5hvLxqcf3gPFVdpUTDyZXfvLyI70sa0DnXdvOLXj4=',
  ),
  'webhook.endpoint.auto_disabled': attempt(
    'whd_01KJZZC3V0RAGP61PWZRG6RGD1',
    autoDisabled,
    'gWZu7rK6DgNwvvyalILe6uasm2dLDZ9XkFwlXoOaV5w=',
  ),
  'webhook.ping': attempt('whd_01KJPYPEC04X3PM1C5ZCCPRCFN', ping, 'YScUmxA7+x/qKHCEtJDS7BfOgxqZLU1+sX6Fk9pS0Sc='),
};

/** The request of the delivery `delivered`, signed again on the next day. */
export const signedAgain = attempt(
  'whd_01KJMBQDE0R55HQQACEHZBBDZA',
  evaluated,
  '1Jy3z9XwPvCYYv+eA/YkK21Uo/QzWeEcMEZFGbkjlBs=',
  '2026-03-02T10:05:00.000Z',
);

export const pingDeliveryId = 'whd_01KJPYPEC04X3PM1C5ZCCPRCFN';

const sent = { workspaceId: workspace.id, endpointId: webhookEndpoint.id, attempt: 1 } as const;

export const delivered: WebhookDelivery = {
  ...sent,
  id: 'whd_01KJMBQDE0R55HQQACEHZBBDZA',
  eventId: evaluated.id,
  eventType: evaluated.type,
  status: 'success',
  createdAt: evaluated.created,
  deliveredAt: '2026-03-01T09:30:00.142Z',
  error: null,
  responseStatus: 200,
  responseTimeMs: 138,
};

/** The first attempt failed. The second attempt is due 5 minutes after the first attempt ended. */
export const retrying: WebhookDelivery = {
  ...sent,
  id: 'whd_01KJPY44E06JNZME3NHG8M1TKM',
  eventId: evaluatedNextDay.id,
  eventType: evaluatedNextDay.type,
  status: 'pending',
  createdAt: evaluatedNextDay.created,
  deliveredAt: null,
  error: 'HTTP 503',
  responseStatus: 503,
  responseTimeMs: 97,
};

const subject = { id: workspaceSubject.id, type: workspaceSubject.type };

export const deliveredDetail: WebhookDeliveryDetail = {
  ...delivered,
  nextAttemptAt: null,
  requestBody: evaluated,
  requestHeaders: signedRequests['lifecycle.evaluated'].headers,
  responseBody: '{"received":true}',
  responseHeaders: {
    date: 'Sun, 01 Mar 2026 09:30:00 GMT',
    'content-type': 'application/json',
    'content-length': '17',
  },
  subject,
};

export const retryingDetail: WebhookDeliveryDetail = {
  ...retrying,
  nextAttemptAt: '2026-03-02T09:35:00.101Z',
  requestBody: evaluatedNextDay,
  requestHeaders: attempt(retrying.id, evaluatedNextDay, 'pyL9LIQ3JR/MKTtjXqaSmiG5nH+62/S8M0XqLtTlDck=').headers,
  responseBody: 'Service Unavailable',
  responseHeaders: {
    date: 'Mon, 02 Mar 2026 09:30:00 GMT',
    'content-type': 'text/plain; charset=utf-8',
    'content-length': '19',
  },
  subject,
};

/** A replay of `retrying`, half an hour later. */
export const replay = { endpointId: webhookEndpoint.id, id: 'whd_01KJPZV280HND99XGEGVXVMMR5' } as const;
