import type { DeliveryExplanation, LoggedAttempt } from '@svc/contract/control/types';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { actingUserId, clientOf } from '../../data/acting.ts';
import { virtualNow } from '../../data/clock.ts';
import { control } from '../../data/control.ts';
import { useEndpoints } from '../../data/endpoints.ts';
import { serverClock } from '../../data/live.ts';
import { IS_MOVING, move } from '../../data/move-clock.ts';
import { type Concerns, useQuery } from '../../data/query.ts';
import { messageOf } from '../../data/server-error.ts';
import { useActor } from '../../data/tenants.ts';
import { shortenId, shortenUrl } from '../../format/text.ts';
import { deliveryUrl, endpointUrl, eventUrl, inWorkspace } from '../../routes.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { moveAndTell } from '../../shell/time-bar.tsx';
import { ActionButton } from '../../ui/action-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Id } from '../../ui/id.tsx';
import { ScreenSkeleton } from '../../ui/screen-skeleton.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { toast } from '../../ui/toast.tsx';
import { Failure } from '../not-found.tsx';
import { AttemptView } from './attempt-view.tsx';
import { CurlMenu } from './curl-menu.tsx';
import { BodyDifferences } from './differences.tsx';
import { differingHeaders } from './plan.ts';
import { Replays } from './replays.tsx';
import { SignatureDialog } from './signature-dialog.tsx';
import { outcomeText, Timeline } from './timeline.tsx';

const NOTHING: ReadonlySet<string> = new Set();

/** One delivery: the reason for its state, what comes next, and every attempt. */
export function DeliveryScreen({ workspaceId, id, query }: ScreenProps) {
  const concerns: Concerns = ({ deliveries, endpoints, clock }) =>
    clock !== undefined ||
    endpoints !== undefined ||
    (deliveries !== undefined && (deliveries.ids === null || deliveries.ids.includes(id)));
  const {
    data: delivery,
    error,
    staleSince,
  } = useQuery(
    `delivery ${workspaceId} ${id} ${actingUserId.value}`,
    async () => await clientOf(workspaceId).webhooks.deliveries.retrieve(id),
    concerns,
  );
  // Use one query, so that the explanation matches the rest.
  const { data: log, reload } = useQuery(
    `log ${id}`,
    async () => {
      const [{ attempts }, { explanation }] = await Promise.all([
        control('GET', '/deliveries/{deliveryId}/attempts', { params: { deliveryId: id } }),
        control('GET', '/deliveries/{deliveryId}/explanation', { params: { deliveryId: id } }),
      ]);
      return { attempts, explanation };
    },
    concerns,
  );
  const { data: endpoints } = useEndpoints(workspaceId);
  const [isChecking, setChecking] = useState(false);
  useTitle(`${delivery ? `${delivery.status} · ` : ''}${shortenId(id)}`, workspaceId);
  const back = { href: inWorkspace(workspaceId, 'deliveries'), text: 'Deliveries' };
  if (error) return <Failure error={error} what="delivery" id={id} back={back} />;
  if (!delivery || !log || !endpoints) return <ScreenSkeleton heights={[98, 560]} />;
  const { attempts, explanation } = log;
  const counted = attempts.filter(({ late }) => !late);
  const chosen = Number(query['attempt']);
  const attempt = counted.find(({ number }) => number === chosen) ?? counted.at(-1);
  const other = counted.find(({ number }) => number === Number(query['compare']) && number !== attempt?.number);
  const differing = {
    request: attempt && other ? differingHeaders(attempt.request.headers, other.request.headers) : NOTHING,
    response:
      attempt && other ? differingHeaders(attempt.response?.headers ?? {}, other.response?.headers ?? {}) : NOTHING,
  };
  const url = endpoints.find((endpoint) => endpoint.id === delivery.endpointId)?.url;
  return (
    <div class={`screen delivery ${staleSince ? 'stale' : ''}`}>
      <a class="back" href={back.href}>
        <Icon name="back" size={14} />
        Deliveries
      </a>
      <header class="screen-head">
        <h1>
          <span class="mono">{delivery.eventType}</span>
          <span class="to"> to {url ? shortenUrl(url) : shortenId(delivery.endpointId)}</span>
        </h1>
        <Status value={delivery.status} />
        <Id value={id} />
      </header>
      <p class="sentence" aria-live="off">
        {explanation.sentence}
      </p>
      <DeliveryActions
        workspaceId={workspaceId}
        id={id}
        explanation={explanation}
        attempt={attempt}
        reload={reload}
        onCheck={() => setChecking(true)}
      />
      <Timeline
        workspaceId={workspaceId}
        deliveryId={id}
        attempts={attempts}
        explanation={explanation}
        selected={attempt?.number}
      />
      {attempt && (
        <section class="attempts">
          <div class="attempt-head">
            <h2>
              Attempt {attempt.number}
              <span class="quiet">
                {' '}
                <Time value={attempt.startedAt} focusable />
              </span>
            </h2>
            {counted.length > 1 && (
              <Compare
                numbers={counted.filter(({ number }) => number !== attempt.number)}
                selected={other?.number}
                href={(compare) => deliveryUrl(workspaceId, id, { attempt: String(attempt.number), compare })}
              />
            )}
          </div>
          {other ? (
            <>
              <BodyDifferences attempt={attempt} other={other} />
              <div class="comparison">
                {[attempt, other].map((one) => (
                  <section key={one.number} aria-label={`Attempt ${one.number}`}>
                    <h3>Attempt {one.number}</h3>
                    <AttemptView attempt={one} differing={differing} />
                  </section>
                ))}
              </div>
            </>
          ) : (
            <AttemptView attempt={attempt} differing={differing} />
          )}
        </section>
      )}
      {attempts.length === 0 && <p class="notice in-list">No attempt has been made.</p>}
      <dl class="facts">
        <div>
          <dt>Event</dt>
          <dd>
            <Id value={delivery.eventId} href={eventUrl(workspaceId, delivery.eventId)} />
          </dd>
        </div>
        <div>
          <dt>Endpoint</dt>
          <dd>
            <Id value={delivery.endpointId} href={endpointUrl(workspaceId, delivery.endpointId)} />
          </dd>
        </div>
        <div>
          <dt>Subject</dt>
          <dd>{delivery.subject ? <Id value={delivery.subject.id} /> : <span class="quiet">none</span>}</dd>
        </div>
        <Replays workspaceId={workspaceId} id={id} />
        <div>
          <dt>Created</dt>
          <dd>
            <Time value={delivery.createdAt} focusable />
          </dd>
        </div>
        {delivery.deliveredAt && (
          <div>
            <dt>Delivered</dt>
            <dd>
              <Time value={delivery.deliveredAt} focusable />
            </dd>
          </div>
        )}
      </dl>
      {isChecking && attempt && (
        <SignatureDialog
          attempt={attempt}
          endpointId={delivery.endpointId}
          endpoints={endpoints}
          onClose={() => setChecking(false)}
        />
      )}
    </div>
  );
}

function Compare({
  numbers,
  selected,
  href,
}: {
  numbers: readonly LoggedAttempt[];
  selected: number | undefined;
  href: (compare: string | undefined) => string;
}) {
  const { route } = useLocation();
  return (
    <label class={`pick ${selected ? 'on' : ''}`}>
      <span>Compare with</span>
      <select value={selected ?? ''} onChange={(event) => route(href(event.currentTarget.value || undefined), true)}>
        <option value="">none</option>
        {numbers.map((attempt) => (
          <option key={attempt.number} value={attempt.number}>
            {attempt.number}: {outcomeText(attempt)}
          </option>
        ))}
      </select>
      <Icon name="chevron" size={12} />
    </label>
  );
}

function DeliveryActions({
  workspaceId,
  id,
  explanation,
  attempt,
  reload,
  onCheck,
}: {
  workspaceId: string;
  id: string;
  explanation: DeliveryExplanation;
  attempt: LoggedAttempt | undefined;
  reload: () => Promise<void>;
  onCheck: () => void;
}) {
  const actor = useActor(workspaceId);
  const { route } = useLocation();
  const [isBusy, setBusy] = useState(false);
  const isMoving = isBusy || move.value !== undefined || serverClock.value?.moving === true;
  const next = explanation.nextAttemptAt;
  const replayWhy =
    actor.why('workspace:developer:write') ??
    (explanation.endpoint.deleted
      ? 'Its endpoint is deleted'
      : !explanation.endpoint.active
        ? 'Its endpoint is inactive'
        : undefined);
  const advance = async () => {
    if (!next) return;
    setBusy(true);
    try {
      // Everything in the past is done or running.
      if (Date.parse(next) <= virtualNow()) toast('The attempt is already due.');
      else await moveAndTell({ set: next }, Date.parse(next));
      await reload();
    } catch (error) {
      toast(messageOf(error), { tone: 'bad' });
    } finally {
      setBusy(false);
    }
  };
  const replay = async () => {
    try {
      const made = await clientOf(workspaceId).webhooks.deliveries.replay(id);
      route(deliveryUrl(workspaceId, made.id));
      const link = { href: deliveryUrl(workspaceId, id), text: `Back to ${shortenId(id)}` };
      toast('Replayed. This is the new delivery.', { link });
    } catch (error) {
      toast(messageOf(error), { tone: 'bad' });
    }
  };
  return (
    <div class="actions">
      {next && (
        <ActionButton class="primary" why={isMoving ? IS_MOVING : undefined} onClick={advance}>
          <Icon name="skip" size={14} />
          Advance to next attempt
        </ActionButton>
      )}
      <ActionButton why={replayWhy} onClick={replay}>
        <Icon name="replay" size={14} />
        Replay
      </ActionButton>
      <CurlMenu deliveryId={id} attempt={attempt} />
      <ActionButton why={attempt ? undefined : 'No attempt has been made'} onClick={onCheck}>
        <Icon name="shield" size={14} />
        Check signature
      </ActionButton>
    </div>
  );
}
