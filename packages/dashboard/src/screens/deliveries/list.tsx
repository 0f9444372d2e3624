import type { ListDeliveriesParams, WebhookDelivery } from '@svc/client';
import { useEffect, useState } from 'preact/hooks';
import { actingUserId, clientOf } from '../../data/acting.ts';
import { useEndpoints } from '../../data/endpoints.ts';
import { useActor } from '../../data/tenants.ts';
import { queryFrom } from '../../data/url-filters.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { ScreenHead } from '../../ui/screen-head.tsx';
import { useTitle } from '../../ui/title.ts';
import { isEmptyList, ListTable, newRows, PAGE_SIZE } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { DeliveryFilterBar, type DeliveryFilters, filtersOf, listUrl } from './filters.tsx';
import { cellsClass, DELIVERY_COLUMNS, DeliveryCells } from './row.tsx';

const ReplayAll = lazy(async () => (await import('./replay-all.tsx')).ReplayAll);
const NoDeliveries = lazy(async () => (await import('./no-deliveries.tsx')).NoDeliveries);

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
      <ScreenHead title="Deliveries">
        <ActionButton
          icon={follows ? 'pause' : 'play'}
          aria-pressed={follows}
          class="toggle"
          onClick={() => setFollows(!follows)}
        >
          {follows ? 'Following' : 'Follow'}
        </ActionButton>
        <ActionButton icon="replay" why={why} onClick={() => setReplaying(true)}>
          Replay all matching
        </ActionButton>
      </ScreenHead>
      <DeliveryFilterBar workspaceId={workspaceId} filters={filters} />
      <DeliveryTable workspaceId={workspaceId} filters={filters} follows={follows} onEmpty={setEmpty} />
      {isReplaying && <ReplayAll workspaceId={workspaceId} filters={filters} onClose={() => setReplaying(false)} />}
    </div>
  );
}

/** Lists the deliveries of a workspace. With `endpointId`, lists only the deliveries to this endpoint. */
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
  /** Called when the list becomes empty, and when it contains rows again. */
  onEmpty?: (isEmpty: boolean) => void;
}) {
  const ofOneEndpoint = endpointId !== undefined;
  const filters = ofOneEndpoint ? { ...chosen, endpointId } : chosen;
  const columns = DELIVERY_COLUMNS.filter(([name]) => !ofOneEndpoint || name !== 'endpoint');
  const unfiltered = listUrl(workspaceId, endpointId);
  const { data: endpoints } = useEndpoints(workspaceId);
  const urls = new Map(endpoints?.map(({ id, url }) => [id as string, url]));
  const { deliveries } = clientOf(workspaceId).webhooks;
  const followed = useList<WebhookDelivery>(
    JSON.stringify([workspaceId, filters, actingUserId.value]),
    {
      first: () => deliveries.list({ ...queryFrom<ListDeliveriesParams>(filters), limit: PAGE_SIZE }),
      at: (url) => deliveries.list.resume(url),
      concerns: ['deliveries'],
    },
    follows,
  );
  const { list, rows, isLoading } = followed;
  const isEmpty = isEmptyList(followed);
  useEffect(() => onEmpty?.(isEmpty), [isEmpty, onEmpty]);
  return (
    <ListTable
      followed={followed}
      label="Deliveries, newest first"
      cells={cellsClass(ofOneEndpoint)}
      columns={columns}
      news={follows ? null : newRows(followed)}
      unfiltered={unfiltered}
      empty={<NoDeliveries workspaceId={workspaceId} filters={filters} unfiltered={unfiltered} />}
      after={!isLoading && rows.length > 0 && list.nextPageUrl === null && <ListEnd count={rows.length} />}
    >
      {(delivery) => (
        <DeliveryCells
          delivery={delivery}
          url={urls.get(delivery.endpointId)}
          ofOneEndpoint={ofOneEndpoint}
          isGone={list.gone.has(delivery.id)}
        />
      )}
    </ListTable>
  );
}

const ListEnd = ({ count }: { count: number }) => (
  <p class="list-end">
    {count.toLocaleString('en')} {count === 1 ? 'delivery' : 'deliveries'}, newest first. This is the end.
  </p>
);
