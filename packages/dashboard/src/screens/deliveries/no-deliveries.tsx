import { useState } from 'preact/hooks';
import { actingUserId, clientOf } from '../../data/acting.ts';
import { useEndpoints } from '../../data/endpoints.ts';
import { useQuery } from '../../data/query.ts';
import { placeName, useFound, useOrganizations } from '../../data/tenants.ts';
import { shortenId, shortenUrl } from '../../format/text.ts';
import { inWorkspace } from '../../routes.ts';
import { Notice, RemoveFilters } from '../../ui/empty-state.tsx';
import { TriggerSnippets } from '../events/trigger-snippets.tsx';
import type { DeliveryFilters } from './filters.tsx';

export function NoDeliveries({
  workspaceId,
  filters,
  unfiltered,
}: {
  workspaceId: string;
  filters: DeliveryFilters;
  /** The URL of the same list without filters. */
  unfiltered: string;
}) {
  const { data: endpoints } = useEndpoints(workspaceId);
  const { endpointId, createdFrom, createdTo } = filters;
  const isFiltered = Object.keys(filters).length > 0;
  const { data: latest } = useQuery(
    endpointId && `latest of ${workspaceId} ${endpointId} ${actingUserId.value}`,
    async () => await clientOf(workspaceId).webhooks.deliveries.list({ endpointId, limit: 1 }),
    ['deliveries'],
  );
  if (endpoints === undefined || (endpointId !== undefined && latest === undefined)) return null;
  if (!isFiltered) return <NoneYet workspaceId={workspaceId} hasEndpoints={endpoints.length > 0} />;
  const endpoint = endpoints.find(({ id }) => id === endpointId);
  if (endpointId !== undefined && latest?.data.length === 0) {
    return endpoint ? (
      <Notice
        title={`No deliveries to ${shortenUrl(endpoint.url)} yet`}
        text={
          endpoint.active
            ? 'Ping the endpoint, or trigger an event that it subscribes to.'
            : 'The endpoint is inactive, so it receives nothing. To receive deliveries, enable the endpoint.'
        }
      />
    ) : (
      <UnknownEndpoint endpointId={endpointId} unfiltered={unfiltered} />
    );
  }
  const isReversed =
    createdFrom !== undefined && createdTo !== undefined && Date.parse(createdFrom) > Date.parse(createdTo);
  return (
    <Notice
      title="No delivery matches"
      text={
        isReversed
          ? '“Created from” is later than “Created to”, so no delivery can match.'
          : 'No delivery in this workspace matches all of these filters.'
      }
    >
      <RemoveFilters unfiltered={unfiltered} />
    </Notice>
  );
}

function NoneYet({ workspaceId, hasEndpoints }: { workspaceId: string; hasEndpoints: boolean }) {
  return (
    <Notice
      title="No deliveries yet"
      text="An event becomes a delivery for each active endpoint that subscribes to its type."
    >
      {hasEndpoints ? (
        <TriggerSnippets workspaceId={workspaceId} />
      ) : (
        <a class="button" href={inWorkspace(workspaceId)}>
          Set up an endpoint
        </a>
      )}
    </Notice>
  );
}

/** Says that this workspace has no endpoint with this id, and offers to search all workspaces for the endpoint. */
function UnknownEndpoint({ endpointId, unfiltered }: { endpointId: string; unfiltered: string }) {
  const [isLooking, setLooking] = useState(false);
  const { data: organizations } = useOrganizations();
  const found = useFound(isLooking ? endpointId : undefined);
  const owner = found?.type === 'webhook_endpoint' ? found.workspaceId : null;
  const place = placeName(organizations, owner) ?? 'another workspace';
  const id = <code title={endpointId}>{shortenId(endpointId)}</code>;
  return (
    <div class="notice in-list">
      <h2>No delivery matches</h2>
      {owner ? (
        <p>
          The endpoint {id} belongs to {place}.
        </p>
      ) : found === null ? (
        <p>No workspace has the endpoint {id}. The id may be mistyped, or the endpoint was deleted.</p>
      ) : (
        <p>
          This workspace has no endpoint {id}, and no delivery to it. The endpoint may belong to another workspace, or
          it was deleted.
        </p>
      )}
      <p class="row centred">
        {owner ? (
          <a class="button primary" href={inWorkspace(owner, 'deliveries', { endpointId })}>
            Show deliveries to the endpoint
          </a>
        ) : (
          found === undefined && (
            <button type="button" onClick={() => setLooking(true)}>
              Search all workspaces
            </button>
          )
        )}
        <RemoveFilters unfiltered={unfiltered} />
      </p>
    </div>
  );
}
