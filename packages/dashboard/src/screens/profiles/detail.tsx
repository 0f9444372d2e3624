import type { ControlProfile } from '@svc/contract/control/types';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { now } from '../../data/clock.ts';
import { control } from '../../data/control.ts';
import { useControl } from '../../data/use-control.ts';
import { workspaceZone } from '../../data/zone.ts';
import { profileTitle } from '../../format/profile-title.ts';
import { stateWord } from '../../format/states.ts';
import { inWorkspace } from '../../routes.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Fact } from '../../ui/fact.tsx';
import { HostileText } from '../../ui/hostile-text.tsx';
import { Id } from '../../ui/id.tsx';
import { ScreenHead } from '../../ui/screen-head.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { toast } from '../../ui/toast.tsx';
import { Failure } from '../failure.tsx';
import { calendarStrip, dayOf } from './calendar.ts';
import { Score } from './score.tsx';

const DAYS = 28;
const SIGNALS = [
  ['daysSinceLastSeen', 'Days since last seen'],
  ['daysSinceFirstSeen', 'Days since first seen'],
  ['activeDaysLast7', 'Active days, last 7'],
  ['activeDaysLast28', 'Active days, last 28'],
  ['activeDaysThisWeek', 'Active days this week'],
  ['activeDaysLastWeek', 'Active days last week'],
  ['weekOverWeek', 'Change from last week'],
] as const;

export function ProfileScreen({ workspaceId, id }: ScreenProps) {
  const path = '/workspaces/{workspaceId}/profiles/{profileId}';
  const params = { workspaceId, profileId: id };
  const { data, error } = useControl(path, { params }, ['lifecycle']);
  const profile = data?.profile;
  const { route } = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  const title = profile && profileTitle(profile);
  useTitle(title ? `${title} · Profile` : 'Profile', workspaceId);
  const back = { href: inWorkspace(workspaceId, 'profiles'), text: 'Profiles' };
  if (error) return <Failure error={error} what="profile" id={id} back={back} />;
  if (!profile) return <div class="screen" aria-busy="true" />;
  const { state, signals } = profile;
  return (
    <div class="screen">
      <ScreenHead
        back={back}
        title={<bdi>{title}</bdi>}
        about={
          <>
            <Status value={state ?? 'none'} word={stateWord(state)} />
            <Id value={id} />
          </>
        }
      >
        <ActionButton icon="trash" class="danger" onClick={() => setDeleting(true)}>
          Delete
        </ActionButton>
      </ScreenHead>
      <div class="cards">
        <Who profile={profile} />
        <Scores profile={profile} />
        <section class="card wide-card">
          <h2>Active days, the last {DAYS}</h2>
          <CalendarStrip activeDays={profile.activeDays} />
        </section>
        {signals && (
          <section class="card">
            <h2>Signals</h2>
            <dl class="facts">
              {SIGNALS.map(([name, text]) => (
                <Fact key={name} name={text}>
                  <span class="num">
                    {name === 'weekOverWeek' && signals[name] > 0 && '+'}
                    {signals[name]}
                  </span>
                </Fact>
              ))}
            </dl>
          </section>
        )}
        <section class="card">
          <h2>Attributes</h2>
          <HostileText text={JSON.stringify(profile.attributes, null, 2)} label="Attributes" />
        </section>
      </div>
      {isDeleting && (
        <Confirm
          title={`Delete ${title}?`}
          action={`Delete ${title}`}
          run={async () => {
            await control('DELETE', path, { params });
            toast(`Deleted ${title}.`);
            route(back.href);
          }}
          onClose={() => setDeleting(false)}
        >
          <p>
            The next evaluation does not include this profile. An import with the same external id creates the profile
            again.
          </p>
        </Confirm>
      )}
    </div>
  );
}

function Who({ profile }: { profile: ControlProfile }) {
  return (
    <section class="card">
      <h2>Who</h2>
      <dl class="facts">
        <Fact name="External id">
          <bdi class="mono">{profile.externalId}</bdi>
        </Fact>
        <Fact name="Name">
          <bdi>{profile.name || '–'}</bdi>
        </Fact>
        <Fact name="Email">
          <bdi>{profile.email || '–'}</bdi>
        </Fact>
        <Fact name="First seen">
          <Time value={profile.firstSeenAt} focusable />
        </Fact>
        <Fact name="Last seen">
          <Time value={profile.lastSeenAt} focusable />
        </Fact>
      </dl>
    </section>
  );
}

function Scores({ profile: { scores, evaluatedAt } }: { profile: ControlProfile }) {
  return (
    <section class="card">
      <h2>Scores</h2>
      {scores ? (
        <>
          <p class="score-line">
            <span>Engagement</span>
            <Score value={scores.engagement} name="engagement" tone="good" large />
          </p>
          <p class="score-line">
            <span>Churn risk</span>
            <Score value={scores.churnRisk} name="churn risk" tone="bad" large />
          </p>
          <p class="quiet">
            {evaluatedAt && (
              <>
                Evaluated <Time value={evaluatedAt} focusable />.
              </>
            )}
          </p>
        </>
      ) : (
        <p class="quiet">No evaluation has included this profile yet.</p>
      )}
    </section>
  );
}

function CalendarStrip({ activeDays }: { activeDays: readonly string[] }) {
  const days = calendarStrip(activeDays, dayOf(now.value, workspaceZone.value ?? 'UTC'), DAYS);
  const active = days.filter(({ isActive }) => isActive).map(({ day }) => day);
  return (
    <>
      <div class="strip" aria-hidden="true">
        {days.map(({ day, isActive }) => (
          <i key={day} class={isActive ? 'on' : ''} title={`${day}: ${isActive ? 'active' : 'not active'}`}>
            {day.slice(8)}
          </i>
        ))}
      </div>
      <p class="quiet">
        {active.length === 0
          ? `Not active on any of the last ${DAYS} days.`
          : `Active on ${active.length} of ${DAYS} days, last on ${active.at(-1)}.`}
      </p>
      {active.length > 0 && (
        <details>
          <summary>As a list</summary>
          <p class="num">{active.toReversed().join(', ')}</p>
        </details>
      )}
    </>
  );
}
