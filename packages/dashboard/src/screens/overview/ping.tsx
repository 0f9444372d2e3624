import type { WebhookEndpoint } from '@svc/client';
import { useState } from 'preact/hooks';
import { actingUserId, clientOf } from '../../data/acting.ts';
import { useQuery } from '../../data/query.ts';
import { messageOf } from '../../data/server-error.ts';
import { shortenUrl } from '../../format/text.ts';
import { deliveryUrl } from '../../routes.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';

export function Ping({
  workspaceId,
  endpoint,
  why,
}: {
  workspaceId: string;
  endpoint: WebhookEndpoint | undefined;
  why: string | undefined;
}) {
  const [deliveryId, setDeliveryId] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const { data: delivery } = useQuery(
    deliveryId && `delivery ${workspaceId} ${deliveryId} ${actingUserId.value}`,
    async () => await clientOf(workspaceId).webhooks.deliveries.retrieve(deliveryId ?? ''),
    ['deliveries'],
  );
  const ping = async () => {
    if (!endpoint) return;
    try {
      setDeliveryId((await clientOf(workspaceId).webhooks.endpoints.sendTestEvent(endpoint.id)).deliveryId);
      setProblem(undefined);
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const reason = why ?? (endpoint ? undefined : 'Register an endpoint first');
  return (
    <>
      <ActionButton icon="events" class="primary" why={reason} onClick={ping}>
        Ping {endpoint ? shortenUrl(endpoint.url) : 'the endpoint'}
      </ActionButton>
      {problem && <Problem>{problem}</Problem>}
      {deliveryId && (
        <p class="row wrap" role="status">
          {delivery ? <Status value={delivery.status} /> : <span class="skeleton" />}
          {delivery?.error && <span class="quiet">{delivery.error}</span>}
          <a href={deliveryUrl(workspaceId, deliveryId)}>Open the delivery</a>
        </p>
      )}
    </>
  );
}
