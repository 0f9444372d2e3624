import type { Answer } from './attempt.ts';
import { ResponseError } from './errors.ts';
import { tell } from './logger.ts';
import type { Settings } from './settings.ts';

/** Takes the data of an operation out of its answer; throws {@link ResponseError}. */
export async function readAnswer<Data>(
  { validate, logger }: Settings,
  operation: string,
  { text, info }: Answer,
  pick?: string | null,
): Promise<Data> {
  // A 404 only gets here if it counts as done. A gateway's page is no answer: it says nothing about what was done.
  if ((pick === null || pick === '') && (!text || info.status === 404)) return undefined as Data;
  const fail = (message: string, more?: object) => new ResponseError(message, info, more);
  let json: Record<string, unknown> | undefined;
  try {
    json = JSON.parse(text);
  } catch {
    throw fail('The answer is not JSON');
  }
  const issues = (await validate?.schemas[operation]?.['~standard'].validate(json))?.issues;
  if (issues) {
    const failure = fail('The answer failed validation', { operation, issues });
    if (validate?.onInvalid === 'throw') throw failure;
    tell(logger?.warn ? logger : console, 'warn', failure.message, failure.toJSON());
  }
  const data = pick ? json?.[pick] : json;
  if (!data || typeof data !== 'object') throw fail('The answer is not as expected');
  return (pick === null ? undefined : data) as Data;
}
