import type { WebhookEndpoint } from '@svc/client';
import { useState } from 'preact/hooks';
import { useEndpoints, useEventTypes } from '../../data/endpoints.ts';
import { shortenUrl } from '../../format/text.ts';
import { endpointUrl } from '../../routes.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { ScreenHead } from '../../ui/screen-head.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { useTitle } from '../../ui/title.ts';
import { TriggerDialog } from '../events/trigger.tsx';
import { Failure } from '../failure.tsx';
import { covers } from '../webhooks/subscription.ts';

export function EventTypesScreen({ workspaceId }: ScreenProps) {
  const { data: types, error } = useEventTypes(workspaceId);
  const { data: endpoints = [] } = useEndpoints(workspaceId);
  const [triggered, setTriggered] = useState<string>();
  useTitle('Event types', workspaceId);
  if (error) return <Failure error={error} what="list" />;
  return (
    <div class="screen">
      <ScreenHead title="Event types" />
      <table class="plain types">
        <TableHead columns={['Type', 'Category', 'Subscribed by']} hasActions />
        <tbody>
          {types?.map(({ type, category, description }) => (
            <tr key={type}>
              <td>
                <code>{type}</code>
                <small>{description}</small>
              </td>
              <td data-label="Category">{category}</td>
              <td data-label="Subscribed by">
                <Subscribers workspaceId={workspaceId} endpoints={endpoints} type={type} />
              </td>
              <td class="end">
                <button type="button" class="small" onClick={() => setTriggered(type)}>
                  Trigger<span class="hidden-visually"> {type}</span>
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {triggered && (
        <TriggerDialog workspaceId={workspaceId} type={triggered} onClose={() => setTriggered(undefined)} />
      )}
    </div>
  );
}

function Subscribers({
  workspaceId,
  endpoints,
  type,
}: {
  workspaceId: string;
  endpoints: readonly WebhookEndpoint[];
  type: string;
}) {
  const subscribed = endpoints.filter((endpoint) => covers(endpoint.subscribedEvents, type));
  if (subscribed.length === 0) return <span class="quiet">no endpoint</span>;
  return (
    <ul>
      {subscribed.map((endpoint) => (
        <li key={endpoint.id}>
          <a href={endpointUrl(workspaceId, endpoint.id)}>{shortenUrl(endpoint.url)}</a>
        </li>
      ))}
    </ul>
  );
}
