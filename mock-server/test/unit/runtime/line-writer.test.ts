import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { createLineWriter, type LineStream } from '../../../src/runtime/line-writer.ts';

/** A stream that reads nothing until told to. */
function createStalledStream() {
  const written: string[] = [];
  const callbacks: (() => void)[] = [];
  const events = new EventEmitter();
  const stream = Object.assign(events, {
    writableLength: 0,
    write(text: string, callback?: () => void) {
      if (text !== '') written.push(text);
      if (callback) callbacks.push(callback);
      stream.writableLength += text.length;
      return true;
    },
  });
  const read = () => {
    stream.writableLength = 0;
    for (const callback of callbacks.splice(0)) callback();
  };
  return { stream: stream as unknown as LineStream & EventEmitter, written, read };
}

const KIB = 'a'.repeat(1_023).concat('\n');

test('a reader that stalls costs at most 1 MiB, and then learns how many lines it missed', () => {
  const { stream, written, read } = createStalledStream();
  const write = createLineWriter(stream, (count) => write(`dropped ${count}\n`));
  for (let line = 0; line < 1_024; line += 1) write(KIB);
  expect(written).toHaveLength(1_024);
  write('b\n');
  write('c\n');
  expect(written).toHaveLength(1_024);
  read();
  write('d\n');
  write('e\n');
  expect(written.slice(1_024)).toEqual(['dropped 2\n', 'd\n', 'e\n']);
});

test('an error of the stream is ignored, with one listener for all logs of a process', () => {
  const { stream, written } = createStalledStream();
  const writes = [1, 2, 3].map(() => createLineWriter(stream, () => {}));
  stream.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
  for (const [index, write] of writes.entries()) write(`${index}\n`);
  expect(written).toEqual(['0\n', '1\n', '2\n']);
  expect(stream.listenerCount('error')).toBe(1);
});
