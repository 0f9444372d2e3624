import type { TriggeredEvent } from '@svc/contract/control/resources';
import { expect, test } from 'vitest';
import type { NewEvent } from '../../../src/domain/event-envelope.ts';
import { createIntake } from '../../../src/http/intake.ts';
import { checkedWrites } from '../../../src/storage/checked-writes.ts';
import { DataReplacedError, type Queries, type Storage } from '../../../src/storage/port.ts';

const eventOf = (id: string): NewEvent => ({ id, workspaceId: 'wsp_1', type: 'lifecycle.evaluated', createdAt: 0 });

/** An intake whose first transaction waits until `open` is called. `reset` replaces the data. */
function startIntake() {
  const first = Promise.withResolvers<void>();
  let data = 'old';
  let writes = 0;
  const storage: Pick<Storage, 'write'> = {
    async write(work) {
      if (++writes === 1) await first.promise;
      return await work({} as Queries);
    },
  };
  const checkSameData = () => {
    const expected = data;
    return async () => {
      if (data !== expected) throw new DataReplacedError();
    };
  };
  const intake = createIntake({ intakeRefused() {} });
  return {
    accept(id: string) {
      const check = checkSameData();
      const { write } = checkedWrites(storage, () => check);
      return intake.acceptGrouped(eventOf(id), (events) =>
        write(async () => events.map((event) => ({ event, deliveries: [] }) as unknown as TriggeredEvent)),
      );
    },
    open: first.resolve,
    reset: () => {
      data = 'new';
    },
  };
}

test('An event that waited for its group during a reset is refused, because its time and id are from before', async () => {
  const { accept, open, reset } = startIntake();
  const before = ['evt_1', 'evt_2', 'evt_3'].map(accept);
  const outcomes = Promise.allSettled(before);
  reset();
  open();
  expect((await outcomes).map((outcome) => (outcome as PromiseRejectedResult).reason)).toEqual(
    before.map(() => expect.any(DataReplacedError)),
  );
  expect((await accept('evt_4')).event.id).toBe('evt_4');
});

test('An event that waited without a reset is stored', async () => {
  const { accept, open } = startIntake();
  const accepted = ['evt_1', 'evt_2'].map(accept);
  open();
  expect((await Promise.all(accepted)).map(({ event }) => event.id)).toEqual(['evt_1', 'evt_2']);
});
