import type { InjectedFault } from '@svc/contract/control/resources';
import type { Fault } from '../../domain/fault.ts';
import { drawInteger } from '../../domain/random.ts';
import { conflict, notFound } from '../errors.ts';
import type { ControlHandlers } from './operation.ts';

const FAULTS_MAX = 1_000;

export const faultHandlers = {
  async createFault({ services: { faults, ids, random }, body }) {
    if ((await faults.list()).length >= FAULTS_MAX)
      throw conflict(`There are ${FAULTS_MAX} faults already. Clear them first.`);
    const fault = {
      ...body,
      id: `flt_${ids.nextBare()}`,
      randomSeed: body.randomSeed ?? drawInteger(random, 'faults'),
      matched: 0,
      struck: 0,
    } as Fault;
    await faults.add(fault);
    return { fault: presentFault(fault) };
  },

  listFaults: async ({ services: { faults } }) => ({ faults: (await faults.list()).map(presentFault) }),

  async clearFaults({ services: { faults } }) {
    await faults.clear();
    return { ok: true };
  },

  async endFault({ services: { faults }, params: { faultId } }) {
    if (!(await faults.remove(faultId))) throw notFound('fault', faultId);
    return { ok: true };
  },
} satisfies Partial<ControlHandlers>;

const presentFault = (fault: Fault) =>
  ({ ...fault, remaining: fault.times === null ? null : fault.times - fault.struck }) as InjectedFault;
