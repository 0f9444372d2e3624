import { expect, test } from 'vitest';
import { Cleanup } from '../../../src/runtime/cleanup.ts';

const closed: string[] = [];
const resource = (name: string, error?: Error) => ({
  async [Symbol.asyncDispose]() {
    closed.push(name);
    if (error) throw error;
  },
});
const names = () => closed.splice(0);

test('the resource that was opened last is closed first', async () => {
  {
    await using cleanup = new Cleanup();
    cleanup.use(resource('first'));
    cleanup.use({ [Symbol.dispose]: () => void closed.push('second, which closes at once') });
    cleanup.use(resource('third'));
  }
  expect(names()).toEqual(['third', 'second, which closes at once', 'first']);
});

test('only the new owner closes resources that were moved', async () => {
  const cleanup = new Cleanup();
  cleanup.use(resource('moved'));
  const owned = cleanup.move();
  await cleanup[Symbol.asyncDispose]();
  expect(names()).toEqual([]);
  await owned[Symbol.asyncDispose]();
  await owned[Symbol.asyncDispose]();
  expect(names()).toEqual(['moved']);
});

test('an error while closing is thrown once everything is closed', async () => {
  const cleanup = new Cleanup();
  cleanup.use(resource('first'));
  cleanup.use(resource('second', new Error('it does not close')));
  await expect(cleanup[Symbol.asyncDispose]()).rejects.toThrow('it does not close');
  expect(names()).toEqual(['second', 'first']);
});

test('several errors are thrown together', async () => {
  const cleanup = new Cleanup();
  const errors = [new Error('one'), new Error('two')];
  for (const error of errors) cleanup.use(resource(error.message, error));
  const failure = await cleanup[Symbol.asyncDispose]().catch((error: unknown) => error);
  expect((failure as AggregateError).errors).toEqual(errors.toReversed());
  expect(names()).toEqual(['two', 'one']);
});
