import type { Event } from '@svc/client';
import { actingUserId, clientOf } from '../../data/acting.ts';
import { control } from '../../data/control.ts';
import { useEndpoints } from '../../data/endpoints.ts';
import { useQuery } from '../../data/query.ts';
import { messageOf } from '../../data/server-error.ts';
import { shortenId } from '../../format/text.ts';
import { eventUrl, inWorkspace } from '../../routes.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Id } from '../../ui/id.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ScreenHead } from '../../ui/screen-head.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { orToast } from '../../ui/toast.tsx';
import { Failure } from '../failure.tsx';
import { LifeOfEvent } from './life.tsx';
import { triggerEvents } from './trigger.tsx';

export function EventScreen({ workspaceId, id }: ScreenProps) {
  const { data: event, error } = useQuery(
    `event ${workspaceId} ${id} ${actingUserId.value}`,
    async () => await clientOf(workspaceId).events.retrieve(id),
  );
  const { data: deliveries, error: noDeliveries } = useQuery(
    `deliveries of ${id}`,
    async () => (await control('GET', '/events/{eventId}/deliveries', { params: { eventId: id } })).deliveries,
    ['deliveries'],
  );
  const { data: endpoints } = useEndpoints(workspaceId);
  useTitle(event ? `${event.type} · ${shortenId(id)}` : shortenId(id), workspaceId);
  const back = { href: inWorkspace(workspaceId, 'events'), text: 'Events' };
  if (error) return <Failure error={error} what="event" id={id} back={back} />;
  const originalId = event && event.id !== id ? event.id : undefined;
  const again = () => orToast(async () => event && triggerEvents(workspaceId, event.type, 1, event.subject));
  return (
    <div class="screen">
      <ScreenHead
        back={back}
        title={event ? <span class="mono">{event.type}</span> : <span class="skeleton wide" />}
        about={
          <>
            <Id value={id} />
            {event && <Time value={event.created} focusable />}
          </>
        }
      >
        <button type="button" disabled={!event} onClick={again}>
          <Icon name="replay" size={14} />
          Trigger this event again
        </button>
      </ScreenHead>
      <section class="card">
        <h2>Life of the event</h2>
        {noDeliveries !== undefined && <Problem>{messageOf(noDeliveries)}</Problem>}
        {originalId ? (
          <p>
            This is the event of a replay. The life of the original event includes the replay:{' '}
            <Id value={originalId} href={eventUrl(workspaceId, originalId)} />
          </p>
        ) : (
          event && deliveries?.length === 0 && <p class="quiet">No endpoint subscribed to this event.</p>
        )}
        {deliveries && deliveries.length > 0 && (
          <LifeOfEvent
            workspaceId={workspaceId}
            deliveries={deliveries}
            urls={new Map(endpoints?.map((endpoint) => [endpoint.id, endpoint.url]))}
          />
        )}
      </section>
      <Envelope event={event} />
    </div>
  );
}

function Envelope({ event }: { event: Event | undefined }) {
  return (
    <section class="card">
      <h2 class="with-tools">
        Envelope {event && <CopyButton text={JSON.stringify(event)} label="Copy the envelope" />}
      </h2>
      <div class="code-box">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: users must be able to scroll it with the keyboard. */}
        <pre tabIndex={0} role="region" aria-label="Envelope">
          {event && JSON.stringify(event, null, 2)}
        </pre>
      </div>
    </section>
  );
}
