import { useState } from 'preact/hooks';
import { useEndpointStates, useEndpoints } from '../../data/endpoints.ts';
import { useActor } from '../../data/tenants.ts';
import { shortenUrl } from '../../format/text.ts';
import { endpointUrl } from '../../routes.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { SkeletonRows } from '../../ui/rows.tsx';
import { useTitle } from '../../ui/title.ts';
import { Failure } from '../not-found.tsx';
import { EndpointMark } from './endpoint-mark.tsx';
import { StateText } from './state-text.tsx';

const RegisterEndpoint = lazy(async () => (await import('./register.tsx')).RegisterEndpoint);

/** The workspace's endpoints, and their health. */
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
      <header class="screen-head">
        <h1>Webhooks</h1>
        <div class="actions">
          <ActionButton class="primary" why={why} onClick={() => setRegistering(true)}>
            <Icon name="plus" size={14} />
            Register endpoint
          </ActionButton>
        </div>
      </header>
      {endpoints?.length === 0 ? (
        <div class="notice in-list">
          <h2>No endpoints yet</h2>
          <p>Register the URL of a receiver. The service then POSTs signed events to it.</p>
        </div>
      ) : (
        <table class="plain endpoints">
          <thead>
            <tr>
              <th>Status</th>
              <th>Endpoint</th>
              <th>Subscribes to</th>
              <th>Activity</th>
            </tr>
          </thead>
          {endpoints ? (
            <tbody>
              {endpoints.map(({ id, url, active, description, subscribedEvents }) => {
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
              })}
            </tbody>
          ) : (
            <tbody>
              <tr>
                <td colSpan={4}>
                  <SkeletonRows count={3} columns={4} />
                </td>
              </tr>
            </tbody>
          )}
        </table>
      )}
      {isRegistering && <RegisterEndpoint workspaceId={workspaceId} onClose={() => setRegistering(false)} />}
    </div>
  );
}
