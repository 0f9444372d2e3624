import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { makeWorkspace } from '../../support/http/workspace.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ seed: { organizations: [{ id: demo.acmeId, slug: 'acme', name: 'Acme' }] } });
  await api.call('POST', '/_control/clock', { body: { freeze: true } });
});
afterAll(() => api[Symbol.asyncDispose]());

const set = (at: string) => api.call('POST', '/_control/clock', { body: { set: at } });

/** Returns the events of a workspace, newest first. */
const eventsOf = async ({ credential }: { credential: string }) =>
  (await api.call('GET', '/v1/events?limit=100', { credential })).body.data;

describe('An evaluation on request', () => {
  test('measures every profile, then creates its event', async () => {
    await set('2031-03-12T12:00:00Z');
    const workspace = await makeWorkspace(api);
    await workspace.put([
      { externalId: 'new', activeDays: ['2031-03-10', '2031-03-12'] },
      { externalId: 'gone', activeDays: ['2030-01-01'] },
      { externalId: 'away', activeDays: ['2031-02-01', '2031-02-12'] },
    ]);
    const { status, body } = await workspace.evaluate();
    expect(status).toBe(200);
    expect(body).toEqual({
      evaluation: {
        id: expect.stringMatching(/^evl_[0-9A-Z]{26}$/),
        workspaceId: workspace.id,
        eventId: body.event.id,
        trigger: 'request',
        startedAt: '2031-03-12T12:00:00.000Z',
        finishedAt: '2031-03-12T12:00:00.000Z',
        profiles: 3,
        changed: 3,
        states: { new: 1, active: 0, at_risk: 0, dormant: 1, churned: 1 },
        transitions: [
          { from: null, to: 'new', profiles: 1 },
          { from: null, to: 'dormant', profiles: 1 },
          { from: null, to: 'churned', profiles: 1 },
        ],
        syncError: null,
      },
      event: {
        id: expect.stringMatching(/^evt_/),
        type: 'lifecycle.evaluated',
        created: '2031-03-12T12:00:00.000Z',
        subject: { id: workspace.id, type: 'workspace', url: `/v1/workspaces/${workspace.id}` },
      },
    });
    expect(await eventsOf(workspace)).toEqual([body.event]);
    expect(await workspace.evaluations()).toEqual([body.evaluation]);
    expect(await workspace.profiles('?state=new')).toMatchObject([
      {
        state: 'new',
        scores: { engagement: 35, churnRisk: 0 },
        signals: {
          daysSinceLastSeen: 0,
          daysSinceFirstSeen: 2,
          activeDaysLast7: 2,
          activeDaysLast28: 2,
          activeDaysThisWeek: 2,
          activeDaysLastWeek: 0,
          weekOverWeek: 2,
        },
        evaluatedAt: '2031-03-12T12:00:00.000Z',
      },
    ]);
  });

  test('updates only what has changed, and reports each old and new state', async () => {
    await set('2031-03-12T12:00:00Z');
    const workspace = await makeWorkspace(api);
    await workspace.put([
      { externalId: 'a', activeDays: ['2031-03-12'] },
      { externalId: 'b', activeDays: ['2031-03-01', '2031-03-12'] },
    ]);
    await workspace.evaluate();
    await set('2031-03-12T13:00:00Z');
    const again = await workspace.evaluate();
    expect(again.body.evaluation).toMatchObject({ profiles: 2, changed: 0, transitions: [] });
    expect((await workspace.profiles())[0].evaluatedAt).toBe('2031-03-12T12:00:00.000Z');
    await workspace.put([{ externalId: 'a', activeDays: ['2030-01-01'] }]);
    const moved = await workspace.evaluate();
    expect(moved.body.evaluation).toMatchObject({
      changed: 1,
      states: { new: 0, active: 2, at_risk: 0, dormant: 0, churned: 0 },
      transitions: [{ from: 'new', to: 'active', profiles: 1 }],
    });
    expect(await workspace.evaluations()).toHaveLength(3);
  });

  test('evaluates a workspace without profiles, which is never scheduled', async () => {
    const workspace = await makeWorkspace(api);
    expect(await workspace.schedule()).toEqual({ nextEvaluationAt: null, nextSyncAt: null });
    expect((await workspace.evaluate()).body.evaluation).toMatchObject({ profiles: 0, changed: 0, transitions: [] });
    expect(await workspace.schedule()).toEqual({ nextEvaluationAt: null, nextSyncAt: null });
  });

  test('runs concurrent evaluations of a workspace one after another', async () => {
    await set('2031-03-12T14:00:00Z');
    const workspace = await makeWorkspace(api);
    await workspace.put(Array.from({ length: 1_200 }, (_, n) => ({ externalId: `p${n}` })));
    const answers = await Promise.all([workspace.evaluate(), workspace.evaluate(), workspace.evaluate()]);
    const changed = answers.map(({ body }) => body.evaluation.changed);
    expect(changed.sort((a, b) => b - a)).toEqual([1_200, 0, 0]);
    expect(await eventsOf(workspace)).toHaveLength(3);
  });

  test('fails for a workspace that does not exist', async () => {
    const answer = await api.call('POST', '/_control/workspaces/wsp_none/evaluate');
    expect([answer.status, answer.body]).toEqual([404, failure('NOT_FOUND', 'No such workspace: wsp_none')]);
    expect((await api.call('GET', '/_control/workspaces/wsp_none/evaluations')).status).toBe(404);
    expect((await api.call('GET', '/_control/workspaces/wsp_none/schedule')).status).toBe(404);
  });

  test('delivers its event like any other', async () => {
    const workspace = await makeWorkspace(api);
    const body = { url: 'http://127.0.0.1:9/', subscribedEvents: ['lifecycle.*'] };
    await api.call('POST', '/v1/webhooks/endpoints', { credential: workspace.credential, body });
    const { event } = (await workspace.evaluate()).body;
    const { data } = (await api.call('GET', '/v1/webhooks/deliveries', workspace)).body;
    expect(data).toMatchObject([{ eventId: event.id, eventType: 'lifecycle.evaluated' }]);
  });
});

describe('The schedule', () => {
  // Otherwise the workspaces of earlier tests are also evaluated at each midnight.
  beforeEach(async () => {
    await api.call('POST', '/_control/reset', { body: {} });
    await api.call('POST', '/_control/clock', { body: { freeze: true } });
  });

  test.each([
    ['UTC', '2031-03-20T00:00:00.000Z', '2031-03-21T00:00:00.000Z'],
    ['Europe/Berlin', '2031-03-19T23:00:00.000Z', '2031-03-20T23:00:00.000Z'],
    ['Asia/Kathmandu', '2031-03-20T18:15:00.000Z', '2031-03-21T18:15:00.000Z'],
  ])('evaluates at midnight in %s, and again at the next midnight', async (timezone, first, second) => {
    await set('2031-03-19T20:00:00Z');
    const workspace = await makeWorkspace(api, { timezone });
    await workspace.put([{ externalId: 'a' }]);
    const { nextEvaluationAt } = await workspace.schedule();
    const before = await set(new Date(Date.parse(nextEvaluationAt) - 1).toISOString());
    expect(before.status).toBe(200);
    expect(await workspace.evaluations()).toEqual([]);
    await set(nextEvaluationAt);
    expect(nextEvaluationAt).toBe(first);
    expect(await workspace.evaluations()).toMatchObject([{ trigger: 'schedule', startedAt: nextEvaluationAt }]);
    expect((await workspace.schedule()).nextEvaluationAt).toBe(second);
  });

  test('evaluates at each midnight that the clock passes, even one that daylight saving time skips', async () => {
    await set('2031-03-07T12:00:00Z');
    const workspace = await makeWorkspace(api, { timezone: 'America/Havana' });
    await workspace.put([{ externalId: 'a', activeDays: ['2031-03-07'] }]);
    const { body } = await set('2031-03-11T12:00:00Z');
    expect(body.ran.evaluations).toBe(4);
    const times = (await workspace.evaluations()).map(({ startedAt }: { startedAt: string }) => startedAt);
    // 2031-03-09 begins at 01:00, and daylight saving time applies from then on.
    expect(times).toEqual([
      '2031-03-11T04:00:00.000Z',
      '2031-03-10T04:00:00.000Z',
      '2031-03-09T05:00:00.000Z',
      '2031-03-08T05:00:00.000Z',
    ]);
    const events = await eventsOf(workspace);
    expect(events.map(({ created }: { created: string }) => created)).toEqual(times);
    expect((await workspace.profiles())[0].signals.daysSinceLastSeen).toBe(4);
  });

  test('evaluates only once if midnight occurs twice', async () => {
    await set('2031-10-31T12:00:00Z');
    const workspace = await makeWorkspace(api, { timezone: 'America/Havana' });
    await workspace.put([{ externalId: 'a' }]);
    await set('2031-11-03T12:00:00Z');
    const times = (await workspace.evaluations()).map(({ startedAt }: { startedAt: string }) => startedAt);
    expect(times).toEqual(['2031-11-03T05:00:00.000Z', '2031-11-02T04:00:00.000Z', '2031-11-01T04:00:00.000Z']);
  });

  test('evaluates at once if the time zone or first day of the week changes, but not after any other change', async () => {
    await set('2031-11-10T12:00:00Z');
    const workspace = await makeWorkspace(api);
    await workspace.put([{ externalId: 'a' }]);
    const patch = (body: object) =>
      api.call('PATCH', `/v1/workspaces/${workspace.id}`, { credential: workspace.credential, body });
    await patch({ name: 'Other', timezone: null });
    await api.call('POST', '/_control/settle', { body: {} });
    expect(await workspace.evaluations()).toEqual([]);
    await patch({ timezone: 'Asia/Kathmandu' });
    await api.call('POST', '/_control/settle', { body: {} });
    expect(await workspace.evaluations()).toMatchObject([
      { trigger: 'calendar', startedAt: '2031-11-10T12:00:00.000Z' },
    ]);
    expect((await workspace.schedule()).nextEvaluationAt).toBe('2031-11-10T18:15:00.000Z');
    await patch({ weekStartsOn: 0 });
    await api.call('POST', '/_control/settle', { body: {} });
    expect(await workspace.evaluations()).toMatchObject([{ trigger: 'calendar' }, { trigger: 'calendar' }]);
  });

  test('runs in order with the deliveries that are due', async () => {
    await set('2031-12-01T23:50:00Z');
    const workspace = await makeWorkspace(api);
    await workspace.put([{ externalId: 'a' }]);
    const body = { url: 'http://127.0.0.1:9/', subscribedEvents: ['*'] };
    await api.call('POST', '/v1/webhooks/endpoints', { credential: workspace.credential, body });
    await workspace.evaluate();
    const { body: moved } = await set('2031-12-02T00:30:00Z');
    expect(moved.ran.evaluations).toBe(1);
    const { data } = (await api.call('GET', '/v1/webhooks/deliveries', workspace)).body;
    const attempts = async (id: string) =>
      (await api.call('GET', `/_control/deliveries/${id}/attempts`)).body.attempts.map(
        ({ startedAt }: { startedAt: string }) => startedAt,
      );
    expect(await attempts(data[1].id)).toEqual([
      '2031-12-01T23:50:00.000Z',
      '2031-12-01T23:55:00.000Z',
      '2031-12-02T00:25:00.000Z',
    ]);
    expect(await attempts(data[0].id)).toEqual(['2031-12-02T00:00:00.000Z', '2031-12-02T00:05:00.000Z']);
  });
});
