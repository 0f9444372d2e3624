import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { controlOf } from '../../support/http/control.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());
afterEach(() => api.call('POST', '/_control/reset', { body: {} }));

const as = { credential: demo.production.key };
const inject = async (fault: object) => await api.call('POST', '/_control/faults', { body: fault });
const faults = async () => (await api.call('GET', '/_control/faults')).body.faults;
const me = () => api.call('GET', '/v1/me', as);
const { control } = controlOf(() => api);

describe('Faults over the control API', () => {
  test('a fault is listed with its counts, and DELETE ends all faults', async () => {
    const { status, body } = await inject({ target: 'api', effect: { status: 503 }, times: 2, randomSeed: 7 });
    const fault = {
      id: expect.stringMatching(/^flt_/),
      target: 'api',
      match: {},
      effect: { status: 503 },
      times: 2,
      probability: 1,
      randomSeed: 7,
      matched: 0,
      struck: 0,
      remaining: 2,
    };
    expect({ status, body }).toEqual({ status: 201, body: { fault } });
    await me();
    expect(await faults()).toEqual([{ ...fault, matched: 1, struck: 1, remaining: 1 }]);

    expect(await api.call('DELETE', '/_control/faults')).toMatchObject({ status: 200, body: { ok: true } });
    expect(await faults()).toEqual([]);
    expect((await me()).status).toBe(200);
  });

  test('a reset also ends all faults', async () => {
    await inject({ target: 'api', effect: { status: 503 } });
    await api.call('POST', '/_control/reset', { body: {} });
    expect(await faults()).toEqual([]);
    expect((await me()).status).toBe(200);
  });

  test('a fault without a random seed gets one, and shows it so that the run can be repeated', async () => {
    const { body } = await inject({ target: 'api', effect: { status: 500 }, probability: 0.5 });
    const run = async () => {
      const statuses = [];
      for (let count = 0; count < 20; count++) statuses.push((await me()).status);
      return statuses;
    };
    const first = await run();
    await api.call('DELETE', '/_control/faults');
    await inject({ target: 'api', effect: { status: 500 }, probability: 0.5, randomSeed: body.fault.randomSeed });
    expect(await run()).toEqual(first);
    expect(new Set(first)).toEqual(new Set([200, 500]));
  });

  test.each([
    ['no target', { effect: { status: 503 } }],
    ['no effect', { target: 'api', effect: {} }],
    ['two effects', { target: 'api', effect: { status: 503, reset: true } }],
    ['a success status for the API', { target: 'api', effect: { status: 200 } }],
    ['an interim status for a delivery', { target: 'delivery', effect: { status: 101 } }],
    ['a duplicated API request', { target: 'api', effect: { duplicate: true } }],
    ['a reordered API request', { target: 'api', effect: { reorder: true } }],
    ['a path of the control API', { target: 'api', match: { path: '/_control/reset' }, effect: { status: 503 } }],
    ['a match for the other target', { target: 'api', match: { endpointId: 'whe_1' }, effect: { status: 503 } }],
    ['a delay of more than a minute', { target: 'api', effect: { delayMs: 60_001 } }],
    ['a probability of 0', { target: 'api', effect: { status: 503 }, probability: 0 }],
    ['zero times', { target: 'api', effect: { status: 503 }, times: 0 }],
    ['an unknown field', { target: 'api', effect: { status: 503 }, seed: 1 }],
  ])('%s returns 400', async (_what, fault) => {
    expect(await inject(fault)).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION' } } });
    expect(await faults()).toEqual([]);
  });
});

describe('DELETE /_control/faults/{id}', () => {
  test('ends one fault and leaves the others', async () => {
    const add = async () =>
      (await control('faults', { target: 'delivery', effect: { status: 500 }, match: { endpointId: 'whe_x' } })).body
        .fault.id;
    const [first, second] = [await add(), await add()];
    expect((await api.call('DELETE', `/_control/faults/${first}`)).status).toBe(200);
    expect((await api.call('DELETE', `/_control/faults/${first}`)).status).toBe(404);
    expect((await control('faults')).body.faults).toMatchObject([{ id: second }]);
    await api.call('DELETE', '/_control/faults');
  });
});
