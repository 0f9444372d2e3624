import { useState } from 'preact/hooks';
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
      <UnknownEndpoint endpointId={endpointId} unfiltered={unfiltered} />
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
      <RemoveFilters unfiltered={unfiltered} />
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

/** A filter by an endpoint that this workspace does not have. A click shows which workspace has it. */
function UnknownEndpoint({ endpointId, unfiltered }: { endpointId: string; unfiltered: string }) {
  const [isLooking, setLooking] = useState(false);
  const { data: organizations } = useOrganizations();
  const { data: found } = useQuery(isLooking ? `place of ${endpointId}` : undefined, async () => {
    try {
      return await control('GET', '/find', { query: { id: endpointId } });
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw error;
    }
  });
  const owner = found?.type === 'webhook_endpoint' ? found.workspaceId : null;
  const tenant = tenantsOf(organizations ?? []).find(({ workspace }) => workspace.id === owner);
  const id = <code title={endpointId}>{shortenId(endpointId)}</code>;
  return (
    <div class="notice in-list">
      <h2>No delivery matches</h2>
      {owner ? (
        <p>
          The endpoint {id} belongs to{' '}
          {tenant ? `${tenant.organization.name} / ${tenant.workspace.name}` : 'another workspace'}.
        </p>
      ) : found === null ? (
        <p>No workspace has the endpoint {id}. The id may be mistyped, or the endpoint is deleted.</p>
      ) : (
        <p>
          This workspace has no endpoint {id}, and no delivery to it. Another workspace may have it, or it was deleted.
        </p>
      )}
      <p class="row centred">
        {owner ? (
          <a class="button primary" href={inWorkspace(owner, 'deliveries', { endpointId })}>
            Show its deliveries there
          </a>
        ) : (
          found === undefined && (
            <button type="button" onClick={() => setLooking(true)}>
              Look for it everywhere
            </button>
          )
        )}
        <RemoveFilters unfiltered={unfiltered} />
      </p>
    </div>
  );
}

const RemoveFilters = ({ unfiltered }: { unfiltered: string }) => (
  <a class="button" href={unfiltered}>
    Remove all filters
  </a>
);
