import type { ListDeliveriesParams, WebhookDelivery } from '@svc/client';
import { useRef, useState } from 'preact/hooks';
import { clientOf } from '../../data/acting.ts';
import { messageOf } from '../../data/server-error.ts';
import { queryFrom } from '../../data/url-filters.ts';
import { shortenId } from '../../format/text.ts';
import { deliveryUrl } from '../../routes.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import type { DeliveryFilters } from './filters.tsx';
import { type ReplayProgress, replayAll } from './replay-matching.ts';

export function ReplayAll({
  workspaceId,
  filters,
  onClose,
}: {
  workspaceId: string;
  filters: DeliveryFilters;
  onClose: () => void;
}) {
  const [progress, setProgress] = useState<ReplayProgress>();
  const [problem, setProblem] = useState<string>();
  const stop = useRef(new AbortController());
  const isRunning = progress !== undefined && !progress.isDone;
  const start = async () => {
    const { deliveries } = clientOf(workspaceId).webhooks;
    try {
      await replayAll<WebhookDelivery>({
        matching: deliveries.list(queryFrom<ListDeliveriesParams>(filters)),
        replay: async ({ id }) => void (await deliveries.replay(id)),
        signal: stop.current.signal,
        onProgress: setProgress,
        describe: messageOf,
      });
    } catch (error) {
      setProblem(messageOf(error));
      setProgress((known) => known && { ...known, isDone: true });
    }
  };
  const names = Object.entries(filters);
  return (
    <Dialog title="Replay all matching" onClose={onClose} sticky={isRunning}>
      <p>
        Each delivery that matches {names.length > 0 ? 'the filters' : 'this list'} is sent again as a new delivery, 4
        at a time, at most 1,000.{' '}
        {names.length === 0 && 'No filter is set, so deliveries that succeeded are sent again, too.'}
      </p>
      {names.length > 0 && (
        <ul class="chips">
          {names.map(([name, value]) => (
            <li key={name}>
              <span class="chip">
                {name}: <b>{value}</b>
              </span>
            </li>
          ))}
        </ul>
      )}
      {progress && <Progress progress={progress} wasStopped={stop.current.signal.aborted} workspaceId={workspaceId} />}
      {problem && <Problem>{problem}</Problem>}
      <footer>
        {!progress && (
          <button type="button" class="primary" onClick={start}>
            Replay all matching
          </button>
        )}
        {isRunning ? (
          <button type="button" class="danger" onClick={() => stop.current.abort()}>
            Stop
          </button>
        ) : (
          <button type="button" onClick={onClose}>
            {progress ? 'Close' : 'Cancel'}
          </button>
        )}
      </footer>
    </Dialog>
  );
}

function Progress({
  progress,
  wasStopped,
  workspaceId,
}: {
  progress: ReplayProgress;
  wasStopped: boolean;
  workspaceId: string;
}) {
  return (
    <>
      <progress
        aria-label="Replayed"
        {...(progress.found !== undefined && {
          max: Math.max(progress.found, 1),
          value: progress.replayed + progress.refused.length,
        })}
      />
      <p role="status">
        {progress.isDone ? (wasStopped ? 'Stopped. ' : 'Done. ') : ''}
        Replayed {progress.replayed.toLocaleString('en')}
        {progress.found !== undefined && ` of ${progress.found.toLocaleString('en')}`}
        {progress.refused.length > 0 && `, ${progress.refused.length} refused`}.
      </p>
      {progress.refused.length > 0 && (
        <ul class="refusals">
          {progress.refused.slice(0, 100).map(({ id, reason }) => (
            <li key={id}>
              <a href={deliveryUrl(workspaceId, id)}>{shortenId(id)}</a> {reason}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
