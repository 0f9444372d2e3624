import type { WholeResponse } from './attempt.ts';
import { ResponseError } from './errors.ts';
import { summaryOf } from './evidence.ts';
import { tell } from './logger.ts';
import type { Settings } from './settings.ts';

/**
 * The part of the response that a call returns: `all`, `nothing`, or the name of one field. With `nothing` or
 * `all-or-nothing`, the response may be empty.
 */
export type Take = 'all' | 'all-or-nothing' | 'nothing' | (string & {});

/** Returns the data from an operation's response. Throws {@link ResponseError} if the response is not as expected. */
export async function readResponse<Data>(
  { validate, logger, debug }: Settings,
  operation: string,
  { text, info, evidence }: WholeResponse,
  take: Take,
): Promise<Data> {
  // Here, a 404 always means that a retried DELETE succeeded. Any other response must be JSON or, if `take` allows it,
  // empty: a gateway's HTML page does not prove that the service did anything.
  const mayBeEmpty = take === 'nothing' || take === 'all-or-nothing';
  if (mayBeEmpty && (!text || info.status === 404)) return undefined as Data;
  const fail = (message: string, more?: object) => new ResponseError(message, info, more, evidence());
  let json: Record<string, unknown> | undefined;
  try {
    json = JSON.parse(text);
  } catch {
    throw fail(`The response is not JSON: ${summaryOf(evidence())}`);
  }
  const issues = (await validate?.schemas?.[operation]?.['~standard'].validate(json))?.issues?.slice(0, 3);
  if (issues) {
    const failure = fail('The response failed validation', { operation, issues });
    if (validate?.onInvalid === 'throw') throw failure;
    tell({ logger: debug || logger?.warn ? logger : console, debug }, 'warn', failure.message, failure.toJSON());
  }
  const data = mayBeEmpty || take === 'all' ? json : json?.[take];
  if (!data || typeof data !== 'object') throw fail('The response is not as expected');
  return (take === 'nothing' ? undefined : data) as Data;
}
