import type { FoundId } from '@svc/mock-server/control';
import { actingUserId, clientOf } from '../../data/acting.ts';
import { control } from '../../data/control.ts';
import { useEndpoints } from '../../data/endpoints.ts';
import { useQuery } from '../../data/query.ts';
import { statusOf } from '../../data/server-error.ts';
import { tenantsOf, useOrganizations } from '../../data/tenants.ts';
import { shortenId, shortenUrl } from '../../format/text.ts';
import { inWorkspace } from '../../routes.ts';
import { TriggerSnippets } from '../events/trigger-snippets.tsx';
import type { DeliveryFilters } from './filters.tsx';

/** Why a list of deliveries is empty, and what to do. */
export function NoDeliveries({ workspaceId, filters }: { workspaceId: string; filters: DeliveryFilters }) {
  const { data: endpoints } = useEndpoints(workspaceId);
  const { endpointId, createdFrom, createdTo } = filters;
  const isFiltered = Object.keys(filters).length > 0;
  const { data: latest } = useQuery(
    endpointId && `latest of ${workspaceId} ${endpointId} ${actingUserId.value}`,
    async () => await clientOf(workspaceId).webhooks.deliveries.list({ endpointId: endpointId as never, limit: 1 }),
    ({ deliveries }) => deliveries !== undefined,
  );
  if (endpoints === undefined || (endpointId !== undefined && latest === undefined)) return null;
  if (!isFiltered) return <NoneYet workspaceId={workspaceId} hasEndpoints={endpoints.length > 0} />;
  const endpoint = endpoints.find(({ id }) => id === endpointId);
  if (endpointId !== undefined && latest?.data.length === 0) {
    return endpoint ? (
      <div class="notice in-list">
        <h2>No deliveries to {shortenUrl(endpoint.url)} yet</h2>
        <p>
          {endpoint.active
            ? 'Ping the endpoint, or trigger an event that it subscribes to.'
            : 'It is inactive. Enable it: an inactive endpoint receives nothing.'}
        </p>
      </div>
    ) : (
      <UnknownEndpoint workspaceId={workspaceId} endpointId={endpointId} />
    );
  }
  const isReversed =
    createdFrom !== undefined && createdTo !== undefined && Date.parse(createdFrom) > Date.parse(createdTo);
  return (
    <div class="notice in-list">
      <h2>No delivery matches</h2>
      <p>
        {isReversed
          ? '“Created from” is later than “Created to”, so nothing can match.'
          : 'Nothing in this workspace matches all of these filters.'}
      </p>
      <RemoveFilters workspaceId={workspaceId} />
    </div>
  );
}

function NoneYet({ workspaceId, hasEndpoints }: { workspaceId: string; hasEndpoints: boolean }) {
  return (
    <div class="notice in-list">
      <h2>No deliveries yet</h2>
      <p>An event becomes a delivery for each active endpoint that subscribes to its type.</p>
      {hasEndpoints ? (
        <TriggerSnippets workspaceId={workspaceId} />
      ) : (
        <a class="button" href={inWorkspace(workspaceId)}>
          Set up an endpoint
        </a>
      )}
    </div>
  );
}

/** A filter by an endpoint that this workspace does not have: whose it is, if anybody's. */
function UnknownEndpoint({ workspaceId, endpointId }: { workspaceId: string; endpointId: string }) {
  const { data: organizations } = useOrganizations();
  const { data: found } = useQuery(`place of ${endpointId}`, async () => {
    try {
      return await control<FoundId>('GET', '/find', { query: { id: endpointId } });
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw error;
    }
  });
  if (found === undefined) return null;
  const other = tenantsOf(organizations ?? []).find(({ workspace }) => workspace.id === found?.workspaceId);
  const id = (
    <code title={endpointId} class="breaking">
      {shortenId(endpointId)}
    </code>
  );
  return (
    <div class="notice in-list">
      <h2>This workspace has no such endpoint</h2>
      {found?.type === 'webhook_endpoint' && found.workspaceId ? (
        <>
          <p>
            {id} belongs to {other ? `${other.organization.name} / ${other.workspace.name}` : 'another workspace'}.
          </p>
          <a class="button" href={inWorkspace(found.workspaceId, 'deliveries', { endpointId })}>
            Show its deliveries there
          </a>
        </>
      ) : (
        <>
          <p>No endpoint has the id {id}. It may be mistyped, or the endpoint was deleted before anything was sent.</p>
          <RemoveFilters workspaceId={workspaceId} />
        </>
      )}
    </div>
  );
}

const RemoveFilters = ({ workspaceId }: { workspaceId: string }) => (
  <a class="button" href={inWorkspace(workspaceId, 'deliveries')}>
    Remove all filters
  </a>
);
