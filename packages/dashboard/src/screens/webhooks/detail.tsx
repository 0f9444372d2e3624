import type { WebhookEndpoint } from '@svc/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { actingUserId, clientOf } from '../../data/acting.ts';
import { type Concerns, useQuery } from '../../data/query.ts';
import { useActor } from '../../data/tenants.ts';
import { useControl } from '../../data/use-control.ts';
import { isAutoDisabled } from '../../format/health.ts';
import { shortenUrl } from '../../format/text.ts';
import { deliveryUrl, endpointUrl, inWorkspace } from '../../routes.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Id } from '../../ui/id.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Pick } from '../../ui/pick.tsx';
import { ScreenHead } from '../../ui/screen-head.tsx';
import { ScreenSkeleton } from '../../ui/screen-skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { orToast, toast } from '../../ui/toast.tsx';
import { STATUS_OPTIONS } from '../deliveries/filters.tsx';
import { DeliveryTable } from '../deliveries/list.tsx';
import { Failure } from '../failure.tsx';
import { ActivityChart } from './activity-chart.tsx';
import { enableEndpoint } from './enable.tsx';
import { EndpointMark } from './endpoint-mark.tsx';
import { EndpointForm } from './form.tsx';
import { SecretOnce } from './register.tsx';
import { Secrets } from './secrets.tsx';
import { FailureBoxes } from './state-text.tsx';

type Open = 'edit' | 'delete' | 'rotate' | { secret: string };

export function EndpointScreen({ workspaceId, id, query }: ScreenProps) {
  const concerns: Concerns = ({ endpoints }) => endpoints === null || endpoints?.includes(id) === true;
  const { data: endpoint, error } = useQuery(
    `endpoint ${workspaceId} ${id} ${actingUserId.value}`,
    async () => await clientOf(workspaceId).webhooks.endpoints.retrieve(id),
    concerns,
  );
  const params = { endpointId: id };
  const state = useControl('/endpoints/{endpointId}', { params }, concerns).data?.endpoint;
  const { data: activity } = useControl('/endpoints/{endpointId}/activity', { params }, concerns);
  const why = useActor(workspaceId).why('workspace:developer:write');
  const { route } = useLocation();
  const [open, setOpen] = useState<Open>();
  const status = query['status'];
  const name = endpoint ? shortenUrl(endpoint.url) : '';
  useTitle(name || 'Endpoint', workspaceId);
  const back = { href: inWorkspace(workspaceId, 'webhooks'), text: 'Webhooks' };
  if (error) return <Failure error={error} what="endpoint" id={id} back={back} />;
  if (!endpoint || !state || !activity) return <ScreenSkeleton heights={[148, 208, 320]} />;
  const off = isAutoDisabled(state);
  return (
    <div class="screen endpoint">
      <ScreenHead
        back={back}
        title={<span title={endpoint.url}>{endpoint.url}</span>}
        about={
          <>
            <EndpointMark active={endpoint.active} state={state} />
            <Id value={id} />
          </>
        }
      >
        <EndpointActions workspaceId={workspaceId} endpoint={endpoint} why={why} onOpen={setOpen} />
      </ScreenHead>
      {endpoint.description && <p class="breaking">{endpoint.description}</p>}
      {off && <AutoDisabled workspaceId={workspaceId} id={id} disabledAt={state.disabledAt} />}
      <div class="cards">
        <section class="card">
          <h2>Failures in a row</h2>
          <FailureBoxes state={state} />
          <h2>Subscribes to</h2>
          <p class="row wrap">
            {endpoint.subscribedEvents.map((pattern) => (
              <code key={pattern} class="badge">
                {pattern}
              </code>
            ))}
          </p>
        </section>
        <section class="card">
          <div class="with-tools">
            <h2>Secrets</h2>
            <ActionButton icon="replay" class="small" why={why} onClick={() => setOpen('rotate')}>
              Rotate<span class="hidden-visually"> the signing secret</span>
            </ActionButton>
          </div>
          <Secrets secrets={state.secrets} />
        </section>
        <section class="card wide-card">
          <h2>Activity</h2>
          <ActivityChart activity={activity} />
        </section>
      </div>
      <div class="with-tools">
        <h2>Deliveries</h2>
        <search class="filters" aria-label="Filters">
          <Pick
            label="Status"
            value={status}
            options={STATUS_OPTIONS}
            onPick={(picked) => route(endpointUrl(workspaceId, id, { status: picked }))}
          />
        </search>
      </div>
      <DeliveryTable workspaceId={workspaceId} filters={status ? { status } : {}} follows={false} endpointId={id} />
      <Dialogs endpoint={endpoint} workspaceId={workspaceId} open={open} setOpen={setOpen} />
    </div>
  );
}

function AutoDisabled({ workspaceId, id, disabledAt }: { workspaceId: string; id: string; disabledAt: string | null }) {
  return (
    <div class="banner tone-bad boxed">
      <span>
        <strong>The service disabled this endpoint</strong> {disabledAt && <Time value={disabledAt} focusable />}, after
        five deliveries in a row failed. The endpoint receives nothing until you enable it again.
      </span>
      <a href={inWorkspace(workspaceId, 'deliveries', { endpointId: id, status: 'failed' })}>Show failed deliveries</a>
    </div>
  );
}

function Dialogs({
  workspaceId,
  endpoint,
  open,
  setOpen,
}: {
  workspaceId: string;
  endpoint: WebhookEndpoint;
  open: Open | undefined;
  setOpen: (change: Open | undefined | ((now: Open | undefined) => Open | undefined)) => void;
}) {
  const { route } = useLocation();
  const { endpoints } = clientOf(workspaceId).webhooks;
  const name = shortenUrl(endpoint.url);
  const close = () => setOpen(undefined);
  return (
    <>
      {open === 'edit' && (
        <EndpointForm
          workspaceId={workspaceId}
          endpoint={endpoint}
          onClose={close}
          save={async (_fields, changed) => {
            await endpoints.update(endpoint.id, changed);
            close();
            toast('Saved.');
          }}
        />
      )}
      {open === 'delete' && (
        <Confirm
          title="Delete endpoint"
          action={`Delete ${name}`}
          onClose={close}
          run={async () => {
            await endpoints.delete(endpoint.id);
            route(inWorkspace(workspaceId, 'webhooks'));
            toast(`Deleted ${name}.`);
          }}
        >
          <p>
            The endpoint's secrets stop signing, and its pending deliveries become disabled. Past deliveries are kept.
          </p>
        </Confirm>
      )}
      {open === 'rotate' && (
        <Confirm
          title="Rotate the signing secret"
          action={`Rotate the secret of ${name}`}
          onClose={() => setOpen((now) => (now === 'rotate' ? undefined : now))}
          run={async () => setOpen({ secret: (await endpoints.rotateSecret(endpoint.id)).secret })}
        >
          <p>
            You get a new secret. The old secret still signs for 24 hours of virtual time. Until then, each delivery has
            both signatures.
          </p>
        </Confirm>
      )}
      {typeof open === 'object' && <SecretOnce secret={open.secret} onClose={close} />}
    </>
  );
}

function EndpointActions({
  workspaceId,
  endpoint,
  why,
  onOpen,
}: {
  workspaceId: string;
  endpoint: WebhookEndpoint;
  why: string | undefined;
  onOpen: (open: Open) => void;
}) {
  const { endpoints } = clientOf(workspaceId).webhooks;
  const ping = () =>
    orToast(async () => {
      const { deliveryId } = await endpoints.sendTestEvent(endpoint.id);
      toast('Ping sent.', { link: { href: deliveryUrl(workspaceId, deliveryId), text: 'Open the delivery' } });
    });
  const pause = () =>
    orToast(async () => {
      await endpoints.update(endpoint.id, { active: false });
      toast('Paused. The endpoint receives nothing until you enable it.');
    });
  return (
    <>
      <ActionButton
        icon="events"
        why={why ?? (endpoint.active ? undefined : 'The endpoint is inactive')}
        onClick={ping}
      >
        Ping
      </ActionButton>
      {/* One button with two texts, because a second button would not have the focus of the first one. */}
      <ActionButton
        icon={endpoint.active ? 'pause' : 'play'}
        class={endpoint.active ? '' : 'primary'}
        why={why}
        onClick={endpoint.active ? pause : () => enableEndpoint(workspaceId, endpoint.id)}
      >
        {endpoint.active ? 'Pause' : 'Enable'}
      </ActionButton>
      <ActionButton icon="edit" why={why} onClick={() => onOpen('edit')}>
        Edit
      </ActionButton>
      <Menu button={<Icon name="more" />} label="More actions" class="icon-only" align="end">
        {(close) => (
          <div class="panel-group">
            <ActionButton
              class="choice tone-bad"
              why={why}
              onClick={() => {
                close();
                onOpen('delete');
              }}
            >
              Delete {shortenUrl(endpoint.url)}
            </ActionButton>
          </div>
        )}
      </Menu>
    </>
  );
}
