import type { ControlProfile, ProfileFilters } from '@svc/contract/control/types';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { control } from '../../data/control.ts';
import { whileAvailable } from '../../data/outage.ts';
import { snippetPlace } from '../../data/snippet-place.ts';
import { queryFrom, urlFilters } from '../../data/url-filters.ts';
import { profileTitle } from '../../format/profile-title.ts';
import { profilesSnippet } from '../../format/snippets.ts';
import { STATES, stateWord } from '../../format/states.ts';
import { inWorkspace, profileUrl } from '../../routes.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Notice, RemoveFilters } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Pick } from '../../ui/pick.tsx';
import { ScreenHead } from '../../ui/screen-head.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { useTitle } from '../../ui/title.ts';
import { EvaluateButton } from '../lifecycle/evaluate-button.tsx';
import { ImportDialog } from '../lifecycle/import-dialog.tsx';
import { ListTable, PAGE_SIZE } from '../list/list-table.tsx';
import { useList } from '../list/use-list.ts';
import { Score } from './score.tsx';

const FILTERS = ['state', 'q'] as const;
const COLUMNS = [
  ['', 'Profile'],
  ['', 'State'],
  ['', 'Engagement'],
  ['', 'Churn risk'],
  ['time', 'Last seen'],
] as const;
/** A search starts this long after the last key press. */
const SEARCH_DELAY_MS = 250;

/** Lists the profiles of a workspace, most recently seen first. */
export function ProfilesScreen({ workspaceId, query }: ScreenProps) {
  const filters = urlFilters(FILTERS, query);
  const { route } = useLocation();
  const [isImporting, setImporting] = useState(false);
  const [isChanged, setChanged] = useState(false);
  const path = '/workspaces/{workspaceId}/profiles';
  const params = { workspaceId };
  const followed = useList<ControlProfile>(
    JSON.stringify([workspaceId, 'profiles', filters]),
    {
      first: async () =>
        await control('GET', path, { params, query: { ...queryFrom<ProfileFilters>(filters), limit: PAGE_SIZE } }),
      at: async (pageUrl) => await control('GET', path, { params, pageUrl }),
      // An import or an evaluation may move every row, so the list shows changes only when the user asks for them.
      concerns: 'nothing',
    },
    false,
  );
  const { rows, isLoading, error, isStale, restart } = followed;
  useTitle('Profiles', workspaceId);
  useEffect(
    () =>
      whileAvailable((changed) => {
        if (changed === 'anything') {
          // The server may have been down until now, so rows may be missing or out of date.
          if (isStale || isLoading || error) restart();
        } else if (changed.lifecycle) {
          if (rows.length === 0) restart();
          else setChanged(true);
        }
      }),
    [rows.length, restart, isStale, isLoading, error],
  );
  const show = () => {
    setChanged(false);
    restart();
  };
  const go = (change: Record<string, string | undefined>, replace = false) =>
    route(inWorkspace(workspaceId, 'profiles', { ...filters, ...change }), replace);
  return (
    <div class="screen">
      <ScreenHead title="Profiles">
        <ActionButton icon="plus" onClick={() => setImporting(true)}>
          Import a file
        </ActionButton>
        <EvaluateButton workspaceId={workspaceId} />
      </ScreenHead>
      <search class="filters" aria-label="Filters">
        <SearchField key={workspaceId} value={filters.q ?? ''} onSearch={(q) => go({ q: q || undefined }, true)} />
        <Pick label="State" value={filters.state} options={STATES} onPick={(state) => go({ state })} />
      </search>
      <ListTable
        followed={followed}
        label="Profiles, most recently seen first"
        cells="cells profile-cells"
        columns={COLUMNS}
        news={isChanged ? { text: 'Changed. Show', show } : null}
        unfiltered={inWorkspace(workspaceId, 'profiles')}
        empty={<NoProfiles workspaceId={workspaceId} isFiltered={Object.keys(filters).length > 0} />}
      >
        {(profile) => <ProfileCells profile={profile} workspaceId={workspaceId} />}
      </ListTable>
      {isImporting && <ImportDialog workspaceId={workspaceId} onClose={() => setImporting(false)} />}
    </div>
  );
}

function NoProfiles({ workspaceId, isFiltered }: { workspaceId: string; isFiltered: boolean }) {
  return isFiltered ? (
    <Notice
      title="No profile matches"
      text="Each word of a search must match the beginning of a word in the name, the email or the external id."
    >
      <p class="row centred">
        <RemoveFilters unfiltered={inWorkspace(workspaceId, 'profiles')} />
      </p>
    </Notice>
  ) : (
    <Notice
      title="No profiles yet"
      text={
        <>
          A profile is a person who uses the product. Import a file, set a data source on{' '}
          <a href={inWorkspace(workspaceId, 'lifecycle')}>Lifecycle</a>, or send one with curl:
        </>
      }
    >
      <Snippet title="Send two profiles" text={profilesSnippet(snippetPlace(workspaceId))} />
    </Notice>
  );
}

function ProfileCells({ profile, workspaceId }: { profile: ControlProfile; workspaceId: string }) {
  const { id, name, email, externalId, state, scores, lastSeenAt } = profile;
  const title = profileTitle(profile);
  return (
    <div class="cells profile-cells">
      <span role="cell" class="c-type">
        <a class="row-link" href={profileUrl(workspaceId, id)}>
          <bdi>{title}</bdi>
        </a>{' '}
        <small class="quiet">
          <bdi>{title === name && email ? email : title === externalId ? '' : externalId}</bdi>
        </small>
      </span>
      <span role="cell" class="c-status">
        <Status value={state ?? 'none'} word={stateWord(state)} />
      </span>
      <span role="cell" class="c-engagement">
        <Score value={scores?.engagement} name="engagement" tone="good" />
      </span>
      <span role="cell" class="c-risk">
        <Score value={scores?.churnRisk} name="churn risk" tone="bad" />
      </span>
      <span role="cell" class="c-time">
        <Time value={lastSeenAt} />
      </span>
    </div>
  );
}

function SearchField({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(value);
  // A link or the Back button may change the search words, too.
  useEffect(() => {
    if (text.trim() !== value) setText(value);
  }, [value]);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => onSearch(text.trim()), SEARCH_DELAY_MS);
    return () => clearTimeout(timer);
  }, [text, value, onSearch]);
  return (
    <label class="search-field">
      <Icon name="search" size={14} />
      <span class="hidden-visually">Search profiles</span>
      <input
        type="search"
        placeholder="Name, email or external id"
        maxLength={200}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
    </label>
  );
}
