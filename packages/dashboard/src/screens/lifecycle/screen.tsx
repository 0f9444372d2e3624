import type { ControlEvaluation } from '@svc/contract/control/types';
import { useState } from 'preact/hooks';
import { useEvaluations, useSchedule } from '../../data/lifecycle.ts';
import { stateWord } from '../../format/states.ts';
import { shortenId } from '../../format/text.ts';
import { eventUrl, inWorkspace } from '../../routes.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Fact } from '../../ui/fact.tsx';
import { ScreenHead } from '../../ui/screen-head.tsx';
import { Status } from '../../ui/status.tsx';
import { Due, Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { Failure } from '../failure.tsx';
import { DataSource } from './data-source.tsx';
import { EvaluateButton } from './evaluate-button.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { StatesChart } from './states-chart.tsx';

const TRIGGERS: Record<ControlEvaluation['trigger'], string> = {
  schedule: 'by schedule',
  request: 'on request',
  calendar: 'after a change of the calendar',
};

export function LifecycleScreen({ workspaceId }: ScreenProps) {
  const { data: evaluations, error } = useEvaluations(workspaceId);
  const { data: schedule } = useSchedule(workspaceId);
  const [isImporting, setImporting] = useState(false);
  useTitle('Lifecycle', workspaceId);
  if (error) return <Failure error={error} what="workspace" id={workspaceId} />;
  const latest = evaluations?.[0];
  return (
    <div class="screen">
      <ScreenHead title="Lifecycle">
        <ActionButton icon="plus" onClick={() => setImporting(true)}>
          Import a file
        </ActionButton>
        <EvaluateButton workspaceId={workspaceId} />
      </ScreenHead>
      <div class="cards">
        <section class="card wide-card">
          <h2>States over time</h2>
          {!evaluations && <div class="skeleton chart-skeleton" />}
          {evaluations && !latest && (
            <p class="quiet">
              No evaluation has run yet. An evaluation measures every profile, gives each profile a state, and sends{' '}
              <code>lifecycle.evaluated</code> to the endpoints that subscribe to this event.
            </p>
          )}
          {evaluations && <StatesChart evaluations={evaluations} />}
        </section>
        <section class="card">
          <h2>Latest evaluation</h2>
          {latest ? <Latest evaluation={latest} workspaceId={workspaceId} /> : <p class="quiet">None.</p>}
          {schedule && (
            <p class="quiet">
              {schedule.nextEvaluationAt ? (
                <>
                  The next evaluation <Due at={schedule.nextEvaluationAt} />, when the day begins in the workspace's
                  zone.
                </>
              ) : (
                'No evaluation is due: a workspace without profiles is evaluated only on request.'
              )}
            </p>
          )}
        </section>
        <section class="card">
          <h2>Transitions</h2>
          {latest && latest.transitions.length > 0 ? (
            <ul class="lines">
              {latest.transitions.map(({ from, to, profiles }) => (
                <li key={`${from} ${to}`}>
                  <Status value={from ?? 'none'} word={from === null ? 'first evaluation' : stateWord(from)} />
                  <span aria-hidden="true">→</span>
                  <span class="hidden-visually">to</span>
                  <Status value={to} word={stateWord(to)} />
                  <a class="end num" href={inWorkspace(workspaceId, 'profiles', { state: to })}>
                    {profiles.toLocaleString('en')} {profiles === 1 ? 'profile' : 'profiles'}
                  </a>
                </li>
              ))}
            </ul>
          ) : (
            <p class="quiet">{latest ? 'No profile changed its state.' : 'None.'}</p>
          )}
        </section>
        <DataSource workspaceId={workspaceId} onImport={() => setImporting(true)} />
      </div>
      {isImporting && <ImportDialog workspaceId={workspaceId} onClose={() => setImporting(false)} />}
    </div>
  );
}

function Latest({ evaluation, workspaceId }: { evaluation: ControlEvaluation; workspaceId: string }) {
  const { profiles, changed, trigger, finishedAt, eventId, syncError } = evaluation;
  return (
    <dl class="facts">
      <Fact name="Finished">
        <Time value={finishedAt} focusable />, {TRIGGERS[trigger]}
      </Fact>
      <Fact name="Profiles">
        <span class="num">
          {profiles.toLocaleString('en')}, {changed.toLocaleString('en')} changed
        </span>
      </Fact>
      <Fact name="Event">
        <a class="mono" href={eventUrl(workspaceId, eventId)} title={eventId}>
          {shortenId(eventId)}
        </a>
      </Fact>
      {syncError !== null && (
        <Fact name="Sync">
          <bdi class="tone-bad">{syncError}</bdi>
        </Fact>
      )}
    </dl>
  );
}
