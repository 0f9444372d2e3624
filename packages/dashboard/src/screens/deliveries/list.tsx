import type { ListDeliveriesParams, WebhookDelivery } from '@svc/client';
import { useEffect, useState } from 'preact/hooks';
import { actingUserId, clientOf } from '../../data/acting.ts';
import { useEndpoints } from '../../data/endpoints.ts';
import { messageOf, statusOf } from '../../data/server-error.ts';
import { useActor } from '../../data/tenants.ts';
import { queryFrom } from '../../data/url-filters.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { Rows, SkeletonRows } from '../../ui/rows.tsx';
import { useTitle } from '../../ui/title.ts';
import { Failure } from '../not-found.tsx';
import { DeliveryFilterBar, type DeliveryFilters, filtersOf, listUrl } from './filters.tsx';
import { cellsClass, DELIVERY_COLUMNS, DeliveryCells } from './row.tsx';
import { useList } from './use-list.ts';

const ReplayAll = lazy(async () => (await import('./replay-all.tsx')).ReplayAll);
const NoDeliveries = lazy(async () => (await import('./no-deliveries.tsx')).NoDeliveries);

const PAGE_SIZE = 100;

/** Every delivery of the workspace, newest first. */
export function DeliveriesScreen({ workspaceId, query }: ScreenProps) {
  const filters = filtersOf(query);
  const [follows, setFollows] = useState(false);
  const [isReplaying, setReplaying] = useState(false);
  const actor = useActor(workspaceId);
  const [isEmpty, setEmpty] = useState(false);
  const why = actor.why('workspace:developer:write') ?? (isEmpty ? 'No delivery matches' : undefined);
  useTitle('Deliveries', workspaceId);
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>Deliveries</h1>
        <div class="actions">
          <button type="button" aria-pressed={follows} class="toggle" onClick={() => setFollows(!follows)}>
            <Icon name={follows ? 'pause' : 'play'} size={14} />
            {follows ? 'Following' : 'Follow'}
          </button>
          <ActionButton why={why} onClick={() => setReplaying(true)}>
            <Icon name="replay" size={14} />
            Replay all matching
          </ActionButton>
        </div>
      </header>
      <DeliveryFilterBar workspaceId={workspaceId} filters={filters} />
      <DeliveryTable workspaceId={workspaceId} filters={filters} follows={follows} onEmpty={setEmpty} />
      {isReplaying && <ReplayAll workspaceId={workspaceId} filters={filters} onClose={() => setReplaying(false)} />}
    </div>
  );
}

/** The deliveries that match the filters: of the workspace, or of the endpoint of the screen. */
export function DeliveryTable({
  workspaceId,
  filters: chosen,
  follows,
  endpointId,
  onEmpty,
}: {
  workspaceId: string;
  filters: DeliveryFilters;
  follows: boolean;
  endpointId?: string;
  /** Called when the list becomes empty, and when it gets a row. */
  onEmpty?: (isEmpty: boolean) => void;
}) {
  const ofOneEndpoint = endpointId !== undefined;
  const filters = ofOneEndpoint ? { ...chosen, endpointId } : chosen;
  const columns = DELIVERY_COLUMNS.filter((column) => !ofOneEndpoint || column !== 'Endpoint');
  const unfiltered = listUrl(workspaceId, endpointId);
  const { data: endpoints } = useEndpoints(workspaceId);
  const urls = new Map(endpoints?.map(({ id, url }) => [id as string, url]));
  const { deliveries } = clientOf(workspaceId).webhooks;
  const followed = useList<WebhookDelivery>(
    JSON.stringify([workspaceId, filters, actingUserId.value]),
    {
      first: () => deliveries.list({ ...queryFrom<ListDeliveriesParams>(filters), limit: PAGE_SIZE }),
      at: (url) => deliveries.list.resume(url),
      concerns: ({ deliveries: changed }) => changed !== undefined,
    },
    follows,
  );
  const { list, rows, isLoading, error, isStale } = followed;
  const waiting = list.waiting.size;
  const isEmpty = !isLoading && error === undefined && rows.length === 0;
  useEffect(() => onEmpty?.(isEmpty), [isEmpty, onEmpty]);
  if (statusOf(error) === 403) return <Failure error={error} what="list" />;
  if (error !== undefined) {
    return (
      <div class="notice in-list" role="alert">
        <h2>Cannot show this list</h2>
        <p>{messageOf(error)}</p>
        <a class="button" href={unfiltered}>
          Remove all filters
        </a>
      </div>
    );
  }
  return (
    <div class={`table-area ${isStale ? 'stale' : ''}`}>
      {waiting > 0 && !follows && (
        <button type="button" class="new-rows" onClick={followed.restart}>
          {waiting >= PAGE_SIZE ? `${PAGE_SIZE}+` : waiting} new
        </button>
      )}
      {!isEmpty && (
        <div
          role="table"
          class="table deliveries"
          aria-label="Deliveries, newest first"
          aria-rowcount={-1}
          aria-busy={isLoading}
        >
          <div role="rowgroup">
            <div role="row" class="row-line head" aria-rowindex={1}>
              <div class={cellsClass(ofOneEndpoint)}>
                {columns.map((column) => (
                  <span key={column} role="columnheader" class={`c-${CLASSES[column]}`}>
                    {column}
                  </span>
                ))}
              </div>
            </div>
          </div>
          {isLoading ? (
            <SkeletonRows columns={columns.length} />
          ) : (
            <Rows items={rows} hasMore={list.nextPageUrl !== null} onMore={followed.more} onSee={followed.see}>
              {(delivery) => (
                <DeliveryCells
                  delivery={delivery}
                  url={urls.get(delivery.endpointId)}
                  ofOneEndpoint={ofOneEndpoint}
                  isGone={list.gone.has(delivery.id)}
                />
              )}
            </Rows>
          )}
        </div>
      )}
      {isEmpty && <NoDeliveries workspaceId={workspaceId} filters={filters} unfiltered={unfiltered} />}
      {!isLoading && rows.length > 0 && list.nextPageUrl === null && (
        <p class="list-end">
          {rows.length.toLocaleString('en')} {rows.length === 1 ? 'delivery' : 'deliveries'}, newest first. This is the
          end.
        </p>
      )}
    </div>
  );
}

const CLASSES: Record<(typeof DELIVERY_COLUMNS)[number], string> = {
  Status: 'status',
  Type: 'type',
  Endpoint: 'endpoint',
  Attempt: 'attempt',
  Response: 'response',
  Created: 'time',
};
