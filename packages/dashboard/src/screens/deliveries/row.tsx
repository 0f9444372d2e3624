import type { WebhookDelivery } from '@svc/client';
import { DELIVERY_ATTEMPTS_MAX } from '@svc/contract';
import { shortenId, shortenUrl } from '../../format/text.ts';
import { deliveryUrl } from '../../routes.ts';
import { Status } from '../../ui/status.tsx';
import { Created } from '../../ui/time.tsx';

export const DELIVERY_COLUMNS = [
  ['status', 'Status'],
  ['type', 'Type'],
  ['endpoint', 'Endpoint'],
  ['attempt', 'Attempt'],
  ['response', 'Response'],
  ['time', 'Created'],
] as const;

/** Returns the text for the response to a delivery's last attempt, or a dash before the first attempt. */
export function responseText({
  responseStatus,
  error,
  attempt,
}: Pick<WebhookDelivery, 'responseStatus' | 'error' | 'attempt'>): string {
  // An attempt whose response was cut off has a status and an error.
  if (error !== null && error !== `HTTP ${responseStatus}`) return error.startsWith('Timed out') ? 'timed out' : error;
  if (responseStatus !== null) return String(responseStatus);
  return attempt === 0 ? '–' : '';
}

export const cellsClass = (ofOneEndpoint: boolean): string =>
  `cells delivery-cells ${ofOneEndpoint ? 'of-one-endpoint' : ''}`;

export function DeliveryCells({
  delivery,
  url,
  ofOneEndpoint,
  isGone,
}: {
  delivery: WebhookDelivery;
  url: string | undefined;
  /** True in a list of one endpoint's deliveries, whose rows do not show the endpoint. */
  ofOneEndpoint: boolean;
  isGone: boolean;
}) {
  return (
    <div class={`${cellsClass(ofOneEndpoint)} ${isGone ? 'is-gone' : ''}`}>
      <span role="cell" class="c-status">
        <Status value={delivery.status} />
      </span>
      <span role="cell" class="c-type">
        <a class="row-link" href={deliveryUrl(delivery.workspaceId, delivery.id)}>
          {delivery.eventType}
          <span class="hidden-visually">, {delivery.id}</span>
        </a>
      </span>
      {!ofOneEndpoint && (
        <span role="cell" class="c-endpoint" title={url ?? delivery.endpointId}>
          {url ? shortenUrl(url) : shortenId(delivery.endpointId)}
        </span>
      )}
      <span role="cell" class="c-attempt num">
        {delivery.attempt}
        <span class="quiet">/{DELIVERY_ATTEMPTS_MAX}</span>
      </span>
      <span role="cell" class="c-response num" title={delivery.error ?? undefined}>
        {responseText(delivery)}
        {delivery.responseTimeMs !== null && <span class="quiet"> {delivery.responseTimeMs} ms</span>}
      </span>
      <span role="cell" class="c-time">
        <Created at={delivery.createdAt} />
      </span>
    </div>
  );
}
