import { useState } from 'preact/hooks';
import { useEndpointStates, useEndpoints } from '../../data/endpoints.ts';
import { useActor } from '../../data/tenants.ts';
import { shortenUrl } from '../../format/text.ts';
import { endpointUrl } from '../../routes.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Notice } from '../../ui/empty-state.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { SkeletonRows } from '../../ui/rows.tsx';
import { ScreenHead } from '../../ui/screen-head.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { useTitle } from '../../ui/title.ts';
import { Failure } from '../failure.tsx';
import { EndpointMark } from './endpoint-mark.tsx';
import { StateText } from './state-text.tsx';

const RegisterEndpoint = lazy(async () => (await import('./register.tsx')).RegisterEndpoint);

export function WebhooksScreen({ workspaceId }: ScreenProps) {
  const { data: endpoints, error, staleSince } = useEndpoints(workspaceId);
  const { data: states } = useEndpointStates(workspaceId);
  const [isRegistering, setRegistering] = useState(false);
  const why = useActor(workspaceId).why('workspace:developer:write');
  const failing = [...(states?.values() ?? [])].filter((state) => state.active && state.consecutiveFailures > 0).length;
  useTitle(failing > 0 ? `${failing} failing · Webhooks` : 'Webhooks', workspaceId);
  if (error) return <Failure error={error} what="list" />;
  return (
    <div class={`screen ${staleSince ? 'stale' : ''}`}>
      <ScreenHead title="Webhooks">
        <ActionButton icon="plus" class="primary" why={why} onClick={() => setRegistering(true)}>
          Register endpoint
        </ActionButton>
      </ScreenHead>
      {endpoints?.length === 0 ? (
        <Notice
          title="No endpoints yet"
          text="Register the URL of a receiver. The service then POSTs signed events to this URL."
        />
      ) : (
        <table class="plain endpoints">
          <TableHead columns={['Status', 'Endpoint', 'Subscribes to', 'Activity']} />
          <tbody>
            {endpoints?.map(({ id, url, active, description, subscribedEvents }) => {
              const state = states?.get(id);
              return (
                <tr key={id}>
                  <td>
                    <EndpointMark active={active} state={state} />
                  </td>
                  <td>
                    <a class="row-link" href={endpointUrl(workspaceId, id)} title={url}>
                      {shortenUrl(url)}
                    </a>
                    {description && <small title={description}>{description}</small>}
                  </td>
                  <td>
                    <code>{subscribedEvents.join(', ')}</code>
                  </td>
                  <td>
                    <StateText state={state} />
                  </td>
                </tr>
              );
            }) ?? (
              <tr>
                <td colSpan={4}>
                  <SkeletonRows count={3} columns={4} />
                </td>
              </tr>
            )}
          </tbody>
        </table>
      )}
      {isRegistering && <RegisterEndpoint workspaceId={workspaceId} onClose={() => setRegistering(false)} />}
    </div>
  );
}
