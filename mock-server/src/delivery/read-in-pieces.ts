import type { Socket } from 'node:net';
import { createAnswerBudget } from './answer-budget.ts';
import { createInterimScanner } from './continue-answers.ts';
import type { ReadingTime } from './reading-time.ts';

/** An answer has more headers, trailers or chunk lines than are read. */
export class AnswerTooLargeError extends Error {
  override readonly name = 'AnswerTooLargeError';
}

/**
 * The budget is checked after each piece of this size, because undici parses all that it has read, even if the answer is
 * already too large.
 */
const PIECE_BYTES = 4 * 1024;

/** What the reader of a connection is told about the answers that come over it. */
export interface AnswerReader {
  /** A request was written: what comes next begins an answer. */
  expectAnswer(): void;
  /** The parser found a part of the body. */
  addBody(bytes: number): void;
}

/**
 * Lets undici read a connection in small pieces only, while there is {@link ReadingTime time} for it, and destroys the
 * connection as soon as an answer is over its {@link createAnswerBudget budget}.
 */
export function readInPieces(socket: Socket, time: ReadingTime): AnswerReader {
  const budget = createAnswerBudget();
  const interim = createInterimScanner();
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  let parsed: Buffer | null = null;
  let isWaiting = false;

  function resume(): void {
    isWaiting = false;
    // undici reads when it hears this.
    if (!socket.destroyed) socket.emit('readable');
  }

  // undici calls `read()` until there is nothing left, and parses each piece before it reads the next.
  socket.read = (size?: number) => {
    if (size !== undefined) return read(size);
    if (parsed !== null && !budget.spend(parsed)) {
      parsed = null;
      socket.destroy(new AnswerTooLargeError('The headers or trailers of the answer are too large.'));
      return null;
    }
    parsed = null;
    if (isWaiting) return null;
    if (socket.readableLength > 0 && !time.hasTime(resume)) {
      isWaiting = true;
      return null;
    }
    parsed = read(Math.min(PIECE_BYTES, socket.readableLength) || undefined);
    if (parsed !== null) interim.scan(parsed);
    return parsed;
  };

  return {
    expectAnswer() {
      budget.reset();
      interim.expectAnswer();
    },
    addBody: budget.addBody,
  };
}
