import type { WebhookDelivery, WebhookEndpoint } from '@svc/client';
import { useEffect, useState } from 'preact/hooks';
import { actingUserId, clientOf } from '../../data/acting.ts';
import { useEndpointStates, useEndpoints } from '../../data/endpoints.ts';
import { useSchedule } from '../../data/lifecycle.ts';
import { nextDueAt } from '../../data/move-clock.ts';
import { type Query, useQuery } from '../../data/query.ts';
import { useActor } from '../../data/tenants.ts';
import { isAutoDisabled } from '../../format/health.ts';
import { shortenId, shortenUrl } from '../../format/text.ts';
import { deliveryUrl, endpointUrl, inWorkspace } from '../../routes.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { moveOrToast, moveToNextDue } from '../../shell/time-bar.tsx';
import { ActionButton } from '../../ui/action-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { ScreenHead } from '../../ui/screen-head.tsx';
import { ScreenSkeleton } from '../../ui/screen-skeleton.tsx';
import { Status } from '../../ui/status.tsx';
import { Created, Due } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { responseText } from '../deliveries/row.tsx';
import { Failure } from '../failure.tsx';
import { EnableButton } from '../webhooks/enable.tsx';
import { EndpointMark } from '../webhooks/endpoint-mark.tsx';
import { StateText } from '../webhooks/state-text.tsx';
import { pickAttention } from './attention.ts';
import { type DueWork, isOfAnother, nextDueOf } from './next-due.ts';

const SetUpSteps = lazy(
  async () => (await import('./set-up-steps.tsx')).SetUpSteps,
  <div class="card skeleton-card set-up-skeleton" />,
);
const TriggerSnippets = lazy(
  async () => (await import('../events/trigger-snippets.tsx')).TriggerSnippets,
  <span class="skeleton snippet-skeleton" />,
);
const TriggerDialog = lazy(async () => (await import('../events/trigger.tsx')).TriggerDialog);
const RegisterEndpoint = lazy(async () => (await import('../webhooks/register.tsx')).RegisterEndpoint);

const FAILURES = 6;

export function OverviewScreen({ workspaceId }: ScreenProps) {
  const read = useEndpoints(workspaceId);
  const endpoints = checkedIfEmpty(read);
  const { data: states } = useEndpointStates(workspaceId);
  const { failed, retrying, latest } = useDeliveries(workspaceId);
  const { data: due, error: noDue } = useQuery('next due', async () => ({ at: await nextDueAt() }), [
    'deliveries',
    'clock',
  ]);
  const { data: schedule } = useSchedule(workspaceId);
  const [open, setOpen] = useState<'trigger' | { register: string | undefined }>();
  // If the set-up steps were shown, keep showing these steps, so that they show the first delivery and the rest of the
  // screen does not move.
  const [showedSteps, setShowedSteps] = useState(false);
  const showsSteps = showedSteps || endpoints?.length === 0 || latest?.length === 0;
  useEffect(() => setShowedSteps(showsSteps), [showsSteps]);
  const actor = useActor(workspaceId);
  const why = actor.why('workspace:developer:write');
  const failing = [...(states?.values() ?? [])].filter(
    (state) => isAutoDisabled(state) || (state.active && state.consecutiveFailures > 0),
  ).length;
  useTitle(failing > 0 ? `${failing} failing · Overview` : 'Overview', workspaceId);
  if (read.error) return <Failure error={read.error} what="workspace" id={workspaceId} />;
  // Wait for all data, so that nothing moves under the pointer.
  if (!endpoints || !states || !failed || !retrying || !latest || !schedule || !(due || noDue)) {
    return <ScreenSkeleton heights={[160, 200, 180]} />;
  }
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]));
  return (
    <div class="screen">
      <ScreenHead title="Overview">
        <ActionButton icon="events" onClick={() => setOpen('trigger')}>
          Trigger an event
        </ActionButton>
        <ActionButton icon="plus" class="primary" why={why} onClick={() => setOpen({ register: undefined })}>
          Register endpoint
        </ActionButton>
      </ScreenHead>
      {showsSteps && (
        <SetUpSteps
          workspaceId={workspaceId}
          endpoints={endpoints}
          latest={latest[0]}
          actor={actor}
          onRegister={(register) => setOpen({ register })}
        />
      )}
      <div class="cards overview-cards">
        {endpoints.length > 0 && <EndpointsCard workspaceId={workspaceId} endpoints={endpoints} states={states} />}
        <Attention workspaceId={workspaceId} deliveries={pickAttention(retrying, failed, FAILURES)} urls={urls} />
        <NextDue here={nextDueOf(states.values(), schedule)} onServer={due?.at ?? null} />
        <section class="card wide-card">
          <h2>Trigger an event</h2>
          <TriggerSnippets workspaceId={workspaceId} />
        </section>
      </div>
      {typeof open === 'object' && (
        <RegisterEndpoint workspaceId={workspaceId} url={open.register} onClose={() => setOpen(undefined)} />
      )}
      {open === 'trigger' && <TriggerDialog workspaceId={workspaceId} onClose={() => setOpen(undefined)} />}
    </div>
  );
}

/**
 * Returns the list. Returns `undefined` for an empty list from an earlier view, because an outdated empty list would
 * make the set-up steps appear and stay. While the server does not respond, returns an empty list even if the list is
 * outdated.
 */
function checkedIfEmpty<Item>({ data, isChecked, staleSince }: Query<Item[]>): Item[] | undefined {
  return data?.length === 0 && !isChecked && !staleSince ? undefined : data;
}

function useDeliveries(workspaceId: string) {
  const { deliveries } = clientOf(workspaceId).webhooks;
  const { data: failed } = useQuery(
    `latest failures ${workspaceId} ${actingUserId.value}`,
    async () => (await deliveries.list({ status: 'failed', limit: FAILURES })).data,
    ['deliveries'],
  );
  const { data: retrying } = useQuery(
    `retrying ${workspaceId} ${actingUserId.value}`,
    async () => (await deliveries.list({ status: 'pending', limit: 20 })).data.filter(({ attempt }) => attempt > 0),
    ['deliveries'],
  );
  const latest = useQuery(
    `latest ${workspaceId} ${actingUserId.value}`,
    async () => (await deliveries.list({ limit: 1 })).data,
    ['deliveries'],
  );
  return { failed, retrying, latest: checkedIfEmpty(latest) };
}

function EndpointsCard({
  workspaceId,
  endpoints,
  states,
}: {
  workspaceId: string;
  endpoints: readonly WebhookEndpoint[];
  states: NonNullable<ReturnType<typeof useEndpointStates>['data']>;
}) {
  return (
    <section class="card wide-card">
      <h2>Endpoints</h2>
      <table class="plain inner">
        <tbody>
          {endpoints.slice(0, 20).map((endpoint) => {
            const { id, url, active } = endpoint;
            const state = states.get(id);
            const off = state !== undefined && isAutoDisabled(state);
            return (
              <tr key={id}>
                <td>
                  <EndpointMark active={active} state={state} />
                </td>
                <td>
                  <a class="row-link" href={endpointUrl(workspaceId, id)} title={url}>
                    {shortenUrl(url)}
                  </a>
                </td>
                <td class="end">
                  {off ? (
                    <EnableButton workspaceId={workspaceId} endpoint={endpoint} class="small" />
                  ) : (
                    <StateText state={state} />
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {endpoints.length > 20 && <a href={inWorkspace(workspaceId, 'webhooks')}>All {endpoints.length}</a>}
    </section>
  );
}

function Attention({
  workspaceId,
  deliveries,
  urls,
}: {
  workspaceId: string;
  deliveries: readonly WebhookDelivery[];
  urls: ReadonlyMap<string, string>;
}) {
  const statuses = [...new Set(deliveries.map(({ status }) => status))];
  return (
    <section class="card">
      <h2>Needs attention</h2>
      {deliveries.length === 0 && <p class="quiet">Nothing failed.</p>}
      <ul class="lines">
        {deliveries.map((delivery) => (
          <Failed key={delivery.id} delivery={delivery} url={urls.get(delivery.endpointId)} />
        ))}
      </ul>
      <p class="row wrap">
        {statuses.map((status) => (
          <a key={status} href={inWorkspace(workspaceId, 'deliveries', { status })}>
            All {status} deliveries
          </a>
        ))}
      </p>
    </section>
  );
}

/**
 * Shows the workspace's next due work. If work of another workspace is due earlier, shows that work too, because all
 * workspaces share one clock.
 */
function NextDue({ here, onServer }: { here: DueWork | undefined; onServer: string | null }) {
  const isOtherFirst = isOfAnother(onServer, here);
  return (
    <section class="card">
      <h2>Next due</h2>
      {here?.what !== 'attempt' && <p class="quiet">No attempt of this workspace is due.</p>}
      {here && (
        <p>
          The next {here.what} of this workspace <Due at={here.at} />.
        </p>
      )}
      {isOtherFirst && (
        <p class="quiet">
          The next work of another workspace <Due at={onServer} />
          {here && ', before that'}.
        </p>
      )}
      {(here || isOtherFirst) && (
        <button
          type="button"
          onClick={() => (here && isOtherFirst ? moveOrToast({ set: here.at }, Date.parse(here.at)) : moveToNextDue())}
        >
          <Icon name="skip" size={14} />
          Advance to this work
        </button>
      )}
    </section>
  );
}

function Failed({ delivery, url }: { delivery: WebhookDelivery; url: string | undefined }) {
  return (
    <li>
      <Status value={delivery.status} />
      <a href={deliveryUrl(delivery.workspaceId, delivery.id)} class="mono">
        {shortenId(delivery.id)}
      </a>
      <span class="num">{responseText(delivery)}</span>
      <span class="quiet target" title={url}>
        {url && shortenUrl(url)}
      </span>
      <span class="quiet end">
        <Created at={delivery.createdAt} />
      </span>
    </li>
  );
}
