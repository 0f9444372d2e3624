import type { EventDelivery } from '@svc/contract/control/types';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { control } from '../../data/control.ts';
import { useQuery } from '../../data/query.ts';
import { shortenId, shortenUrl } from '../../format/text.ts';
import { deliveryUrl, endpointUrl } from '../../routes.ts';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { isGood, outcomeText } from '../delivery/timeline.tsx';

/** An event may have a hundred deliveries, and each branch makes three requests. */
const FIRST_SHOWN = 10;

/** The life of an event as a tree: its deliveries by endpoint, their attempts, and the replays with theirs. */
export function LifeOfEvent({
  workspaceId,
  deliveries,
  urls,
}: {
  workspaceId: string;
  deliveries: readonly EventDelivery[];
  /** The URLs of the endpoints that still exist, by id. */
  urls: ReadonlyMap<string, string>;
}) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? deliveries : deliveries.slice(0, FIRST_SHOWN);
  return (
    <>
      <ul class="tree">
        {shown.map((delivery) => {
          const url = urls.get(delivery.endpointId);
          return (
            <Branch key={delivery.id} workspaceId={workspaceId} delivery={delivery}>
              <a href={endpointUrl(workspaceId, delivery.endpointId)} title={url}>
                {url ? shortenUrl(url) : shortenId(delivery.endpointId)}
              </a>
            </Branch>
          );
        })}
      </ul>
      {deliveries.length > shown.length && (
        <button type="button" class="small" onClick={() => setShowsAll(true)}>
          Show all {deliveries.length} deliveries
        </button>
      )}
    </>
  );
}

/** A delivery with its attempts, what comes next, and its replays. */
function Branch({
  workspaceId,
  delivery: { id, status },
  children,
}: {
  workspaceId: string;
  delivery: EventDelivery;
  children: ComponentChildren;
}) {
  const { data } = useQuery(
    `life ${id}`,
    async () => {
      const params = { deliveryId: id };
      const [{ attempts }, { explanation }, { original, replays }] = await Promise.all([
        control('GET', '/deliveries/{deliveryId}/attempts', { params }),
        control('GET', '/deliveries/{deliveryId}/explanation', { params }),
        control('GET', '/deliveries/{deliveryId}/replays', { params }),
      ]);
      // The replays of a replay are those of the delivery that it replays.
      return { attempts, explanation, replays: original ? [] : replays.toReversed() };
    },
    ({ deliveries, endpoints, clock }) => deliveries !== undefined || endpoints !== undefined || clock !== undefined,
  );
  return (
    <li>
      <p class="row wrap">
        <Status value={data?.explanation.status ?? status} />
        {children}
        <a class="mono quiet" href={deliveryUrl(workspaceId, id)}>
          {shortenId(id)}
        </a>
      </p>
      {data === undefined ? (
        <span class="skeleton wide" />
      ) : (
        <ul>
          {data.attempts.map((attempt) => (
            <li key={`${attempt.number} ${attempt.startedAt}`}>
              <p class="row wrap">
                <a href={deliveryUrl(workspaceId, id, { attempt: String(attempt.number) })}>Attempt {attempt.number}</a>
                <b class={isGood(attempt) ? 'tone-good' : 'tone-bad'}>{outcomeText(attempt)}</b>
                <span class="quiet num">{attempt.responseTimeMs} ms</span>
                {attempt.late && <span class="badge">late: it changed nothing</span>}
                <span class="quiet">
                  <Time value={attempt.startedAt} focusable />
                </span>
              </p>
            </li>
          ))}
          <li>
            <p class="quiet">{data.explanation.sentence}</p>
          </li>
          {data.replays.map((replay) => (
            <Branch key={replay.id} workspaceId={workspaceId} delivery={replay}>
              <span>Replay</span>
            </Branch>
          ))}
        </ul>
      )}
    </li>
  );
}
