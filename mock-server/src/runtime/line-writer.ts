import type { Writable } from 'node:stream';

const WAITING_MAX = 1_048_576;

export type LineStream = Pick<Writable, 'write' | 'writableLength' | 'on' | 'listeners'>;

/**
 * Writes lines to a stream whose reader may be slow or gone. Never throws and never waits. While too much text waits
 * for the reader, drops lines, and then writes `droppedLine`. pino's own destinations are no alternative: their thread
 * keeps the process from ending while it waits for a slow reader.
 */
export function createLineWriter(stream: LineStream, droppedLine: (count: number) => string): (line: string) => void {
  // Several logs may share the stream.
  if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
  let dropped = 0;
  const report = () => {
    stream.write(droppedLine(dropped));
    dropped = 0;
  };
  return (line) => {
    if (dropped === 0 && stream.writableLength < WAITING_MAX) {
      stream.write(line);
      return;
    }
    // The stream calls `report` when the reader has received all waiting lines.
    if (dropped === 0) stream.write('', report);
    dropped += 1;
  };
}

const ignore = () => {};
