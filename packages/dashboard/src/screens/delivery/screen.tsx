import type { WebhookDeliveryDetail } from '@svc/client';
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
import { useActor } from '../../data/tenants.ts';
import { shortenId, shortenUrl } from '../../format/text.ts';
import { deliveryUrl, endpointUrl, eventUrl, inWorkspace } from '../../routes.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { moveAndTell } from '../../shell/time-bar.tsx';
import { ActionButton } from '../../ui/action-button.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Id } from '../../ui/id.tsx';
import { Pick } from '../../ui/pick.tsx';
import { ScreenHead } from '../../ui/screen-head.tsx';
import { ScreenSkeleton } from '../../ui/screen-skeleton.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { orToast, toast } from '../../ui/toast.tsx';
import { Failure } from '../failure.tsx';
import { AttemptView } from './attempt-view.tsx';
import { CurlMenu } from './curl-menu.tsx';
import { BodyDifferences } from './differences.tsx';
import { differingHeaders } from './planned-attempts.ts';
import { Replays } from './replays.tsx';
import { SignatureDialog } from './signature-dialog.tsx';
import { outcomeText, Timeline } from './timeline.tsx';

const NOTHING: ReadonlySet<string> = new Set();

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
  const { data: log, reload } = useLog(id, concerns);
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
  const url = endpoints.find((endpoint) => endpoint.id === delivery.endpointId)?.url;
  return (
    <div class={`screen delivery ${staleSince ? 'stale' : ''}`}>
      <ScreenHead
        back={back}
        title={
          <>
            <span class="mono">{delivery.eventType}</span>
            <span class="to"> to {url ? shortenUrl(url) : shortenId(delivery.endpointId)}</span>
          </>
        }
        about={
          <>
            <Status value={delivery.status} />
            <Id value={id} />
          </>
        }
      />
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
      {attempt && <Attempts delivery={delivery} counted={counted} attempt={attempt} compare={query['compare']} />}
      {attempts.length === 0 && <p class="notice in-list">No attempt has been made.</p>}
      <Facts delivery={delivery} />
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

/** Reads the attempts and the explanation with one `useQuery`, so that the screen updates both together. */
const useLog = (id: string, concerns: Concerns) =>
  useQuery(
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

/** Shows one attempt, or two attempts side by side. */
function Attempts({
  delivery: { id, workspaceId },
  counted,
  attempt,
  compare,
}: {
  delivery: WebhookDeliveryDetail;
  counted: readonly LoggedAttempt[];
  attempt: LoggedAttempt;
  compare: string | undefined;
}) {
  const { route } = useLocation();
  const others = counted.filter(({ number }) => number !== attempt.number);
  const other = others.find(({ number }) => number === Number(compare));
  const differing = {
    request: other ? differingHeaders(attempt.request.headers, other.request.headers) : NOTHING,
    response: other ? differingHeaders(attempt.response?.headers ?? {}, other.response?.headers ?? {}) : NOTHING,
  };
  return (
    <section class="attempts">
      <div class="attempt-head">
        <h2>
          Attempt {attempt.number}
          <span class="quiet">
            {' '}
            <Time value={attempt.startedAt} focusable />
          </span>
        </h2>
        {others.length > 0 && (
          <Pick
            label="Compare with"
            value={other && String(other.number)}
            none="none"
            options={others.map((one) => [String(one.number), `${one.number}: ${outcomeText(one)}`])}
            onPick={(picked) =>
              route(deliveryUrl(workspaceId, id, { attempt: String(attempt.number), compare: picked }), true)
            }
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
  );
}

function Facts({ delivery }: { delivery: WebhookDeliveryDetail }) {
  const { id, workspaceId } = delivery;
  return (
    <dl class="facts">
      <Fact name="Event">
        <Id value={delivery.eventId} href={eventUrl(workspaceId, delivery.eventId)} />
      </Fact>
      <Fact name="Endpoint">
        <Id value={delivery.endpointId} href={endpointUrl(workspaceId, delivery.endpointId)} />
      </Fact>
      <Fact name="Subject">
        {delivery.subject ? <Id value={delivery.subject.id} /> : <span class="quiet">none</span>}
      </Fact>
      <Replays workspaceId={workspaceId} id={id} />
      <Fact name="Created">
        <Time value={delivery.createdAt} focusable />
      </Fact>
      {delivery.deliveredAt && (
        <Fact name="Delivered">
          <Time value={delivery.deliveredAt} focusable />
        </Fact>
      )}
    </dl>
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
  const deletedWhy = explanation.endpoint.deleted ? 'The endpoint is deleted' : undefined;
  const replayWhy =
    actor.why('workspace:developer:write') ??
    deletedWhy ??
    (explanation.endpoint.active ? undefined : 'The endpoint is inactive');
  const advance = async () => {
    if (!next) return;
    setBusy(true);
    await orToast(async () => {
      // The attempt has run or is running, so the clock does not have to move.
      if (Date.parse(next) <= virtualNow()) toast('The attempt is already due.');
      else await moveAndTell({ set: next }, Date.parse(next));
      await reload();
    });
    setBusy(false);
  };
  const replay = () =>
    orToast(async () => {
      const made = await clientOf(workspaceId).webhooks.deliveries.replay(id);
      route(deliveryUrl(workspaceId, made.id));
      const link = { href: deliveryUrl(workspaceId, id), text: `Back to ${shortenId(id)}` };
      toast('Replayed. This is the new delivery.', { link });
    });
  return (
    <div class="actions">
      {next && (
        <ActionButton icon="skip" class="primary" why={isMoving ? IS_MOVING : undefined} onClick={advance}>
          Advance to next attempt
        </ActionButton>
      )}
      <ActionButton icon="replay" why={replayWhy} onClick={replay}>
        Replay
      </ActionButton>
      <CurlMenu deliveryId={id} attempt={attempt} why={deletedWhy} />
      <ActionButton icon="shield" why={attempt ? undefined : 'No attempt has been made'} onClick={onCheck}>
        Check signature
      </ActionButton>
    </div>
  );
}
