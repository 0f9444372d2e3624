import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ApiFault, concerns, type DeliveryFault, type FaultSubject, pass } from '../../../src/domain/fault.ts';

const counts = { id: 'flt_1', times: null, probability: 1, randomSeed: 1, matched: 0, struck: 0 };
const api = (match: ApiFault['match']): ApiFault => ({ ...counts, target: 'api', match, effect: { status: 500 } });
const delivery = (match: DeliveryFault['match']): DeliveryFault => ({
  ...counts,
  target: 'delivery',
  match,
  effect: { drop: true },
});
const request = { target: 'api', method: 'GET', path: '/v1/workspaces/wsp_1', workspaceId: 'wsp_1' } as const;
const attempt = {
  target: 'delivery',
  id: 'whd_1',
  endpointId: 'whe_1',
  workspaceId: 'wsp_1',
  eventType: 'lifecycle.evaluated',
  attempt: 2,
} as const;

describe('What a fault matches', () => {
  it.each<[string, ApiFault | DeliveryFault, FaultSubject, boolean]>([
    ['everything, if it sets no condition', api({}), request, true],
    ['a method', api({ method: 'GET' }), request, true],
    ['another method', api({ method: 'PATCH' }), request, false],
    ['a path', api({ path: '/v1/workspaces/wsp_1' }), request, true],
    ['only the start of a path', api({ path: '/v1/work' }), request, false],
    ['a path with a star', api({ path: '/v1/*' }), request, true],
    ['a path with a parameter', api({ path: '/v1/workspaces/{workspaceId}' }), request, true],
    ['a parameter is one segment', api({ path: '/v1/{all}' }), request, false],
    ['a dot in a path is a dot', api({ path: '/v1.workspaces/*' }), request, false],
    ['a workspace', api({ workspaceId: 'wsp_1' }), request, true],
    ['another workspace', api({ workspaceId: 'wsp_2' }), request, false],
    ['a method, but another workspace', api({ method: 'GET', workspaceId: 'wsp_2' }), request, false],
    ['no delivery, if its target is the API', api({}), attempt, false],
    ['every delivery', delivery({}), attempt, true],
    ['no request, if its target is deliveries', delivery({}), request, false],
    ['an endpoint', delivery({ endpointId: 'whe_1' }), attempt, true],
    ['another endpoint', delivery({ endpointId: 'whe_2' }), attempt, false],
    ['a type', delivery({ eventType: 'lifecycle.evaluated' }), attempt, true],
    ['a glob of types', delivery({ eventType: 'lifecycle.*' }), attempt, true],
    ['another glob', delivery({ eventType: 'webhook.*' }), attempt, false],
    ['an attempt', delivery({ attempt: 2 }), attempt, true],
    ['another attempt', delivery({ attempt: 1 }), attempt, false],
  ])('%s', (_what, fault, subject, expected) => {
    expect(concerns(fault, subject)).toBe(expected);
  });
});

describe('A fault strikes', () => {
  const strikes = (fault: ApiFault, count: number) => {
    let faults: ReturnType<typeof pass>['faults'] = [fault];
    return Array.from({ length: count }, () => {
      const passing = pass(faults, request);
      faults = passing.faults;
      return passing.struck !== undefined;
    });
  };

  it('at most as often as its limit allows', () => {
    expect(strikes({ ...api({}), times: 2 }, 4)).toEqual([true, true, false, false]);
  });

  it('if it is the first of several that match a request, or if the earlier ones are used up', () => {
    const first = { ...api({}), id: 'first', times: 1 };
    const second = { ...api({}), id: 'second', times: 1 };
    const one = pass([first, second], request);
    const two = pass(one.faults, request);
    const three = pass(two.faults, request);
    expect([one, two, three].map(({ struck }) => struck?.id)).toEqual(['first', 'second', undefined]);
    expect(one.faults.map(({ matched }) => matched)).toEqual([1, 0]);
  });

  it('the same matches for the same seed, and other matches for another seed', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 32 - 1), fc.double({ min: 0.01, max: 1, noNaN: true }), (randomSeed, probability) => {
        const fault = { ...api({}), randomSeed, probability };
        expect(strikes(fault, 50)).toEqual(strikes(fault, 50));
      }),
      { numRuns: 50 },
    );
    const rows = [1, 2, 3].map((randomSeed) => strikes({ ...api({}), randomSeed, probability: 0.5 }, 64).join());
    expect(new Set(rows).size).toBe(3);
  });

  it('independently of another fault with the same seed, if the choice depends on the delivery', () => {
    const [first, second] = ['first', 'second'].map((id) => ({ ...delivery({}), id, probability: 0.5 }));
    const choose = (id: number) => pass([first, second] as DeliveryFault[], attempt, `whd_${id}:1`).struck?.id;
    const chosen = Array.from({ length: 100 }, (_, id) => choose(id));
    expect(new Set(chosen)).toEqual(new Set(['first', 'second', undefined]));
    expect(Array.from({ length: 100 }, (_, id) => choose(id))).toEqual(chosen);
  });

  it('as often as its probability says', () => {
    const struck = strikes({ ...api({}), probability: 0.2 }, 5_000).filter(Boolean).length;
    expect(struck).toBeGreaterThan(850);
    expect(struck).toBeLessThan(1_150);
  });
});
