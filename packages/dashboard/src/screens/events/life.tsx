import type { EventDelivery } from '@svc/contract/control/types';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { control } from '../../data/control.ts';
import { whileAvailable } from '../../data/outage.ts';
import { useQuery } from '../../data/query.ts';
import { messageOf } from '../../data/server-error.ts';
import { shortenId, shortenUrl } from '../../format/text.ts';
import { deliveryUrl, endpointUrl } from '../../routes.ts';
import { Problem } from '../../ui/problem.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { isGood, outcomeText } from '../delivery/timeline.tsx';
import { createBranchReloads } from './branch-reloads.ts';

/** Show only some branches at first: an event may have a hundred deliveries, and each branch takes three requests. */
const FIRST_SHOWN = 10;

/** Maps the id of each branch's delivery to the function that reloads the branch. */
type Branches = Map<string, () => unknown>;

/** Shows a tree: the event's deliveries by endpoint, their attempts, and the replays with their attempts. */
export function LifeOfEvent({
  workspaceId,
  deliveries,
  urls,
}: {
  workspaceId: string;
  deliveries: readonly EventDelivery[];
  /** Maps the ids of endpoints to their URLs. Deleted endpoints are missing. */
  urls: ReadonlyMap<string, string>;
}) {
  const branches = useRef<Branches>(new Map()).current;
  useEffect(() => {
    const reloads = createBranchReloads(
      () => branches.keys(),
      (id) => branches.get(id)?.(),
    );
    const end = whileAvailable((changed) => {
      if (changed === 'anything' || !changed.deliveries) return;
      // A changed delivery that is not in the tree may be a new replay of any delivery in the tree.
      const { ids } = changed.deliveries;
      if (ids === null || ids.some((id) => !branches.has(id))) reloads.ask(changed);
    });
    return () => {
      reloads.stop();
      end();
    };
  }, [branches]);
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? deliveries : deliveries.slice(0, FIRST_SHOWN);
  return (
    <>
      <ul class="tree">
        {shown.map((delivery) => {
          const url = urls.get(delivery.endpointId);
          return (
            <Branch key={delivery.id} workspaceId={workspaceId} delivery={delivery} branches={branches}>
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

function Branch({
  workspaceId,
  delivery: { id, status, attempt },
  branches,
  children,
}: {
  workspaceId: string;
  delivery: EventDelivery;
  branches: Branches;
  children: ComponentChildren;
}) {
  const { data, error, reload } = useQuery(
    `life ${id}`,
    async () => {
      const params = { deliveryId: id };
      const [{ attempts }, { explanation }, { original, replays }] = await Promise.all([
        control('GET', '/deliveries/{deliveryId}/attempts', { params }),
        control('GET', '/deliveries/{deliveryId}/explanation', { params }),
        control('GET', '/deliveries/{deliveryId}/replays', { params }),
      ]);
      // A replay of a replay is listed below the original delivery.
      return { attempts, explanation, replays: original ? [] : replays.toReversed() };
    },
    ({ deliveries, clock }) => deliveries?.ids?.includes(id) === true || clock?.moving === false,
  );
  useEffect(() => {
    branches.set(id, reload);
    return () => branches.delete(id);
  }, [branches, id]);
  // If many deliveries change at once, the stream sends no ids. So also reload when the event's list of deliveries
  // shows a new status or attempt for this delivery.
  const listed = `${status} ${attempt}`;
  const seen = useRef(listed);
  useEffect(() => {
    if (seen.current === listed) return;
    seen.current = listed;
    if (data && listed !== `${data.explanation.status} ${data.explanation.attempt}`) void reload();
  }, [listed]);
  return (
    <li>
      <p class="row wrap">
        <Status value={data?.explanation.status ?? status} />
        {children}
        <a class="mono quiet" href={deliveryUrl(workspaceId, id)}>
          {shortenId(id)}
        </a>
      </p>
      {error !== undefined ? (
        <Problem>{messageOf(error)}</Problem>
      ) : data === undefined ? (
        <span class="skeleton wide" />
      ) : (
        <ul>
          {data.attempts.map((attempt) => (
            <li key={`${attempt.number} ${attempt.startedAt}`}>
              <p class="row wrap">
                <a href={deliveryUrl(workspaceId, id, { attempt: String(attempt.number) })}>Attempt {attempt.number}</a>
                <b class={isGood(attempt) ? 'tone-good' : 'tone-bad'}>{outcomeText(attempt)}</b>
                <span class="quiet num">{attempt.responseTimeMs} ms</span>
                {attempt.late && <span class="badge">late: changed nothing</span>}
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
            <Branch key={replay.id} workspaceId={workspaceId} delivery={replay} branches={branches}>
              <span>Replay</span>
            </Branch>
          ))}
        </ul>
      )}
    </li>
  );
}
