import type { Defect, ServedResponse } from './broken.ts';

/** A defect of the control API's responses about profiles and evaluations. */
const wrong = (
  does: string,
  caughtBy: string,
  answers: (body: ServedResponse['body'], request: { method: string; path: string }) => void,
): Defect => ({
  does,
  caughtBy,
  inControl: true,
  answers: ({ status, body }, request) => {
    if (status < 300) answers(body, request);
  },
});

const isList = ({ method, path }: { method: string; path: string }) => method === 'GET' && path.endsWith('/profiles');

/** Changes each profile of a list. */
const eachProfile =
  // biome-ignore lint/suspicious/noExplicitAny: a defect changes whatever shape it meets.
    (change: (profile: any) => void) =>
    (body: ServedResponse['body'], request: { method: string; path: string }): void => {
      if (isList(request)) body.data.forEach(change);
    };

/** Changes an evaluation: a single one, and those of a list. */
const eachEvaluation =
  // biome-ignore lint/suspicious/noExplicitAny: the same.
    (change: (evaluation: any) => void) =>
    (body: ServedResponse['body'], { path }: { path: string }): void => {
      if (path.endsWith('/evaluate')) change(body.evaluation);
      if (path.endsWith('/evaluations')) body.data.forEach(change);
    };

/** One for each statement about profiles and evaluations. */
export const lifecycleDefects: readonly Defect[] = [
  wrong('counts a bad line as imported', 'lifecycle.import', (body) => {
    if (body?.rejected > 0) body.upserted += body.rejected--;
  }),
  {
    does: 'shows a URL for a profile that it finds',
    caughtBy: 'lifecycle.search',
    answers: ({ body }, { path }) => {
      if (path === '/v1/search') for (const item of body.data) item.url = '/v1/profiles';
    },
  },
  {
    does: 'does not find the event of an evaluation',
    caughtBy: 'lifecycle.evaluated',
    answers: ({ body }, { path }) => {
      if (path.startsWith('/v1/events/')) body.id = 'evt_none';
    },
  },
  wrong('evaluates a day after midnight', 'lifecycle.midnight', (body, { path }) => {
    if (path.endsWith('/schedule')) body.nextEvaluationAt = '2000-01-01T00:00:00.000Z';
  }),
  wrong('says that a source is due which nobody set', 'lifecycle.data-source', (body) => {
    if (body.dataSource) body.dataSource.nextSyncAt = '2000-01-01T00:00:00.000Z';
  }),
  wrong(
    'scores a profile before its first evaluation',
    'profiles.shape',
    eachProfile((profile) => {
      profile.scores = { engagement: 0, churnRisk: 0 };
    }),
  ),
  wrong(
    'forgets the first day',
    'profiles.days',
    eachProfile((profile) => profile.activeDays.shift()),
  ),
  wrong('tells no more than ten problems', 'profiles.problems', (body) => {
    body.problems?.splice(10);
  }),
  wrong('lists first who was seen first', 'profiles.list', (body, request) => {
    if (isList(request)) body.data.reverse();
  }),
  {
    does: 'finds a profile that was deleted',
    caughtBy: 'profiles.delete',
    answers: ({ body }, { path }) => {
      if (path === '/v1/search') body.data.push({ type: 'profile' });
    },
  },
  {
    does: 'ranks what only begins so before what equals',
    caughtBy: 'profiles.search-ranks',
    answers: ({ body }, { path }) => {
      if (path === '/v1/search') body.data.reverse();
    },
  },
  wrong(
    'says that an evaluation asked for was due',
    'evaluation.shape',
    eachEvaluation((evaluation) => {
      evaluation.trigger = 'schedule';
    }),
  ),
  wrong(
    'rounds scores down',
    'evaluation.signals',
    eachProfile(({ scores }) => scores && scores.engagement--),
  ),
  wrong(
    'calls nobody dormant',
    'evaluation.states',
    eachProfile((profile) => {
      if (profile.state === 'dormant') profile.state = 'churned';
    }),
  ),
  wrong(
    'counts a first state as a move from new',
    'evaluation.transitions',
    eachEvaluation(({ transitions }) => {
      for (const transition of transitions) transition.from ??= 'new';
    }),
  ),
  wrong(
    'takes a change of the calendar for a midnight',
    'evaluation.calendar',
    eachEvaluation((evaluation) => {
      if (evaluation.trigger === 'calendar') evaluation.trigger = 'schedule';
    }),
  ),
  wrong('tells of an event that nobody received', 'evaluation.event', (body, { path }) => {
    if (path.endsWith('/evaluate')) body.event.created = '2000-01-01T00:00:00.000Z';
  }),
  wrong('hides why a sync failed', 'evaluation.failed-sync', (body) => {
    if (body.sync) body.sync.error = null;
  }),
];
